/// Lets one in at a time; the others wait for their turn, in the order in which they came.
actor Turns {
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

    /// The turn is the next one's at once: nobody comes in between.
    private func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
