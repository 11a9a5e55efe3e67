import Contracts
import Foundation
import Store

extension AccountUseCases {
    /// Rows of one table that one transaction removes at most, so that it never holds up writers.
    static let sweepBatch = 500
    /// Batches of one table in one sweep; what is left waits for the next.
    static let mostSweepBatches = 20

    /// Removes what has run out: codes, counts, sessions and their tokens, photos that nobody shows,
    /// engagements that bind nobody. Returns how many rows it removed.
    @discardableResult
    func sweep() async throws -> Int {
        let now = clock.now
        let engagements = now.addingTimeInterval(-Bonds.retention)
        return try await sweep("codes", key: "phone", "expires_at", before: now)
            + sweep("reset_codes", key: "phone", "expires_at", before: now)
            + sweep(
                "engagements", key: "id", "changed_at", before: engagements, and: Bonds.isLoose)
            + sweepPhotos(before: now.addingTimeInterval(-PhotoStore.uploadTime))
            + sweep("quotas", key: "id", "ends_at", before: now)
            + sweep("refresh_tokens", key: "hash", "expires_at", before: now)
            + sweepSessions(before: now)
    }

    /// Unlike the others, with a word to whoever serves the sessions' devices.
    private func sweepSessions(before limit: Date) async throws -> Int {
        var removed = 0
        for _ in 0..<Self.mostSweepBatches {
            let batch = try await database.write { transaction in
                try transaction.endSessions(
                    where: "id IN (SELECT id FROM sessions WHERE expires_at < ? LIMIT ?)",
                    [limit, Self.sweepBatch], at: limit)
            }
            removed += batch
            if batch < Self.sweepBatch { break }
        }
        return removed
    }

    private func sweep(
        _ table: String, key: String, _ column: String, before limit: Date,
        and condition: String = "1 = 1"
    ) async throws -> Int {
        let sql = """
            DELETE FROM \(table) WHERE \(key) IN (
                SELECT \(key) FROM \(table) WHERE \(column) < ? AND \(condition) LIMIT ?)
            """
        var removed = 0
        for _ in 0..<Self.mostSweepBatches {
            let batch = try await database.write { transaction in
                try transaction.execute(sql, limit, Self.sweepBatch)
            }
            removed += batch
            if batch < Self.sweepBatch { break }
        }
        return removed
    }
}
