/// Runs one task at a time, in the order of arrival.
actor SerialGate {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
        defer { pass() }
        return try await body()
    }

    /// Passes directly to the next task, so that no other can come in between.
    private func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
