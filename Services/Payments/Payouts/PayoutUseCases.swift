import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// One payout: the person's view of it, and the data needed to finish it after a crash.
struct PayoutAttempt: Codable, Sendable, Hashable {
    private(set) var payout: Payout
    let person: PersonID
    /// The provider's name of the destination account; nil if the provider needs none.
    let account: String?
    private(set) var paidAt: Date?
    /// Made by the schedule; absent if the person asked for it.
    var isScheduled: Bool?
    /// The bank's reason for refusing it after it was paid; it is then taken back.
    private(set) var refusedByBank: String?
    var version = Version()

    init(_ payout: Payout, to person: PersonID, account: String?, isScheduled: Bool = false) {
        self.payout = payout
        self.person = person
        self.account = account
        self.isScheduled = isScheduled ? true : nil
    }

    /// Whether it has to be taken back.
    var isRefused: Bool { refusedByBank != nil && payout.status == .paid }

    /// The bank has refused it. False if that is known, or nothing was paid.
    mutating func refuse(because reason: String) -> Bool {
        guard refusedByBank == nil, payout.status == .paid else { return false }
        refusedByBank = reason
        return true
    }

    /// Takes the provider's outcome and returns its ledger entries, none if nothing changes. A completed payout may
    /// come back, in whole or in part.
    mutating func take(
        _ outcome: PayoutOutcome, at now: Date
    ) throws(LedgerError) -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        switch (payout.status, outcome) {
        case (.processing, .paid(let amount)), (.paid, .paid(let amount)):
            if payout.status == .processing {
                (payout.status, paidAt) = (.paid, now)
                entries.append(try .paidOut(self))
            }
            if amount > returned {
                entries.append(try .notPaidOut(self, until: amount, .providerClearing))
                payout.returned = Money(amount: amount, currency: payout.amount.currency)
            }
        case (.processing, .failed(let reason)), (.paid, .failed(let reason)):
            entries.append(
                try .notPaidOut(
                    self, until: payout.amount.amount,
                    payout.status == .paid ? .providerClearing : .payouts))
            let cause = refusedByBank ?? reason
            (payout.status, payout.reason, payout.returned) = (.failed, cause, nil)
            payout.problem = PayoutProblem(reason: cause)
        case (.processing, .pending), (.paid, .pending), (.failed, _): break
        }
        return entries
    }

    /// The amount that has come back, in minor units.
    fileprivate var returned: Int { payout.returned?.amount ?? 0 }

    /// The amount that has left the platform's balance and not come back; nil for none.
    var moved: Money? {
        payout.status == .paid && payout.amount.amount > returned
            ? Money(amount: payout.amount.amount - returned, currency: payout.amount.currency) : nil
    }

    /// When to ask again whether a completed payout has come back; nil once that is unlikely.
    func nextLook(after now: Date) -> Date? {
        guard payout.status == .paid, let paidAt else { return nil }
        let next = now.addingTimeInterval(Payouts.lookPause)
        return next <= paidAt.addingTimeInterval(Payouts.watch) ? next : nil
    }
}

extension PayoutAttempt: Document {
    var id: PayoutID { payout.id }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "person": person, "day": Day(payout.createdAt).text, "status": payout.status.rawValue,
        ]
    }
}

enum Payouts {
    /// The smallest payout in minor units, unless the rules have another for its currency: 10 in major units of most
    /// currencies.
    static let least = 1_000
    /// The longest name of a provider's account, in characters.
    static let longestAccount = 100
    /// How long a completed payout is watched, in case it comes back without an event, and how often it is checked.
    static let watch: TimeInterval = 30 * 86_400
    static let lookPause: TimeInterval = 86_400

    static let table = DocumentTable<PayoutAttempt>("payouts")

