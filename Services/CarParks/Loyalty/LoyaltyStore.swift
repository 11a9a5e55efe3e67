import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// People's points. Their worth is published with the bill on which they were earned or used, so that payments books it
/// as a liability.
///
/// A balance becomes negative if a payment is refunded after its points were used; points earned or returned later
/// offset it. People see at least zero, and nothing is booked as a liability then.
struct LoyaltyStore {
    static let migration = Migration(
        "loyalty-1",
        """
        CREATE TABLE points (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            kind TEXT NOT NULL,
            points BIGINT NOT NULL,
            currency TEXT NOT NULL,
            bill TEXT NOT NULL,
            amount BIGINT NOT NULL,
            changed_at BIGINT NOT NULL)
        """,
        "CREATE INDEX points_of_person ON points (person, changed_at)",
        "CREATE INDEX points_of_bill ON points (bill)",
        """
        CREATE TABLE point_balances (
            person TEXT NOT NULL,
            currency TEXT NOT NULL,
            points BIGINT NOT NULL,
            PRIMARY KEY (person, currency))
        """)

    let transaction: Transaction
}

extension LoyaltyEntry.Kind: SQLConvertible {}

extension Transaction {
    var loyalty: LoyaltyStore { LoyaltyStore(transaction: self) }
}

extension LoyaltyStore {
    func account(of person: PersonID) throws -> Loyalty {
        let balances = try transaction.rows(
            "SELECT currency, points FROM point_balances WHERE person = ? ORDER BY currency", person
        ).map { row in
            let currency: String = try row.get("currency")
            let points = max(0, try row.get("points", as: Int.self))
            return Loyalty.Balance(
                points: points,
                worth: Money(
                    amount: LoyaltyRules.worth(of: points, currency), currency: currency))
        }
        let entries = try transaction.rows(
            """
            SELECT kind, points, currency, bill, changed_at FROM points
            WHERE person = ? AND points <> 0 ORDER BY changed_at DESC, id LIMIT ?
            """, person, LoyaltyRules.shown
        ).map { row in
            LoyaltyEntry(
                try row.get("kind"), points: try row.get("points"),
                currency: try row.get("currency"), bill: try row.get("bill"),
                at: try row.get("changed_at"))
        }
        return Loyalty(
            points: balances.reduce(0) { $0 + $1.points }, balances: balances, entries: entries)
    }

    // MARK: Earning

    /// Adds the points of a paid bill, once, even if it is reported more than once. Fines earn none.
    func earn(with payment: Payment, at now: Date) throws {
        guard let known = try transaction.bills.find(payment.bill), known.bill.returns == nil,
            known.bill.isGuest != true, try !has(payment.id.description),
            try !transaction.isGone(known.bill.payer)
        else { return }
        let currency = payment.amount.currency
        try add(
            LoyaltyEntry(
                .earned, points: LoyaltyRules.points(of: payment.forBill.amount, currency),
                currency: currency, bill: payment.bill, at: now),
            payment.id.description, of: known.bill.payer, for: payment.forBill.amount)
    }

    /// Removes the points of a refunded amount. Points that are already used are offset against later ones.
    func takeBack(_ amount: Int, _ refund: RefundID, of bill: BillID, at now: Date) throws {
        let entries = try transaction.rows(
            """
            SELECT person, points, amount, currency FROM points
            WHERE bill = ? AND kind IN ('earned', 'takenBack')
            """, bill)
        guard let first = entries.first, try !has(refund.description) else { return }
        let (person, currency): (PersonID, String) = (
            try first.get("person"), try first.get("currency")
        )
        let points = try entries.reduce(0) { $0 + (try $1.get("points", as: Int.self)) }
        let kept = try entries.reduce(-amount) { $0 + (try $1.get("amount", as: Int.self)) }
        let tooMany = max(0, points - LoyaltyRules.points(of: kept, currency))
        try add(
            LoyaltyEntry(
                .takenBack, points: -tooMany, currency: currency, bill: bill, at: now),
            refund.description, of: person, for: -amount)
    }

    // MARK: Using

    /// Throws if the person has too few points.
    func redeem(_ points: Int, for booking: BookingRecord, at now: Date) throws {
        guard points > 0 else { return }
        guard try self.points(of: booking.person, booking.stay.currency) >= points else {
            throw Refusal.pointsInvalid
        }
        try add(
            LoyaltyEntry(
                .redeemed, points: -points, currency: booking.stay.currency,
                bill: booking.id.as(BillID.self), at: now),
            "redeemed:\(booking.id)", of: booking.person)
    }

    /// Returns points of a cancelled booking.
    func giveBack(_ points: Int, of booking: BookingRecord, at now: Date) throws {
        guard points > 0 else { return }
        try add(
            LoyaltyEntry(
                .returned, points: points, currency: booking.stay.currency,
                bill: booking.id.as(BillID.self), at: now),
            "returned:\(booking.id)", of: booking.person)
    }

    /// Clears the liability for the person's points.
    func forget(of person: PersonID, at now: Date) throws {
        for row in try transaction.rows(
            "SELECT currency, points FROM point_balances WHERE person = ?", person)
        {
            let (currency, points): (String, Int) = (try row.get("currency"), try row.get("points"))
            guard points > 0 else { continue }
            let last = try transaction.row(
                """
                SELECT bill FROM points WHERE person = ? AND currency = ?
                ORDER BY changed_at DESC, id LIMIT 1
                """, person, currency)
            guard let last else { continue }
            try owe(
                -LoyaltyRules.worth(of: points, currency), currency, with: try last.get("bill"),
                at: now)
        }
        for table in ["points", "point_balances"] {
            try transaction.execute("DELETE FROM \(table) WHERE person = ?", person)
        }
    }

    // MARK: Rows

    private func points(of person: PersonID, _ currency: String) throws -> Int {
        try transaction.row(
            "SELECT points FROM point_balances WHERE person = ? AND currency = ?", person, currency)?
            .get("points") ?? 0
    }

    private func has(_ id: String) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM points WHERE id = ?", id) != nil
    }

    private func add(
        _ entry: LoyaltyEntry, _ id: String, of person: PersonID, for amount: Int = 0
    ) throws {
        let before = try points(of: person, entry.currency)
        let after = before + entry.points
        try transaction.execute(
            """
            INSERT INTO points (id, person, kind, points, currency, bill, amount, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, id, person, entry.kind, entry.points, entry.currency, entry.bill, amount, entry.at)
        try transaction.execute(
            """
            INSERT INTO point_balances (person, currency, points) VALUES (?, ?, ?)
            ON CONFLICT (person, currency) DO UPDATE SET points = excluded.points
            """, person, entry.currency, after)
        try owe(
            LoyaltyRules.worth(of: after, entry.currency)
                - LoyaltyRules.worth(of: before, entry.currency), entry.currency, with: entry.bill,
            at: entry.at)
    }

    /// Publishes the change of the liability for points.
    private func owe(
        _ amount: Int, _ currency: String, with bill: BillID, at now: Date
    ) throws {
        guard amount != 0 else { return }
        let reward = Bill.Reward(
            id: .new(at: now), amount: Money(amount: amount, currency: currency))
        try transaction.amend(bill, at: now) { $0.rewards = ($0.rewards ?? []) + [reward] }
    }
}
