import Contracts
import Foundation
import ServiceKit
import Store

/// A person's misconduct, which counts for thirty days.
enum Strike: String, Sendable, CaseIterable {
    /// A buyer found the spot taken.
    case spotGone
    /// The seller withdrew the spot while the buyer was on the way.
    case sellerCancelled
    /// The buyer did not come.
    case noShow
    /// The buyer cancelled while the seller was waiting.
    case lateCancel

    /// The right that a strike affects: to sell or to buy.
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

    /// How long a strike counts, in seconds.
    static let life: TimeInterval = 30 * 86_400

    var side: Side {
        switch self {
        case .spotGone, .sellerCancelled: .selling
        case .noShow, .lateCancel: .buying
        }
    }

    /// The number of strikes in thirty days that blocks a person until the first one expires.
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

/// Strikes that still count.
struct StrikeStore {
    let transaction: Transaction

    func record(_ strike: Strike, of person: PersonID, in spot: SpotID, at now: Date) throws {
        try transaction.execute(
            """
            INSERT INTO strikes (person, kind, spot, at) VALUES (?, ?, ?, ?)
            ON CONFLICT (person, kind, spot) DO NOTHING
            """, person, strike, spot, now)
    }

    func have(_ strike: Strike, of person: PersonID, in spot: SpotID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM strikes WHERE person = ? AND kind = ? AND spot = ?",
            person, strike, spot) != nil
    }

    func forgive(_ strike: Strike, of person: PersonID, in spot: SpotID) throws {
        try transaction.execute(
            "DELETE FROM strikes WHERE person = ? AND kind = ? AND spot = ?", person, strike, spot)
    }

    /// Throws if the person may not sell, or buy, for now.
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
                    "Possible from \(Wire.text(oldest.addingTimeInterval(Strike.life))).")
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