    static let migrations = [
        Migration(
            "payouts-1",
            """
            CREATE TABLE payouts (
                id TEXT NOT NULL PRIMARY KEY,
                person TEXT NOT NULL,
                day TEXT NOT NULL,
                status TEXT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX payouts_of_person ON payouts (person, id)",
            """
            CREATE UNIQUE INDEX payouts_one_a_day ON payouts (person, day)
                WHERE status <> 'failed'
            """,
            """
            CREATE TABLE payout_accounts (
                person TEXT NOT NULL PRIMARY KEY,
                account TEXT NOT NULL
            )
            """),
        Migration.addition(
            "payouts-2",
            """
            CREATE TABLE payout_account_states (
                person TEXT NOT NULL PRIMARY KEY,
                account TEXT NOT NULL,
                body TEXT NOT NULL,
                read_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX payout_accounts_by_name ON payout_accounts (account)",
            """
            CREATE TABLE payout_rules (
                version BIGINT NOT NULL PRIMARY KEY,
                body TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE payout_passes (
                due_at BIGINT NOT NULL PRIMARY KEY,
                after TEXT NOT NULL,
                is_done BIGINT NOT NULL
            )
            """),
    ]
}

extension LedgerEntry {
    /// Reserves the amount, so that payouts never exceed the balance.
    static func setAside(_ attempt: PayoutAttempt) throws(LedgerError) -> LedgerEntry {
        let payout = attempt.payout
        return try transfer(
            payout.amount, "payout:\(payout.id)", nil, .payouts, .payable(attempt.person))
    }

    static func paidOut(_ attempt: PayoutAttempt) throws(LedgerError) -> LedgerEntry {
        let payout = attempt.payout
        return try transfer(payout.amount, paid(payout.id), nil, .providerClearing, .payouts)
    }

    static func paid(_ payout: PayoutID) -> String { "paid:\(payout)" }

    /// The payout failed or came back, so that `amount` of it is payable again.
    static func notPaidOut(
        _ attempt: PayoutAttempt, until amount: Int, _ debited: LedgerAccount
    ) throws(LedgerError) -> LedgerEntry {
        let payout = attempt.payout
        return try transfer(
            Money(amount: amount - attempt.returned, currency: payout.amount.currency),
            "unpaid:\(payout.id):\(amount)", nil, .payable(attempt.person), debited)
    }
}

extension PaymentUseCases {
    /// Reserves the amount, and asks the provider to pay it out.
    func payOut(
        _ body: PayoutBody, to person: PersonID, key: IdempotencyKey?, isScheduled: Bool = false
    ) async throws -> Payout {
        let now = clock.now
        let claimed = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let amount = try transaction.payouts.amount(of: body, to: person)
            let account = try transaction.payouts.usableAccount(of: person)
            guard try !transaction.payouts.exists(of: person, on: Day(now)) else {
                throw Refusal.payoutTooSoon
            }
            var payout = Payout(
                id: .new(at: now), amount: amount, status: .processing, createdAt: now)
            payout.last4 = account.state?.last4
            let attempt = PayoutAttempt(
                payout, to: person, account: account.name, isScheduled: isScheduled)
            try Payouts.table.insert(attempt, in: transaction)
            try transaction.ledger.enter(.setAside(attempt), at: now)
            try transaction.schedule(
                PaymentWork.payout, attempt.payout.id, at: now.addingTimeInterval(Self.hold))
            return attempt.payout.id
        }
        do {
            return try await settlePayout(claimed)
        } catch Refusal.paymentProviderUnavailable {
            // Repeated until there is an answer.
            let attempt = try await database.read { try $0.payouts.find(claimed) }
            guard let attempt else { throw Refusal.paymentUnknown }
            return attempt.payout
        }
    }

    func payouts(of person: PersonID, _ page: PageRequest) async throws -> Page<Payout> {
        try await database.read { try $0.payouts.page(of: person, page) }
    }

