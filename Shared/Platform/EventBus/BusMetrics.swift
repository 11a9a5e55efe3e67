import Metrics

/// What the bus counts.
enum BusMetrics {
    static let duplicates = Counter(label: "openvalet_bus_duplicates")
    static let pending = Gauge(label: "openvalet_outbox_pending")
    static let oldestSeconds = Gauge(label: "openvalet_outbox_oldest_seconds")
    static let sent = Counter(label: "openvalet_outbox_sent")
}

/// What one group's consumer counts.
struct ConsumerMetrics: Sendable {
    let handled: Counter
    let retried: Counter
    let dead: Counter
    /// Of no meaning here, for a value of a later release.
    let skipped: Counter
    /// Not signed by who may say it.
    let forged: Counter
    let lag: Gauge

    init(group: String, topics: [String]) {
        let labels = [("group", group), ("topic", topics.sorted().joined(separator: ","))]
        handled = Counter(label: "openvalet_bus_handled", dimensions: labels)
        retried = Counter(label: "openvalet_bus_retried", dimensions: labels)
        dead = Counter(label: "openvalet_bus_dead", dimensions: labels)
        skipped = Counter(label: "openvalet_bus_skipped", dimensions: labels)
        forged = Counter(label: "openvalet_bus_forged", dimensions: labels)
        lag = Gauge(label: "openvalet_bus_lag", dimensions: labels)
    }
}
