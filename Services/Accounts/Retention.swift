import Contracts
import Foundation
import Store

extension AccountUseCases {
    /// The most rows of one table that one transaction removes.
    static let sweepBatch = 500
    /// Batches per table in one sweep.
    private static let mostSweepBatches = 20

    /// Removes expired rows: codes, setups, challenges, counts, sessions and their tokens, unused photos, old reports.
    /// Returns the number of rows.
    @discardableResult
    func sweep() async throws -> Int {
        let now = clock.now
        return try await sweep("codes", key: "contact", "expires_at", before: now)
            + sweep("reset_codes", key: "contact", "expires_at", before: now)
            + sweep("second_factor_codes", key: "contact", "expires_at", before: now)
            + sweep("second_factor_setups", key: "person", "expires_at", before: now)
            + sweep("challenges", key: "hash", "expires_at", before: now)
            + sweepPhotos(before: now.addingTimeInterval(-PhotoStore.uploadTime))
            + sweep(
                "reports", key: "id", "closed_at",
                before: now.addingTimeInterval(-FiledReport.kept))
            + sweep("quotas", key: "id", "ends_at", before: now)
            + sweep("refresh_tokens", key: "hash", "expires_at", before: now)
            + sweepSessions(before: now)
    }

    /// Sessions also need an event, for services that serve their devices.
    private func sweepSessions(before limit: Date) async throws -> Int {
        try await database.sweep(batch: Self.sweepBatch, most: Self.mostSweepBatches) {
            try $0.sessions.end(
                where: "id IN (SELECT id FROM sessions WHERE expires_at < ? LIMIT ?)",
                [limit, $1], at: limit)
        }
    }

    private func sweep(
        _ table: String, key: String, _ column: String, before limit: Date
    ) async throws -> Int {
        let sql = """
            DELETE FROM \(table) WHERE \(key) IN (
                SELECT \(key) FROM \(table) WHERE \(column) < ? LIMIT ?)
            """
        return try await database.sweep(batch: Self.sweepBatch, most: Self.mostSweepBatches) {
            try $0.execute(sql, limit, $1)
        }
    }
}
