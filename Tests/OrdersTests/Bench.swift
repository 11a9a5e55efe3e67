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

@testable import Orders

/// Orders as it runs, but for a clock that stands still and events that the test hands in.
struct Bench: ServiceBench {
    static let chain = CustodyChain(key: "a key of tests")

    let clock: TestClock
    let parts: OrdersParts
    let reactions: Reactions

    var database: Database { parts.database }

    /// In memory, unless a folder or a database is given; knows the areas of the first start unless told otherwise.
    /// Whatever else it does not know, nobody knows, unless an owner is there to be asked: accounts for people and
    /// vehicles, `owner` for all else.
    init(
        folder: String? = nil, location: Database.Location? = nil, limits: OrderLimits = .usual,
        names: OrderNames = .random, areas: [ServiceAreaChanged]? = nil, owner: URL? = nil,
        accounts: URL? = nil, addresses: OrderAddresses = .none
    ) async throws {
        clock = TestClock()
        let environment = try ServiceEnvironment.test(
            "orders", clock: clock, folder: folder, location: location)
        // A busy machine is slow.
        func owners(_ url: URL?) -> Owners {
            Owners(url.map { [environment.peer($0, audience: "owner", within: patience)] } ?? [])
        }
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        parts = try OrdersParts(
            environment, limits, Self.chain,
            owners: OrderOwners(
                accounts: owners(accounts), areas: owners(owner), recognitions: owners(owner),
                payments: owners(owner),
                carParks: environment.peer(
                    owner ?? nowhere, audience: "carparks", within: patience)),
            names: names, addresses: addresses)
        reactions = orderReactions(parts.answers)
        for area in try areas ?? ServiceAreaChanged.firstStart() { try await hear(area) }
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        try await Application(router: parts.router()).test(.router) { client in
            try await body(Caller(client: client, bench: self))
        }
    }

    func stored(_ id: OrderID) async throws -> Order {
        try #require(try await database.read { try $0.orders.find(id) })
    }

    /// Matching names a valet for what the order waits for.
    func match(_ id: OrderID, _ valet: TestPerson, etaSeconds: Int = 240) async throws {
        let order = try await stored(id)
        let leg = try #require(order.soughtLeg)
        try await hear(
            ValetMatched(
                order: id, leg: .known(leg), attempt: order.search(leg).attempt, valet: valet.valet,
                etaSeconds: etaSeconds))
    }

    /// From now on valets of the area there are asked before they have a job.
    func offerJobs(in place: Place, seconds: Int = 20) async throws {
        try await change(place) {
            $0.dispatch = Dispatch(mode: .offer, offerSeconds: seconds)
        }
    }

    /// Areas tells of a change of the area there.
    func change(
        _ place: Place, _ edit: (inout ServiceAreaFeature.Properties) -> Void
    ) async throws {
        let area = try await database.read { transaction in
            try parts.orders.areas.area(at: place, field: "", in: transaction)
        }
        var feature = area.feature
        edit(&feature.properties)
        try await hear(
            ServiceAreaChanged(area: area.id, feature: feature, version: area.version + 1))
    }

    /// Location says what a valet is from now on.
    func become(
        _ status: ValetStatus, _ valet: TestPerson, in area: String? = "hk-island",
        secondsAgo: Double = 0, id: EventID = .new()
    ) async throws {
        try await hear(
            AvailabilityChanged(
                valet: valet.valet, status: status,
                serviceArea: area.flatMap { ServiceAreaID($0) },
                changedAt: clock.now.addingTimeInterval(-secondsAgo)), id: id)
    }

    func pay(_ order: OrderView, id: EventID = .new()) async throws {
        try await hear(payment(of: order), id: id)
    }

    func payment(of order: OrderView) -> PaymentSucceeded {
        let payment = Payment(
            id: .new(), bill: order.id.as(BillID.self), amount: order.charge ?? .zero("HKD"),
            status: .succeeded, createdAt: clock.now)
        return PaymentSucceeded(payment: payment, product: .valet, payer: order.customer.id)
    }

    func learn(_ person: TestPerson, suspended: Bool = false, version: Int = 1) async throws {
        try await hear(
            AccountChanged(
                account: person.account(createdAt: clock.now), suspended: suspended,
                version: version))
    }
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "orders"

    let client: any TestClientProtocol
    let bench: Bench

    var clock: TestClock { bench.clock }

    func place(
        as person: TestPerson = .alice, at place: Place = .central, extras: [Extra]? = nil
    ) async throws -> OrderView {
        try await call(
            .post, "/v1/orders", PlaceOrderBody(dropOff: place, extras: extras), as: person
        ).expect(201, OrderView.self)
    }

    func read(_ id: OrderID, as person: TestPerson) async throws -> OrderView {
        try await call(.get, "/v1/orders/\(id)", as: person).expect(200, OrderView.self)
    }

    @discardableResult
    func act(
        _ action: String, _ id: OrderID, _ body: (any Encodable)? = nil, as person: TestPerson
    ) async throws -> OrderView {
        try await call(.post, "/v1/orders/\(id)/\(action)", body, as: person)
            .expect(200, OrderView.self)
    }

    /// An order that came into this state on the straight way, a minute a step; Victor takes the
    /// vehicle and Vera brings it back.
    func order(
        in wanted: OrderStatus, of customer: TestPerson = .alice, extras: [Extra]? = nil
    ) async throws -> OrderView {
        var order = try await place(as: customer, extras: extras)
        let id = order.id
        func code() async throws -> CodeBody {
            CodeBody(code: try await bench.stored(id).handoverCode)
        }
        let steps: [() async throws -> Void] = [
            { try await bench.match(id, .victor) },
            { try await act("collect", id, code(), as: .victor) },
            { try await act("park", id, ParkBody(at: .garage, vehicle: .tesla), as: .victor) },
            {
                for extra in extras ?? [] {
                    try await act("take-task", id, TaskBody(kind: extra), as: .victor)
                    try await act("complete-task", id, TaskBody(kind: extra), as: .victor)
                }
                try await act("recall", id, RecallBody(returnTo: .mongKok), as: customer)
            },
            {
                try await bench.match(id, .vera)
                try await act("retrieve", id, as: .vera)
            },
            { try await act("hand-back", id, code(), as: .vera) },
            { try await bench.pay(read(id, as: customer)) },
        ]
        for step in steps where order.status != wanted {
            bench.clock.advance(by: 60)
            try await step()
            order = try await read(id, as: customer)
        }
        #expect(order.status == wanted)
        return order
    }
}
