import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// People's daily spending on parking, and the limit above which they want an alert.
///
/// A day is one in the time zone of the car park. A refund reduces the day of its payment. There is one alert a day,
/// for the payment that exceeds the limit.
struct SpendingAlerts: Sendable {
    static let migration = Migration(
        "spending-1",
        """
        CREATE TABLE spending_alerts (
            person TEXT NOT NULL PRIMARY KEY,
            per_day BIGINT NOT NULL,
            currency TEXT NOT NULL,
            told_day TEXT)
        """,
        """
        CREATE TABLE spending (
            id TEXT NOT NULL PRIMARY KEY,
            bill TEXT NOT NULL,
            person TEXT NOT NULL,
            day TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount BIGINT NOT NULL,
            spent_at BIGINT NOT NULL)
        """,
        "CREATE INDEX spending_of_person ON spending (person, day)",
        "CREATE INDEX spending_of_bill ON spending (bill)",
        "CREATE INDEX spending_by_time ON spending (spent_at)")
    /// How long amounts are kept, in seconds.
    static let kept: TimeInterval = 3 * 86_400

    let database: Database
    let clock: ServiceClock

    func alert(of person: PersonID) async throws -> SpendingAlert {
        try await database.read { try $0.spending.alert(of: person) }
    }

    /// Stores the limit. A new limit may cause another alert on the same day.
    func put(_ alert: SpendingAlert, by person: PersonID) async throws -> SpendingAlert {
        if let perDay = alert.perDay {
            _ = try Check.int(perDay.amount, "perDay.amount", in: 1...Money.largestAmount)
            guard perDay.currency.wholeMatch(of: /[A-Z]{3}/) != nil else {
                throw Refusal.invalid("perDay.currency", "Use three capital letters of ISO 4217.")
            }
        }
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            guard try transaction.spending.alert(of: person) != alert else { return alert }
            try transaction.execute("DELETE FROM spending_alerts WHERE person = ?", person)
            if let perDay = alert.perDay {
                try transaction.execute(
                    """
                    INSERT INTO spending_alerts (person, per_day, currency, told_day)
                    VALUES (?, ?, ?, NULL)
                    """, person, perDay.amount, perDay.currency)
            }
            return alert
        }
    }

    func sweep() async throws {
        let limit = clock.now.addingTimeInterval(-Self.kept)
        try await database.sweep { transaction, most in
            try transaction.execute(
                """
                DELETE FROM spending WHERE id IN (
                    SELECT id FROM spending WHERE spent_at < ? LIMIT ?)
                """, limit, most)
        }
    }
}

extension Transaction {
    var spending: SpendingStore { SpendingStore(transaction: self) }
}

/// People's daily spending and their limits, in SQL.
struct SpendingStore {
    let transaction: Transaction

    func alert(of person: PersonID) throws -> SpendingAlert {
        SpendingAlert(
            perDay: try transaction.row(
                "SELECT per_day, currency FROM spending_alerts WHERE person = ?", person
            ).map { Money(amount: try $0.get("per_day"), currency: try $0.get("currency")) })
    }

    /// Counts a paid bill once, even if it is reported more than once.
    func add(_ payment: Payment, of bill: KnownBill, at now: Date) throws {
        let day = try days(of: bill).name(of: now)
        try transaction.execute(
            """
            INSERT INTO spending (id, bill, person, day, currency, amount, spent_at)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """, payment.id, payment.bill, bill.bill.payer, day, payment.amount.currency,
            payment.forBill.amount, now)
    }

    /// Takes a refund off the day's spending.
    func takeBack(_ amount: Int, _ refund: RefundID, of bill: BillID, at now: Date) throws {
        guard
            let spent = try transaction.row(
                "SELECT person, day, currency FROM spending WHERE bill = ? AND amount > 0", bill)
        else { return }
        try transaction.execute(
            """
            INSERT INTO spending (id, bill, person, day, currency, amount, spent_at)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """, refund, bill, try spent.get("person", as: PersonID.self),
            try spent.get("day", as: String.self), try spent.get("currency", as: String.self),
            -amount, now)
    }

    /// Alerts the payer if the payment takes the day above their limit.
    func alertIfOver(with payment: Payment, of bill: KnownBill, at now: Date) throws {
        let person = bill.bill.payer
        guard let limit = try alert(of: person).perDay,
            let day = try transaction.row("SELECT day FROM spending WHERE id = ?", payment.id)?
                .get("day", as: String.self),
            try transaction.row(
                "SELECT 1 AS one FROM spending_alerts WHERE person = ? AND told_day = ?", person,
                day) == nil
        else { return }
        let amounts = try transaction.rows(
            "SELECT amount FROM spending WHERE person = ? AND day = ? AND currency = ?", person,
            day, limit.currency
        ).map { try $0.get("amount", as: Int.self) }
        let spent = Money(amount: amounts.reduce(0, +), currency: limit.currency)
        guard spent.amount > limit.amount else { return }
        try transaction.execute(
            "UPDATE spending_alerts SET told_day = ? WHERE person = ?", day, person)
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: person.description, cause: PaymentSucceeded.self,
                    [
                        CarParkNotices.words.message(
                            to: .person(person), "spending-alert",
                            ["amount": .money(spent), "limit": .money(limit)], push: .soon)
                    ])), at: now)
    }

    func forget(of person: PersonID) throws {
        for table in ["spending", "spending_alerts"] {
            try transaction.execute("DELETE FROM \(table) WHERE person = ?", person)
        }
    }

    /// Days in the time zone of the bill's car park.
    private func days(of bill: KnownBill) throws -> LocalDays {
        let zone: String? =
            if let id = bill.booking {
                try transaction.bookings.find(id)?.stay.carPark.timeZone
            } else if let id = bill.session {
                try transaction.sessions.find(id).flatMap {
                    try transaction.carParks.find($0.session.carPark)
                }?.body.timeZone
            } else if let id = bill.fine {
                try transaction.fines.find(id)?.carPark.timeZone
            } else {
                nil
            }
        return LocalDays(zone.flatMap(TimeZone.init(identifier:)) ?? .gmt)
    }
}

extension LocalDays {
    /// The local date, for example `2026-12-24`.
    fileprivate func name(of time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day())
    }
}
