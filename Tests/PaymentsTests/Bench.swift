import Answers
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import Store
import Support
import Synchronization
import Testing

@testable import Payments

/// Payments as it runs, with a provider that fails when it is told to and a clock that stands
/// still.
struct Bench: Sendable {
    let clock: TestClock
    let house: House
    let database: Database
    let provider: FaultyProvider
    let payments: PaymentUseCases

    /// In memory, unless a folder is given. Impatient unless told otherwise.
    init(
        folder: String? = nil, clock: TestClock = TestClock(),
        patience: PaymentUseCases.Patience = .init(bill: .zero, settled: .zero),
        stripe: PaymentsConfig.Stripe? = nil
    ) throws {
        self.clock = clock
        house = try House.test("payments", clock: clock, folder: folder)
        var payments = try paymentUseCases(house, PaymentsConfig(stripe: stripe))
        provider = FaultyProvider(stub: payments.provider)
        database = payments.database
        payments = PaymentUseCases(
            database: database, provider: provider, clock: house.clock, logger: house.logger,
            patience: patience, webhooks: payments.webhooks)
        self.payments = payments
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        let application = Application(router: try paymentRouter(payments, house))
        return try await application.test(.router) { client in
            try await body(Caller(client: client, clock: clock))
        }
    }

    /// Hears an event as if it came from the bus.
    func hear(_ event: some Event, id: EventID = .new()) async throws {
        let delivery = Delivery.of(event, id: id, at: clock.now)
        try await paymentReactions(payments).receive(event, delivery)
    }

    /// An order whose vehicle is back, with a bill of 120 dollars.
    func billed(
        _ amount: Int = 12_000, to customer: TestPerson = .alice, version: Int = 8,
        valets: (TestPerson?, TestPerson?) = (.victor, .vera)
    ) async throws -> OrderSnapshot {
        clock.advance(by: 1)
        var order = OrderSnapshot.of(customer, .waitingForPayment, version: version)
        (order.dropOffValet, order.returnValet) = (valets.0?.valet, valets.1?.valet)
        try await hear(VehicleReturned.of(order, amount))
        return order
    }

    func balances() async throws -> [LedgerEntry.Account: Int] {
        let balances = try await database.read { try $0.balances() }
        return Dictionary(balances.map { ($0.account, $0.amount.amount) }) { $0 + $1 }
    }

    /// Charges for which the provider has taken money.
    func captures(of order: OrderID) async throws -> Int {
        try await database.read { transaction in
            try transaction.row(
                """
                SELECT COUNT(*) AS n FROM stub_charges WHERE order_id = ? AND state = 'succeeded'
                """, order)?.get("n") ?? 0
        }
    }

    func succeeded() async throws -> [PaymentSucceeded] {
        try await outboxEvents(of: PaymentSucceeded.self, in: database)
    }

    func declined() async throws -> [PaymentDeclined] {
        try await outboxEvents(of: PaymentDeclined.self, in: database)
    }

    func refunded() async throws -> [PaymentRefunded] {
        try await outboxEvents(of: PaymentRefunded.self, in: database)
    }

    func pay(
        _ order: OrderID, _ token: String = "pm_card_visa", tip: Int? = nil,
        by customer: TestPerson = .alice, key: String? = nil
    ) async throws -> Payment {
        try await payments.pay(
            order, with: PaymentWish(source: .token(try PaymentToken(token)), tip: tip),
            by: customer.customer,
            key: key.map { idempotency($0, by: customer, hash: "\(order) \(token)") })
    }

    /// An operator sets the order's state by hand; nil waives the bill.
    func override(_ order: OrderSnapshot, bill: Int?, version: Int = 9) async throws {
        let status: OrderStatus = bill == nil ? .finished : .waitingForPayment
        try await hear(OrderOverridden.of(order.with(status, version: version), bill: bill))
    }

    func tips() async throws -> [TipGiven] {
        try await outboxEvents(of: TipGiven.self, in: database)
    }

    func acted() async throws -> [OperatorActed] {
        try await outboxEvents(of: OperatorActed.self, in: database)
    }

    func idempotency(_ key: String, by person: TestPerson, hash: String) -> IdempotencyKey {
        IdempotencyKey(
            caller: person.id.description, key: key, requestHash: hash, sealer: house.sealer)
    }

    func recover() async { await PaymentRecovery(payments: payments).round() }
}

/// The stub behind a network and a process that fail when they are told to.
final class FaultyProvider: PaymentProvider {
    enum Fault: CaseIterable {
        case none
        /// The provider never gets the request.
        case requestLost
        /// The provider does it, and nobody hears of it.
        case answerLost
        /// The process dies before it asks.
        case crashBefore
        /// The process dies before it stores the answer.
        case crashAfter
    }

    struct Crash: Error {}

    private let stub: any PaymentProvider
    /// What was done of what nobody waits for.
    private let heard = Mutex<[Chore]>([])
    private let faults = Mutex<@Sendable () -> Fault>({ .none })

    init(stub: any PaymentProvider) { self.stub = stub }

    var chores: [Chore] { heard.withLock { $0 } }

