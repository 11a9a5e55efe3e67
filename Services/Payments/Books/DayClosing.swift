import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Days of the books, in the company's time zone, and their closing.

extension PaymentUseCases {
    func bookMonth(_ month: String?) async throws -> BookMonth {
        let now = clock.now
        return try await database.read { transaction in
            let zone = try transaction.company.timeZone()
            let month = try month.map { try Month($0, in: zone) } ?? Month(of: Day(now, in: zone))
            let days = month.days.filter { $0.span.lowerBound <= now }
            guard !days.isEmpty else { throw Refusal.monthInvalid }
            let closed = try transaction.closings.times(of: month)
            let differences = try transaction.reconciliations.newest(of: days.map(\.text))
            return BookMonth(
                month: month.text, timeZone: zone.identifier,
                days: days.reversed().map { day in
                    BookDayState(
                        day: day.text, closedAt: closed[day.text],
                        differences: differences[day.text]?.differences)
                })
        }
    }

    /// The day's sums as of now; of a closed day, as they were closed.
    func bookDay(_ text: String, in language: Language) async throws -> BookDay {
        let now = clock.now
        return try await database.read { transaction in
            try transaction.books.day(text, in: language, at: now)
        }
    }

    /// Closes a day. It can't be opened again.
    func closeDay(
        _ text: String, _ body: CloseDayBody, by person: PersonID, in language: Language,
        key: IdempotencyKey?
    ) async throws -> BookDay {
        let note = try body.note.flatMap {
            try Check.lines($0, "note", most: Self.longestNote)
        }
        let now = clock.now
        return try await database.write(once: key) { transaction in
            try transaction.lock(ClosingStore.lock)
            var day = try transaction.books.day(text, in: language, at: now)
            guard day.closedAt == nil else { throw Refusal.dayClosed }
            guard day.books.until <= now || body.early == true else { throw Refusal.dayNotOver }
            try transaction.closings.requireInTurn(day)
            day.books.until = min(day.books.until, now)
            (day.closedAt, day.closedBy, day.note) = (now, person, note)
            try transaction.closings.insert(day)
            try transaction.publish(
                OperatorActed(
                    by: person.as(OperatorID.self), action: "payments.close-day",
                    subject: day.day, reason: body.early == true ? "early" : nil, actedAt: now),
                at: now)
            return day
        }
    }

    func statement(_ text: String, in language: Language) async throws -> Statement {
        let now = clock.now
        return try await database.read { transaction in
            let zone = try transaction.company.timeZone()
            guard let month = try? Month(text, in: zone), let first = month.days.first,
                let last = month.days.last, first.span.lowerBound <= now
            else { throw Refusal.bookMonthUnknown }
            let start = try transaction.closings.span(of: first).lowerBound
            let end = try transaction.closings.span(of: last).upperBound
            return Statement(
                month: month.text,
                isFinal: try transaction.closings.find(last.text) != nil,
                books: try transaction.books.period(
                    in: start..<max(start, end), of: zone, in: language))
        }
    }
}

extension Transaction {
    var closings: ClosingStore { ClosingStore(transaction: self) }
}

extension BookStore {
    fileprivate func day(
        _ text: String, in language: Language, at now: Date
    ) throws -> BookDay {
        if let closed = try transaction.closings.find(text) {
            return try closed.day.shown(in: language, transaction)
        }
        let zone = try transaction.company.timeZone()
        guard let day = try? Day(text, in: zone), day.span.lowerBound <= now else {
            throw Refusal.bookDayUnknown
        }
        return BookDay(
            day: text,
            books: try period(in: transaction.closings.span(of: day), of: zone, in: language),
            reconciliation: try transaction.reconciliations.newest(of: [text])[text])
    }
}

extension BookDay {
    /// A closed day keeps its numbers. Names are in the reader's language, and a comparison may have been made since.
    fileprivate func shown(in language: Language, _ transaction: Transaction) throws -> BookDay {
        var day = self
        let accounts = books.currencies.flatMap { $0.means.map(\.account) }
        let names = try AccountNames(accounts, in: language, transaction)
        for currency in day.books.currencies.indices {
            for index in day.books.currencies[currency].means.indices {
                let account = day.books.currencies[currency].means[index].account
                day.books.currencies[currency].means[index].name = names.name(account)
            }
        }
        day.reconciliation = try transaction.reconciliations.newest(of: [self.day])[self.day]
        return day
    }
}

