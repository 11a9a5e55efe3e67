import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Writes a hash of the custody record to the audit log once a day. Each hash covers the previous day's hash and all
/// lines of the day, so a record that somebody with the key rewrites no longer matches the audit log.
struct CustodySeals: Sendable {
    static let daySeconds = 86_400.0
    /// By then, transactions that began before the end of a day have committed.
    static let delay: TimeInterval = 300

    let database: Database
    let clock: ServiceClock
    let chain: CustodyChain

    private struct Seal: Sendable {
        var day: Int
        var hash: String
        var lines = 0

        /// For example `2026-11-21`.
        var text: String {
            String(
                Wire.text(Date(timeIntervalSince1970: Double(day) * CustodySeals.daySeconds))
                    .prefix(10))
        }
    }

    /// Seals every completed day that has no seal yet.
    func seal() async throws {
        let now = clock.now
        let lastDay = Self.day(of: now.addingTimeInterval(-Self.delay)) - 1
        while !Task.isCancelled, let seal = try await next(until: lastDay) {
            try await database.write { transaction in
                let inserted = try transaction.execute(
                    "INSERT INTO custody_seals (day, hash) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    seal.day, seal.hash)
                guard inserted == 1 else { return }
                try transaction.publish(
                    OperatorActed(
                        by: PersonID.house.as(OperatorID.self), action: "orders.seal-custody",
                        subject: seal.text, reason: "\(seal.lines) \(seal.hash)", actedAt: now),
                    at: now)
            }
        }
    }

    private static func day(of time: Date) -> Int {
        Int((time.timeIntervalSince1970 / daySeconds).rounded(.down))
    }

    private func next(until lastDay: Int) async throws -> Seal? {
        try await database.read { transaction in
            let last = try transaction.row(
                "SELECT day, hash FROM custody_seals ORDER BY day DESC LIMIT 1")
            let first: Date? = try transaction.row(
                "SELECT MIN(written_at) AS first FROM custody")?.getIfPresent("first")
            guard
                let day = try last.map({ try $0.get("day", as: Int.self) + 1 })
                    ?? first.map(Self.day(of:)),
                day <= lastDay
            else { return nil }
            var seal = Seal(day: day, hash: try last?.get("hash") ?? CustodyEntry.firstHash)
            seal.hash = chain.hash("\(seal.hash)\n\(seal.text)")
            try add(linesOf: day, to: &seal, transaction)
            return seal
        }
    }

    private func add(linesOf day: Int, to seal: inout Seal, _ transaction: Transaction) throws {
        let start = Date(timeIntervalSince1970: Double(day) * Self.daySeconds)
        let end = start.addingTimeInterval(Self.daySeconds)
        var last: (time: Date, order: String, sequence: Int) = (start, "", 0)
        while true {
            let rows = try transaction.rows(
                """
                SELECT written_at, order_id, sequence, hash FROM custody
                WHERE (written_at, order_id, sequence) > (?, ?, ?) AND written_at < ?
                ORDER BY written_at, order_id, sequence LIMIT ?
                """, last.time, last.order, last.sequence, end, CustodyStore.batch)
            for row in rows {
                last = (
                    try row.get("written_at"), try row.get("order_id"), try row.get("sequence")
                )
                let line = try row.get("hash", as: String.self)
                seal.hash = chain.hash("\(seal.hash)\n\(last.order)\n\(last.sequence)\n\(line)")
                seal.lines += 1
            }
            if rows.count < CustodyStore.batch { return }
        }
    }
}