    /// From now on every call asks what goes wrong.
    func fail(_ next: @escaping @Sendable () -> Fault) { faults.withLock { $0 = next } }

    /// The next calls fail so, the ones after them do not.
    func failNext(_ next: Fault...) {
        let rest = Counter()
        fail {
            let index = rest.next()
            return index < next.count ? next[index] : .none
        }
    }

    private func call<T>(_ body: () async throws -> T) async throws -> T {
        switch faults.withLock({ $0 })() {
        case .none: return try await body()
        case .requestLost: throw ProviderUnavailable(detail: "request lost")
        case .crashBefore: throw Crash()
        case .answerLost:
            _ = try await body()
            throw ProviderUnavailable(detail: "answer lost")
        case .crashAfter:
            _ = try await body()
            throw Crash()
        }
    }

    func instrument(for token: PaymentToken) async throws -> Instrument? {
        try await stub.instrument(for: token)
    }

    func keep(_ token: PaymentToken, for customer: CustomerID) async throws -> KeepOutcome {
        try await call { try await stub.keep(token, for: customer) }
    }

    func release(_ reference: String) async throws {
        try await call {
            try await stub.release(reference)
            heard.withLock { $0.append(.release(reference)) }
        }
    }

    func forget(_ customer: CustomerID) async throws {
        try await call {
            try await stub.forget(customer)
            heard.withLock { $0.append(.forget(customer)) }
        }
    }

    func movements(in span: Range<Date>, after: String?) async throws -> MovementPage {
        try await call { try await stub.movements(in: span, after: after) }
    }

    func movement(of cause: Movement.Cause) async throws -> Movement? {
        try await call { try await stub.movement(of: cause) }
    }

    func charge(_ charge: Charge) async throws -> ChargeOutcome {
        try await call { try await stub.charge(charge) }
    }

    func resume(_ payment: PaymentID) async throws -> ChargeOutcome {
        try await call { try await stub.resume(payment) }
    }

    func status(of payment: PaymentID) async throws -> ChargeOutcome? {
        try await call { try await stub.status(of: payment) }
    }

    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome {
        try await call { try await stub.cancel(payment, because: reason) }
    }

    func refund(_ refund: Refund) async throws -> RefundOutcome {
        try await call { try await stub.refund(refund) }
    }
}

final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}

extension OrderSnapshot {
    static func of(
        _ customer: TestPerson = .alice, _ status: OrderStatus, version: Int, id: OrderID = .new()
    ) -> OrderSnapshot {
        OrderSnapshot(
            id: id, ticket: "K7-42", status: status, version: version,
            serviceArea: ServiceAreaID("hk-island")!, customer: customer.customer,
            dropOff: Place(latitude: 22.2819, longitude: 114.1556), extras: [],
            createdAt: TestClock().now)
    }

    func with(_ status: OrderStatus, version: Int) -> OrderSnapshot {
        var copy = self
        (copy.status, copy.version) = (status, version)
        return copy
    }
}

extension Money {
    static func hkd(_ amount: Int) -> Money { Money(amount: amount, currency: "HKD") }
}

extension Quote {
    static func of(_ amount: Int) -> Quote {
        Quote(
            durationSeconds: 3_600, charge: .hkd(amount),
            lines: [.init(kind: .base, amount: .hkd(amount))])
    }
}

extension VehicleReturned {
    static func of(_ order: OrderSnapshot, _ amount: Int) -> VehicleReturned {
        VehicleReturned(order: order, valet: TestPerson.victor.valet, bill: .of(amount))
    }
}

extension OrderOverridden {
    static func of(_ order: OrderSnapshot, bill: Int? = nil) -> OrderOverridden {
        OrderOverridden(
            order: order, from: .parked, by: TestPerson.olivia.operatorID, reason: "by hand",
            released: nil, match: nil, bill: bill.map { .of($0) })
    }
}

/// A client that speaks to the router.
struct Caller: Sendable {
    let client: any TestClientProtocol
    let clock: TestClock

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil,
        as person: TestPerson?, key: String? = nil
    ) async throws -> Answer {
        let bytes = try body.map { ByteBuffer(bytes: try Wire.encode($0)) }
        return try await send(path, method, bytes, as: person, key: key)
    }

    func post(_ path: String, raw: String, as person: TestPerson) async throws -> Answer {
        try await send(path, .post, ByteBuffer(string: raw), as: person, key: nil)
    }

    func send(
        _ path: String, _ method: HTTPRequest.Method, _ body: ByteBuffer?,
        as person: TestPerson?, key: String?, headers given: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = given
        if let person { headers[.authorization] = try await person.bearer(at: clock.now) }
        if let key { headers[.idempotencyKey] = key }
        if body != nil { headers[.contentType] = "application/json" }
        let response = try await client.execute(
            uri: path, method: method, headers: headers, body: body)
        return Answer(response)
    }

    func pay(
        _ order: OrderID, _ token: String = "pm_card_visa", tip: Int? = nil,
        as person: TestPerson? = .alice, key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/orders/\(order)/pay", PayBody(token: token, tip: tip), as: person,
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
