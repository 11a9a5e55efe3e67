import Answers
import Contracts
import EventBus
import Foundation
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import Payments

/// Payments as it runs, with a provider that fails when it is told to and a clock that stands
/// still.
struct Bench: ServiceBench {
    let clock: TestClock
    let environment: ServiceEnvironment
    let database: Database
    let provider: FaultyProvider
    let payments: PaymentUseCases

    /// In memory, unless a folder is given. Impatient unless told otherwise.
    init(
        folder: String? = nil, clock: TestClock = TestClock(),
        patience: PaymentUseCases.Patience = .init(bill: .zero, settled: .zero),
        stripe: PaymentsConfig.Stripe? = nil, biller: URL? = nil
    ) throws {
        self.clock = clock
        environment = try ServiceEnvironment.test("payments", clock: clock, folder: folder)
        let billers = biller.map { [ServiceAddress(service: "products", url: $0)] } ?? []
        var payments = try paymentUseCases(
            environment, PaymentsConfig(stripe: stripe, billers: billers))
        provider = FaultyProvider(stub: payments.provider)
        database = payments.database
        payments = PaymentUseCases(
            database: database, provider: provider, clock: environment.clock,
            logger: environment.logger,
            patience: patience, billers: payments.billers, webhooks: payments.webhooks)
        self.payments = payments
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        let application = Application(router: try paymentRouter(payments, environment))
        return try await application.test(.router) { client in
            try await body(Caller(client: client, clock: clock))
        }
    }

    var reactions: Reactions { paymentReactions(payments) }

    func hear(_ bill: Bill, id: EventID = .new()) async throws {
        try await hear(BillChanged(bill: bill), id: id)
    }

    /// A bill of 120 dollars, whose two valets may be tipped.
    func billed(
        _ amount: Int = 12_000, to payer: TestPerson = .alice, version: Int = 8,
        valets: (TestPerson?, TestPerson?) = (.victor, .vera)
    ) async throws -> Bill {
        clock.advance(by: 1)
        var bill = Bill.of(payer, amount, version: version)
        bill.tipped = [valets.0, valets.1].compactMap { $0?.id }
        try await hear(bill)
        return bill
    }

    func balances() async throws -> [LedgerAccount.Kind: Int] {
        let balances = try await database.read { try $0.ledger.balances() }
        let sums = try await database.read { try $0.ledger.sums() }
        #expect(sums.allSatisfy { $0.amount == 0 })
        return Dictionary(balances.map { ($0.kind, $0.amount.amount) }) { $0 + $1 }
    }

    /// Charges for which the provider has taken money.
    func captures(of bill: BillID) async throws -> Int {
        try await database.read { transaction in
            try transaction.row(
                """
                SELECT COUNT(*) AS n FROM stub_charges WHERE bill_id = ? AND state = 'succeeded'
                """, bill)?.get("n") ?? 0
        }
    }

    /// Entries whose lines do not sum to zero: there must never be one.
    func unbalancedEntries() async throws -> [String] {
        try await database.read { transaction in
            try transaction.rows(
                "SELECT entry_id FROM ledger GROUP BY entry_id, currency HAVING SUM(amount) <> 0"
            ).map { try $0.get("entry_id") }
        }
    }

    func succeeded() async throws -> [PaymentSucceeded] {
        try await published(PaymentSucceeded.self)
    }

    func declined() async throws -> [PaymentDeclined] { try await published(PaymentDeclined.self) }

    func refunded() async throws -> [PaymentRefunded] { try await published(PaymentRefunded.self) }

    func pay(
        _ order: BillID, _ token: String = "pm_card_visa", tip: Int? = nil,
        by customer: TestPerson = .alice, key: String? = nil
    ) async throws -> Payment {
        try await payments.pay(
            order, with: PaymentDraft(source: .token(try PaymentToken(token)), tip: tip),
            by: customer.id,
            key: key.map { idempotency($0, by: customer, hash: "\(order) \(token)") })
    }

    /// An operator replaces the bill; nil waives it.
    func override(_ bill: Bill, bill amount: Int?, version: Int = 9) async throws {
        try await hear(bill.replaced(by: amount, version: version))
    }

    func tips() async throws -> [TipGiven] { try await published(TipGiven.self) }

    func acted() async throws -> [OperatorActed] { try await published(OperatorActed.self) }

    func idempotency(_ key: String, by person: TestPerson, hash: String) -> IdempotencyKey {
        IdempotencyKey(
            caller: person.id.description, key: key, requestHash: hash, sealer: environment.sealer)
    }

    /// What is due is done, a second later than before.
    func recover() async {
        clock.advance(by: 1)
        await PaymentWork.queue(payments, pauses: .init(first: 1, most: 1)).round()
    }

    /// The newest attempt.
    func lastAttempt() async throws -> Attempt? {
        try await database.read {
            try $0.row("SELECT body FROM payments ORDER BY id DESC LIMIT 1")?.json()
        }
    }
}

extension Money {
    static func hkd(_ amount: Int) -> Money { Money(amount: amount, currency: "HKD") }
}

extension Product {
    static let made: Product = "made-up"
}

extension LocalizedText {
    static func of(_ english: String, _ chinese: String) -> LocalizedText {
        LocalizedText { $0 == .english ? english : chinese }
    }
}

extension Bill {
    /// Of one line, or none when nothing is due yet.
    static func of(
        _ payer: TestPerson = .alice, _ amount: Int?, version: Int, id: BillID = .new()
    ) -> Bill {
        var bill = Bill(
            id: id, product: .made, version: version, payer: payer.id, currency: "HKD",
            facts: Facts(title: .of("Something", "某物"), reference: "K7-42"))
        bill.lines = amount.map { [.of("base", "Service", "服務", $0)] } ?? []
        return bill
    }

    static func of(_ amount: Int?, version: Int) -> Bill { of(.alice, amount, version: version) }

    /// As an operator changes it; nil withdraws it.
    func replaced(by amount: Int?, version: Int) -> Bill {
        var copy = self
        copy.version = version
        copy.by = TestPerson.olivia.id
        if let amount {
            copy.lines = [.of("base", "Service", "服務", amount)]
        } else {
            copy.state = .known(.withdrawn)
        }
        return copy
    }
}

extension Bill.Line {
    static func of(
        _ kind: String, _ english: String, _ chinese: String, _ amount: Int,
        payee: TestPerson? = nil, commission: Int? = nil
    ) -> Bill.Line {
        Bill.Line(
            kind: kind, text: .of(english, chinese), amount: .hkd(amount), payee: payee?.id,
            commission: commission.map { .hkd($0) })
    }
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "payments"

    let client: any TestClientProtocol
    let clock: TestClock

    func pay(
        _ order: BillID, _ token: String = "pm_card_visa", tip: Int? = nil,
        as person: TestPerson? = .alice, key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/bills/\(order)/pay", PayBody(token: token, tip: tip), as: person,
            key: key)
    }

    func refund(
        _ payment: PaymentID, _ amount: Int? = nil, as person: TestPerson? = .olivia,
        key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/admin/payments/\(payment)/refunds",
            RefundBody(amount: amount, reason: "a scratch"), as: person, key: key)
    }

    func entries(
        _ query: String = "", as person: TestPerson = .alice
    ) async throws -> Page<PaymentEntry> {
        try await call(.get, "/v1/payments\(query)", as: person)
            .expect(200, Page<PaymentEntry>.self)
    }
}
