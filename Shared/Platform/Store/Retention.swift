extension Database {
    /// Deletes rows that are older than their retention. Each batch has its own transaction, so that no writer waits
    /// for long.
    ///
    /// - Parameters:
    ///   - batch: Maximum number of rows per transaction.
    ///   - most: Maximum number of batches per sweep; the rest waits for the next sweep.
    ///   - remove: Deletes at most this many rows, and returns their number.
    /// - Returns: The number of deleted rows.
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