/// A day that was closed, and the moment at which its books end.
struct ClosedDay: Sendable {
    let day: BookDay
    let until: Date
}

/// Closed days, which are never changed.
struct ClosingStore {
    let transaction: Transaction

    static let lock = "closings"

    static let migrations = [
        Migration.addition(
            "closings-1",
            """
            CREATE TABLE closed_days (
                day TEXT NOT NULL PRIMARY KEY,
                until_at BIGINT NOT NULL,
                closed_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX closed_days_by_end ON closed_days (until_at)")
    ]

    func find(_ day: String) throws -> ClosedDay? {
        try transaction.row("SELECT until_at, body FROM closed_days WHERE day = ?", day)
            .map(closedDay)
    }

    /// The last closed day whose books end by a time.
    func last(until time: Date) throws -> ClosedDay? {
        try transaction.row(
            """
            SELECT until_at, body FROM closed_days WHERE until_at <= ?
            ORDER BY until_at DESC LIMIT 1
            """, time
        ).map(closedDay)
    }

    /// The end of the books that are closed; entries are made from then on. Nil if no day is closed.
    func end() throws -> Date? {
        try transaction.row("SELECT MAX(until_at) AS until_at FROM closed_days")?
            .getIfPresent("until_at")
    }

    /// From the end of the day before, which may have been closed early, to its own end.
    func span(of day: Day) throws -> Range<Date> {
        let start = try end(of: day.before) ?? day.span.lowerBound
        let end = try end(of: day) ?? day.span.upperBound
        return start..<max(start, end)
    }

    /// The end of a closed day's books; nil if it is open.
    private func end(of day: Day) throws -> Date? {
        try transaction.row("SELECT until_at FROM closed_days WHERE day = ?", day.text)?
            .get("until_at")
    }

    /// When days of a month were closed, by day.
    func times(of month: Month) throws -> [String: Date] {
        let rows = try transaction.rows(
            "SELECT day, closed_at FROM closed_days WHERE day >= ? AND day < ?",
            "\(month.text)-", "\(month.text).")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("day"), try $0.get("closed_at")) })
    }

    /// Closed days after one, oldest first, that end in a span.
    func list(_ span: BookSpan, after day: String, limit: Int) throws -> [BookDay] {
        var conditions = Conditions("day > ?", day)
        conditions.require("until_at > ?", ifPresent: span.from)
        conditions.require("until_at <= ?", ifPresent: span.until)
        return try transaction.rows(
            "SELECT until_at, body FROM closed_days \(conditions.where) ORDER BY day LIMIT ?",
            arguments: conditions.arguments + [limit]
        ).map { try closedDay($0).day }
    }

    /// Throws if a later day is closed, or one before it is open and has entries. The first day that is closed may be
    /// any.
    fileprivate func requireInTurn(_ day: BookDay) throws {
        guard let end = try end() else { return }
        let later = try transaction.row("SELECT 1 AS one FROM closed_days WHERE day > ?", day.day)
        let open = try transaction.row(
            """
            SELECT 1 AS one FROM ledger WHERE line = 0 AND created_at >= ? AND created_at < ?
            """, end, day.books.from)
        guard later == nil, open == nil else { throw Refusal.earlierDayOpen }
    }

    fileprivate func insert(_ day: BookDay) throws {
        try transaction.execute(
            "INSERT INTO closed_days (day, until_at, closed_at, body) VALUES (?, ?, ?, ?)",
            day.day, day.books.until, day.closedAt, Wire.json(day))
    }

    private func closedDay(_ row: Row) throws -> ClosedDay {
        ClosedDay(day: try row.json(), until: try row.get("until_at"))
    }
}

extension LedgerStore {
    /// The time of a new entry: none is made in a day that is closed.
    func entryTime(_ time: Date) throws -> Date {
        try transaction.closings.end().map { max($0, time) } ?? time
    }
}

extension ReconciliationStore {
    /// The newest comparison of each day that has one.
    func newest(of days: [String]) throws -> [String: BookDay.Comparison] {
        guard !days.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT body FROM reconciliations WHERE day IN (\(transaction.marks(days.count)))
            ORDER BY id
            """, arguments: days)
        let found = try rows.map { try $0.json(as: Reconciliation.self) }
        return Dictionary(
            found.map { run in
                (
                    run.day,
                    BookDay.Comparison(
                        compared: run.compared, differences: run.differences.count,
                        madeAt: run.madeAt)
                )
            }, uniquingKeysWith: { _, newer in newer })
    }
}