    /// Calls the provider, which pays out only once per id, and settles.
    func settlePayout(_ id: PayoutID) async throws -> Payout {
        guard let attempt = try await database.read({ try $0.payouts.find(id) }) else {
            throw Refusal.paymentUnknown
        }
        guard attempt.payout.status != .failed else { return attempt.payout }
        let outcome: PayoutOutcome
        do {
            outcome =
                attempt.isRefused
                ? try await provider.takeBack(attempt) : try await provider.payOut(attempt)
        } catch let error as ProviderUnavailable {
            logger.warning(
                "payment provider gave no answer",
                metadata: ["payout": "\(id)", "error": "\(error.detail)"])
            throw Refusal.paymentProviderUnavailable
        }
        let now = clock.now
        return try await database.write { transaction in
            guard var attempt = try transaction.payouts.find(id) else {
                throw Refusal.paymentUnknown
            }
            let (wasPaid, isTakenBack) = (attempt.payout.status == .paid, attempt.isRefused)
            let entries = try attempt.take(outcome, at: now)
            for entry in entries { try transaction.ledger.enter(entry, at: now) }
            if !entries.isEmpty {
                attempt.version.advance()
                try Payouts.table.update(&attempt, in: transaction)
                try PayoutNotices.announce(attempt, at: now, in: transaction)
                if wasPaid || attempt.payout.status == .paid, !isTakenBack {
                    try ProviderAlerts.tellOfReturn(attempt.payout, at: now, in: transaction)
                }
            }
            try transaction.payouts.scheduleLook(at: attempt, now)
            return attempt.payout
        }
    }
}

extension Transaction {
    var payouts: PayoutStore { PayoutStore(transaction: self) }
}

/// Payouts, their accounts and rules.
struct PayoutStore {
    let transaction: Transaction

    func find(_ id: PayoutID) throws -> PayoutAttempt? {
        try Payouts.table.value(of: id, in: transaction)
    }

    func page(of person: PersonID, _ page: PageRequest) throws -> Page<Payout> {
        try transaction.page(page, of: "payouts", where: Conditions("person = ?", person)) {
            try $0.json(as: PayoutAttempt.self).payout
        }
    }

    /// Payouts of all people, newest first.
    func page(_ query: PayoutsQuery) throws -> Page<PayoutEntry> {
        var conditions = Conditions()
        conditions.require("status = ?", ifPresent: query.status?.rawValue)
        conditions.require("person = ?", ifPresent: query.person)
        conditions.require(person: query.q, "person")
        let found: Page<PayoutAttempt> = try transaction.page(
            query.page, of: "payouts", where: conditions)
        let names = try transaction.books.names(of: Set(found.items.map(\.person)))
        return Page(
            items: found.items.map {
                PayoutEntry(
                    person: $0.person, name: names[$0.person], payout: $0.payout,
                    account: $0.account)
            }, next: found.next)
    }

    /// The amount to pay out, checked against the balance and the rules.
    fileprivate func amount(of body: PayoutBody, to person: PersonID) throws -> Money {
        let balance = try transaction.payouts.balance(of: person, in: body.currency)
        let (available, least) = (balance.available, balance.minimum.amount)
        if let amount = body.amount, !(least...Money.largestAmount).contains(amount) {
            throw Refusal.invalid("amount", "Use \(least) to \(Money.largestAmount).")
        }
        let step = Money.chargeStep(in: available.currency)
        let amount = body.amount ?? available.amount / step * step
        guard amount.isMultiple(of: step) else {
            throw Refusal.invalid("amount", "Use a multiple of \(step).")
        }
        guard amount >= least, amount <= available.amount else {
            throw Refusal.payoutTooLarge.because(
                "Available: \(available.amount) \(available.currency), least: \(least).")
        }
        return Money(amount: amount, currency: available.currency)
    }

    fileprivate func exists(of person: PersonID, on day: Day) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM payouts WHERE person = ? AND day = ? AND status <> 'failed'",
            person, day.text) != nil
    }

    /// Schedules the next look at an unsettled payout, with the queue's back-off.
    fileprivate func scheduleLook(at attempt: PayoutAttempt, _ now: Date) throws {
        guard attempt.payout.status != .processing else { return }
        if let next = attempt.nextLook(after: now) {
            try transaction.schedule(PaymentWork.payout, attempt.payout.id, at: next)
        } else {
            try transaction.unschedule(PaymentWork.payout, attempt.payout.id)
        }
    }
}
