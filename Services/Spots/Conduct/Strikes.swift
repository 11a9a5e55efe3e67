import Contracts
import Foundation
import ServiceKit
import Store

/// What has gone wrong by somebody's doing, and what follows from it. It counts for thirty days.
enum Strike: String, Sendable, CaseIterable {
    /// Buyers found the spot taken.
    case spotGone
    /// Taken back from who was on the way.
    case sellerCancelled
    /// Did not come.
    case noShow
    /// Gave up who was waited for.
    case lateCancel

    /// What somebody may not do any more.
    enum Side: Sendable {
        case selling, buying
    }

    static let migration = Migration(
        "strikes-1",
        """
        CREATE TABLE strikes (
            person TEXT NOT NULL,
            kind TEXT NOT NULL,
            spot TEXT NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY (person, kind, spot))
        """,
        "CREATE INDEX strikes_by_time ON strikes (at)")

    /// In seconds.
    static let life: TimeInterval = 30 * 86_400

    var side: Side {
        switch self {
        case .spotGone, .sellerCancelled: .selling
        case .noShow, .lateCancel: .buying
        }
    }

    /// So many in thirty days, and it is over until the first of them is forgotten.
    var most: Int {
        switch self {
        case .spotGone, .noShow: 3
        case .sellerCancelled, .lateCancel: 5
        }
    }
}

extension Strike: SQLConvertible {}

extension Transaction {
    var strikes: StrikeStore { StrikeStore(transaction: self) }
}

/// Strikes, as long as they count.
struct StrikeStore {
    let transaction: Transaction

    func record(_ strike: Strike, of person: PersonID, in spot: SpotID, at now: Date) throws {
        try transaction.execute(
            """
            INSERT INTO strikes (person, kind, spot, at) VALUES (?, ?, ?, ?)
            ON CONFLICT (person, kind, spot) DO NOTHING
            """, person, strike, spot, now)
    }

    func forgive(_ strike: Strike, of person: PersonID, in spot: SpotID) throws {
        try transaction.execute(
            "DELETE FROM strikes WHERE person = ? AND kind = ? AND spot = ?", person, strike, spot)
    }

    /// Throws while somebody may not sell, or buy.
    func requireGoodRecord(of person: PersonID, _ side: Strike.Side, at now: Date) throws {
        for strike in Strike.allCases where strike.side == side {
            let times = try transaction.rows(
                """
                SELECT at FROM strikes WHERE person = ? AND kind = ? AND at > ?
                ORDER BY at DESC LIMIT ?
                """, person, strike, now.addingTimeInterval(-Strike.life), strike.most
            ).map { try $0.get("at", as: Date.self) }
            if times.count >= strike.most, let oldest = times.last {
                let suspended: Refusal =
                    side == .selling ? .sellingSuspended : .buyingSuspended
                throw suspended.because(
                    "Until \(Wire.text(oldest.addingTimeInterval(Strike.life))).")
            }
        }
    }

    func sweep(before time: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM strikes WHERE (person, kind, spot) IN (
                SELECT person, kind, spot FROM strikes WHERE at < ? LIMIT ?)
            """, time, limit)
    }

    func forget(of person: PersonID) throws {
        try transaction.execute("DELETE FROM strikes WHERE person = ?", person)
    }
}
