extension Database {
    /// Removes what has outlived its retention, a batch in a transaction of its own, so that no writer waits for long.
    ///
    /// - Parameters:
    ///   - batch: Rows of one kind that one transaction removes at most.
    ///   - most: Batches of one sweep; what is left waits for the next.
    ///   - remove: Removes so many rows at most, and says how many it was.
    /// - Returns: How many rows were removed.
    @discardableResult
    public func sweep(
        batch: Int = 1_000, most batches: Int = 1_000,
        _ remove: @escaping @Sendable (_ transaction: Transaction, _ limit: Int) throws -> Int
    ) async throws -> Int {
        var removed = 0
        for _ in 0..<batches where !Task.isCancelled {
            let count = try await write { try remove($0, batch) }
            removed += count
            if count < batch { break }
        }
        return removed
    }
}
