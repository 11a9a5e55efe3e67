import Metrics

/// Time and failures of transactions.
struct SQLMetrics: Sendable {
    static let reads = SQLMetrics(work: "read")
    static let writes = SQLMetrics(work: "write")

    private let duration: Timer

    private init(work: String) {
        duration = Timer(label: "openvalet_sql_seconds", dimensions: [("work", work)])
    }

    /// Measures a transaction from the call to its end, with waits and repetitions.
    func measure<T>(_ transaction: () async throws -> T) async throws -> T {
        let start = ContinuousClock.now
        defer { duration.record(duration: ContinuousClock.now - start) }
        do {
            return try await transaction()
        } catch let error as StoreError {
            Counter(
                label: "openvalet_sql_failures_total", dimensions: [("kind", error.kind.rawValue)]
            ).increment()
            throw error
        }
    }
}
