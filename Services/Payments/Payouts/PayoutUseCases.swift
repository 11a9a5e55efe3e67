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
    var version = Version()

    init(_ payout: Payout, to person: PersonID, account: String?) {
        self.payout = payout
        self.person = person
        self.account = account
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
            (payout.status, payout.reason, payout.returned) = (.failed, reason, nil)
        case (.processing, .pending), (.paid, .pending), (.failed, _): break
        }
        return entries
    }

    /// The amount that has come back, in minor units.
    fileprivate var returned: Int { payout.returned?.amount ?? 0 }

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
    /// The smallest payout in minor units: 10 in major units of most currencies.
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
            """)
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
        return try transfer(payout.amount, "paid:\(payout.id)", nil, .providerClearing, .payouts)
    }

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
    /// A person's balance, in the given currency or the one with the highest amount.
    func balance(of person: PersonID, in currency: String?) async throws -> PayeeBalance {
        try await database.read { try $0.ledger.payeeBalance(of: person, in: currency) }
    }

    /// Sets the account for a person's payouts. A late repeat under the same key changes nothing.
    func keepAccount(
        _ account: String, of person: PersonID, key: IdempotencyKey?
    ) async throws {
        guard provider.isPayoutAccount(account) else { throw Refusal.payoutAccountInvalid }
        _ = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            try transaction.payouts.keepAccount(account, of: person)
            return account
        }
    }

    /// Reserves the amount, and asks the provider to pay it out.
    func payOut(
        _ body: PayoutBody, to person: PersonID, key: IdempotencyKey?
    ) async throws -> Payout {
        if let amount = body.amount, !(Payouts.least...Money.largestAmount).contains(amount) {
            throw Refusal.invalid("amount", "Use \(Payouts.least) to \(Money.largestAmount).")
        }
        let now = clock.now
        let needsAccount = provider.needsPayoutAccount
        let claimed = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let balance = try transaction.ledger.payeeBalance(of: person, in: body.currency)
            let account = try transaction.payouts.account(of: person)
            guard account != nil || !needsAccount else { throw Refusal.payoutAccountMissing }
            let available = balance.available
            let step = Money.chargeStep(in: available.currency)
            let amount = body.amount ?? available.amount / step * step
            guard amount.isMultiple(of: step) else {
                throw Refusal.invalid("amount", "Use a multiple of \(step).")
            }
            guard amount >= Payouts.least, amount <= available.amount else {
                throw Refusal.payoutTooLarge.because(
                    "Available: \(available.amount) \(available.currency), least: \(Payouts.least)."
                )
            }
            guard try !transaction.payouts.exists(of: person, on: Day(now)) else {
                throw Refusal.payoutTooSoon
            }
            let attempt = PayoutAttempt(
                Payout(
                    id: .new(at: now), amount: Money(amount: amount, currency: available.currency),
                    status: .processing, createdAt: now), to: person, account: account)
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
            outcome = try await provider.payOut(attempt)
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
            let entries = try attempt.take(outcome, at: now)
            for entry in entries { try transaction.ledger.enter(entry, at: now) }
            if !entries.isEmpty {
                attempt.version.advance()
                try Payouts.table.update(&attempt, in: transaction)
            }
            try transaction.payouts.scheduleLook(at: attempt, now)
            return attempt.payout
        }
    }
}

extension Transaction {
    var payouts: PayoutStore { PayoutStore(transaction: self) }
}

/// Payouts and their destination accounts.
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

    fileprivate func account(of person: PersonID) throws -> String? {
        try transaction.row("SELECT account FROM payout_accounts WHERE person = ?", person)?
            .get("account")
    }

    fileprivate func keepAccount(_ account: String, of person: PersonID) throws {
        try transaction.execute(
            """
            INSERT INTO payout_accounts (person, account) VALUES (?, ?)
            ON CONFLICT (person) DO UPDATE SET account = excluded.account
            """, person, account)
    }

    func deleteAccount(of person: PersonID) throws {
        try transaction.execute("DELETE FROM payout_accounts WHERE person = ?", person)
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

extension LedgerStore {
    fileprivate func payeeBalance(
        of person: PersonID, in currency: String?
    ) throws -> PayeeBalance {
        func owed(_ account: LedgerAccount) throws -> [String: Int] {
            Dictionary(
                try balance(of: account).map { ($0.currency, -$0.amount) }
            ) { first, _ in first }
        }
        let (available, pending) = (try owed(.payable(person)), try owed(.pending(person)))
        func all(_ currency: String) -> PayeeBalance.Currency {
            .init(
                available: Money(amount: available[currency] ?? 0, currency: currency),
                pending: Money(amount: pending[currency] ?? 0, currency: currency))
        }
        let currencies = Set(available.keys).union(pending.keys).sorted().map(all)
        let most = currencies.max { $0.available.amount < $1.available.amount }
        return PayeeBalance(
            currency.map(all) ?? most ?? all(Self.noCurrency), currencies: currencies)
    }

    /// ISO 4217's code for no currency.
    private static var noCurrency: String { String(repeating: "X", count: 3) }
}
