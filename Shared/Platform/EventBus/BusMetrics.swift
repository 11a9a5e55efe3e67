import Metrics

enum BusMetrics {
    static let duplicates = Counter(label: "openvalet_bus_duplicates_total")
    static let pending = Gauge(label: "openvalet_outbox_pending")
    static let oldestSeconds = Gauge(label: "openvalet_outbox_oldest_seconds")
    static let losses = Counter(label: "openvalet_kafka_losses_total")
    static let renewals = Counter(label: "openvalet_kafka_producer_renewals_total")
    static let sent = Counter(label: "openvalet_outbox_sent_total")
}

/// The metrics of one group's consumer.
struct ConsumerMetrics: Sendable {
    let handled: Counter
    let retried: Counter
    let dead: Counter
    /// Events skipped because of a value from a later release.
    let skipped: Counter
    /// Events that aren't signed by a service that may publish them.
    let forged: Counter
    /// NaN while it is unknown.
    let lag: Gauge
    /// From the publishing of an event to the end of its reaction.
    let age: Timer

    init(group: String, topics: [String]) {
        let labels = [("group", group), ("topic", topics.sorted().joined(separator: ","))]
        handled = Counter(label: "openvalet_bus_handled_total", dimensions: labels)
        retried = Counter(label: "openvalet_bus_retried_total", dimensions: labels)
        dead = Counter(label: "openvalet_bus_dead_total", dimensions: labels)
        skipped = Counter(label: "openvalet_bus_skipped_total", dimensions: labels)
        forged = Counter(label: "openvalet_bus_forged_total", dimensions: labels)
        lag = Gauge(label: "openvalet_bus_lag", dimensions: labels)
        age = Timer(label: "openvalet_bus_event_age_seconds", dimensions: labels)
    }
}
