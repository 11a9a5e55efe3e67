import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Payouts that the schedule makes.

extension PayoutRules.Schedule {
    /// Seconds after midnight, UTC.
    static let hour: TimeInterval = 4 * 3_600
    /// Days until the same day of the next month, at most.
    private static let mostDays = 31

    /// The first payout after a time; nil if there is none by itself.
    func next(after time: Date) -> Date? {
        days(from: Day(time)) { $0.after }.first { falls(on: $0) && $0.payout > time }?.payout
    }

    /// The last payout up to a time.
    func last(at time: Date) -> Date? {
        days(from: Day(time)) { $0.before }.first { falls(on: $0) && $0.payout <= time }?.payout
    }

    private func days(from day: Day, _ next: @escaping (Day) -> Day) -> some Sequence<Day> {
        sequence(first: day, next: next).prefix(Self.mostDays + 1)
    }

    private func falls(on day: Day) -> Bool {
        switch interval {
        case .none: false
        case .daily: true
        case .weekly: day.weekday == weekday
        case .monthly: day.ofMonth == self.day
        }
    }
}

extension Day {
    fileprivate var payout: Date {
        span.lowerBound.addingTimeInterval(PayoutRules.Schedule.hour)
    }

    /// 1 is Monday, 7 Sunday. The first day of 1970 was a Thursday.
    fileprivate var weekday: Int {
        let number = Int((span.lowerBound.timeIntervalSince1970 / Self.length).rounded(.down))
        return ((number + 3) % 7 + 7) % 7 + 1
    }

    fileprivate var ofMonth: Int? { Int(text.suffix(2)) }
}

/// The payout of one work item of the schedule: of a person's balance in one currency.
struct ScheduledPayout: Sendable, LosslessStringConvertible {
    let person: PersonID
    let currency: String

    init(_ person: PersonID, _ currency: String) {
        (self.person, self.currency) = (person, currency)
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let person = PersonID(String(parts[0])) else { return nil }
        self.init(person, String(parts[1]))
    }

    var description: String { "\(person):\(currency)" }
}

extension PaymentUseCases {
    /// Schedules the payouts of the last day of the schedule, if that is not done yet.
    ///
    /// One transaction plans the payouts of some people and notes how far it has come, so that each is planned once.
    func planPayouts() async throws {
        let now = clock.now
        let due = try await database.read { transaction -> Date? in
            let current = try transaction.payoutRules.current()
            let due = current.rules.schedule.last(at: now)
            return due.flatMap { $0 >= current.changedAt ?? .distantPast ? $0 : nil }
        }
        guard let due else { return }
        while try await database.write({ try $0.payouts.plan(due, at: now) }) {}
    }

    /// Pays out what the schedule has planned. If the person has had a payout today, it waits for tomorrow.
    func payBySchedule(_ planned: ScheduledPayout) async throws -> WorkQueue.Outcome {
        let rules = try await payoutRules().rules
        guard rules.schedule.interval != .none else { return .done }
        _ = try await payoutAccount(of: planned.person)
        do {
            _ = try await payOut(
                PayoutBody(currency: planned.currency), to: planned.person, key: nil,
                isScheduled: true)
        } catch Refusal.payoutTooSoon {
            let today = Day(clock.now)
            // The process may have died after it was made.
            guard try await !database.read({ try $0.payouts.isMade(planned, on: today) }) else {
                return .done
            }
            let tomorrow = today.span.upperBound.addingTimeInterval(
                PayoutRules.Schedule.hour)
            try await database.write {
                try $0.schedule(PaymentWork.scheduledPayout, planned, at: tomorrow)
            }
        } catch is Refusal {
            // Nothing is left to pay out, or nowhere to.
        }
        return .done
    }
}

extension PayoutStore {
    /// People of one transaction.
    private static let batch = 100

    /// Plans the payouts of the next people; false once all are planned.
    fileprivate func plan(_ due: Date, at now: Date) throws -> Bool {
        let pass = try transaction.row(
            "SELECT after, is_done FROM payout_passes WHERE due_at = ?", due)
        if try pass?.get("is_done", as: Bool.self) == true { return false }
        let people: [PersonID] = try transaction.rows(
            "SELECT person FROM payout_accounts WHERE person > ? ORDER BY person LIMIT ?",
            pass?.get("after", as: String.self) ?? "", Self.batch
        ).map { try $0.get("person") }
        for person in people {
            for (index, currency) in try payable(to: person).enumerated() {
                try transaction.schedule(
                    PaymentWork.scheduledPayout, ScheduledPayout(person, currency),
                    at: now.addingTimeInterval(Double(index) * Day.length))
            }
        }
        let isDone = people.count < Self.batch
        try transaction.execute(
            """
            INSERT INTO payout_passes (due_at, after, is_done) VALUES (?, ?, ?)
            ON CONFLICT (due_at) DO UPDATE SET after = excluded.after, is_done = excluded.is_done
            """, due, people.last?.description ?? "", isDone)
        return !isDone
    }

    /// Whether the schedule has made this payout on a day.
    fileprivate func isMade(_ planned: ScheduledPayout, on day: Day) throws -> Bool {
        try transaction.rows(
            "SELECT body FROM payouts WHERE person = ? AND day = ? AND status <> 'failed'",
            planned.person, day.text
        ).map { try $0.json(as: PayoutAttempt.self) }.contains {
            $0.isScheduled == true && $0.payout.amount.currency == planned.currency
        }
    }

    /// The currencies in which the minimum is reached, the fullest first: there is one payout a day.
    private func payable(to person: PersonID) throws -> [String] {
        func fullness(_ one: PayeeBalance.Currency) -> Double {
            Double(one.available.amount) / Double(one.minimum.amount)
        }
        return try balance(of: person, in: nil).currencies.filter { fullness($0) >= 1 }
            .sorted { fullness($0) > fullness($1) }.map(\.available.currency)
    }
}
