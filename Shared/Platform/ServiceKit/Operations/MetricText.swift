/// What Prometheus is told of a metric besides its values.
struct MetricText: Sendable {
    enum Kind: Sendable { case counter, gauge, histogram }

    let kind: Kind
    /// One sentence, for the HELP line.
    let help: String
    /// Upper bounds of a histogram's buckets, in seconds.
    var bounds: [Double] = seconds

    /// For calls: 1 ms to 30 s, about three per decade.
    static let seconds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    /// For what people or a broker that is away take: 10 ms to an hour.
    static let long = [
        0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600,
    ]

    private static func counter(_ help: String) -> MetricText { .init(kind: .counter, help: help) }

    private static func gauge(_ help: String) -> MetricText { .init(kind: .gauge, help: help) }

    private static func histogram(_ help: String, _ bounds: [Double] = seconds) -> MetricText {
        .init(kind: .histogram, help: help, bounds: bounds)
    }

    static func of(_ name: String) -> MetricText? { all[name] }

    /// Every metric of the platform, by name.
    static let all = process.merging(platform) { $1 }.merging(services) { $1 }

    /// The names and meanings of Prometheus' own clients.
    private static let process: [String: MetricText] = [
        "process_cpu_seconds_total": counter("Processor time of the process, user and system."),
        "process_max_fds": gauge("Most files and connections that the process may open."),
        "process_open_fds": gauge("Open files and connections."),
        "process_resident_memory_bytes": gauge("Memory of the process in RAM."),
        "process_start_time_seconds": gauge("Start of the process, in seconds since 1970."),
        "process_virtual_memory_bytes": gauge("Address space of the process."),
    ]

    private static let platform: [String: MetricText] = [
        "http_request_duration_seconds": histogram(
            "Time until a request was answered, by method, route and status."),
        "openvalet_build_info": gauge("Always 1, with service and version."),
        "openvalet_bus_dead_total": counter("Records that became dead letters."),
        "openvalet_bus_duplicates_total": counter("Events that had been applied before."),
        "openvalet_bus_event_age_seconds": histogram(
            "Time from the publishing of an event to the end of its reaction.", long),
        "openvalet_bus_forged_total": counter(
            "Records that no service signed which may publish them."),
        "openvalet_bus_handled_total": counter("Events that were handled."),
        "openvalet_bus_lag": gauge("Records that a consumer has not handled yet."),
        "openvalet_bus_retried_total": counter("Reactions that failed and were tried again."),
        "openvalet_bus_skipped_total": counter("Events with a value of a later release."),
        "openvalet_kafka_losses_total": counter(
            "Times that a reader, producer or outbox noticed that the broker had lost records."),
        "openvalet_kafka_producer_renewals_total": counter(
            "Producers that were made anew because they delivered nothing."),
        "openvalet_outbox_oldest_seconds": gauge("Age of the oldest event that waits to be sent."),
        "openvalet_outbox_pending": gauge("Events that wait to be sent."),
        "openvalet_outbox_sent_total": counter("Events that the broker has accepted."),
        "openvalet_peer_circuits_open": gauge(
            "Circuits to another service or provider that are open after failures in a row."),
        "openvalet_peer_seconds": histogram(
            "Time until another service answered, with retries, by outcome."),
        "openvalet_redis_failures_total": counter(
            "Round trips to Redis that failed, and commands that it refused, by kind."),
        "openvalet_redis_seconds": histogram("Time of a round trip to Redis."),
        "openvalet_spans_dropped_total": counter(
            "Steps of traces that the collector did not get."),
        "openvalet_sql_connections": gauge("Connections to PostgreSQL, by state."),
        "openvalet_sql_connections_max": gauge("Most connections that the process may open."),
        "openvalet_sql_failures_total": counter("Transactions that failed, by kind."),
        "openvalet_sql_seconds": histogram(
            "Time of a transaction with its waits, by read or write."),
        "openvalet_sql_waiting": gauge("Transactions that wait for a connection."),
        "routing_requests_total": counter("Requests to routers and geocoders, by outcome."),
    ]

    private static let services: [String: MetricText] = [
        "carparks_feed_lots_total": counter("Car parks in a feed of live spaces, by outcome."),
        "carparks_feed_polls_total": counter("Requests of a feed of live spaces, by outcome."),
        "gateway_stream_positions_dropped_total": counter(
            "Positions that a live stream left out because a newer one came first."),
        "gateway_streams": gauge("Open live streams."),
        "location_events_sent_total": counter("Arrivals and other events that were sent."),
        "location_points_total": counter("Positions that phones sent, by outcome."),
        "location_positions_dropped_total": counter("Positions that were not sent, by reason."),
        "location_positions_sent_total": counter("Positions that were sent."),
        "matching_answers_total": counter("Answers to requests for a valet, by outcome."),
        "matching_open_requests": gauge("Requests for a valet without an answer, by area."),
        "matching_seconds": histogram("Time of one decision."),
        "notifications_dead_letters_waiting": gauge(
            "Dead letters that nobody has published again."),
        "notifications_forged_letters_total": counter(
            "Dead letters without a valid signature of a service."),
        "notifications_forgeries_dropped_total": counter(
            "Forged records beyond the limit of those that are stored."),
        "notifications_push_failed_total": counter("Pushes that were given up, by reason."),
        "notifications_push_retried_total": counter("Pushes that are tried again."),
        "notifications_push_sent_total": counter("Pushes that a push service accepted."),
        "notifications_push_subscriptions_removed_total": counter(
            "Subscriptions that a push service no longer knows."),
        "openvalet_plates_confirmations_total": counter(
            "Recognitions that a valet confirmed or corrected, by field."),
        "openvalet_plates_recognitions_total": counter("Recognitions of plates, by outcome."),
        "orders_ended_total": counter("Valet orders that ended, by outcome."),
        "orders_placed_total": counter("Valet orders that were placed."),
        "orders_tap_to_assigned_seconds": histogram(
            "Time from placing an order for now to its first valet.", long),
        "payments_ledger_imbalance": gauge(
            "Sum of the ledger by currency, in its smallest unit: anything but 0 is a fault."),
        "payments_open_holds": gauge("Amounts held on cards, neither charged nor released yet."),
        "payments_outcomes_total": counter(
            "Payments that succeeded, were declined, held or released, by product."),
        "web_client_errors_total": counter("Errors that the web apps have reported, by app."),
    ]
}
