import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// A person of a journey with a client of their own.
struct Someone: Sendable {
    let system: any TestSystem
    let client: OpenValetClient
    let account: Account
    let password: String

    static let car = VehicleDescription(
        plate: "AB 1234", make: "Tesla", model: "Model 3", colour: "white")

    private static let counter = Mutex(Int.random(in: 0...8_000_000))

    /// A Hong Kong number that nobody has had before.
    static func phone() -> String {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        return "+8529\(String(format: "%07d", number % 10_000_000))"
    }

    static func customer(
        of system: any TestSystem, _ name: String = "Ada", _ language: Language = .english
    ) async throws -> Someone {
        let client = system.client()
        let password = "journey of \(name) \(UUID())"
        let body = SignUpBody(
            firstName: name, lastName: "Wong", phone: phone(), password: password,
            language: language)
        let signedUp = try await Desk.shared.serve {
            try await client.signUp(body, key: $0)
        }
        return Someone(
            system: system, client: client, account: signedUp.customer, password: password)
    }

    /// A valet who is not on shift yet.
    static func valet(of world: World, _ name: String = "Lee") async throws -> Someone {
        let (phone, password) = (phone(), "journey of \(name) \(UUID())")
        let body = NewValetBody(
            firstName: name, lastName: "Chan", phone: phone, password: password)
        let client = world.door.client()
        let signedIn = try await Desk.shared.serve {
            try await world.boss(AccountEndpoints.addValet(body: body, key: $0))
            return try await client.signIn(phone: phone, password: password)
        }
        return Someone(
            system: world.door, client: client, account: signedIn.account, password: password)
    }

    /// The same person, at the address of a system that was started anew.
    func moved(to system: RunningSystem) async throws -> Someone {
        let client = OpenValetClient(system.baseURL, tokens: await client.session.tokens)
        return Someone(system: system, client: client, account: account, password: password)
    }

    var valetID: ValetID { account.id.as(ValetID.self) }

    // MARK: Where

    /// Sends a position.
    func stand(at place: Place) async throws {
        try await client(
            LocationEndpoints.recordPosition(
                body: PositionBody(
                    latitude: place.latitude, longitude: place.longitude, accuracyMeters: 5,
                    recordedAt: system.now)))
    }

    /// On shift at the place; returns when others can see that.
    func begin(at place: Place) async throws {
        try await stand(at: place)
        try await client(
            LocationEndpoints.setAvailability(body: AvailabilityBody(status: .available))
        )
        let isSeen = try await eventually(within: .seconds(90)) {
            // Again and again: location may not have heard of a new area before.
            try await stand(at: place)
            return try await !client(
                LocationEndpoints.nearbyValets(
                    asks: NearbyValetsQuery(around: place.coordinate, radiusMeters: 200))
            ).items.isEmpty
        }
        #expect(isSeen, "the valet is not offered")
    }

    /// Off shift, once the job is over for location too.
    func goHome() async throws {
        let availability = try await insisting(past: ["location.on_job"]) {
            try await client(
                LocationEndpoints.setAvailability(body: AvailabilityBody(status: .offline))
            )
        }
        #expect(availability.status == .offline)
    }

    // MARK: What becomes of an order

    func order(
        _ id: OrderID, reaches status: OrderStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> OrderView {
        try await order(id, "\(status)", sourceLocation) { $0.status == status }
    }

    /// The order with a valet for that leg; not one of those who had it before.
    func order(
        _ id: OrderID, hasValetFor leg: OrderLeg, otherThan others: [Someone] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> OrderView {
        let earlier = Set(others.map(\.account.id))
        return try await order(id, "a valet", sourceLocation) { order in
            let valet = leg == .dropOff ? order.dropOffValet : order.returnValet
            return valet.map { !earlier.contains($0.id) } ?? false
        }
    }

    private func order(
        _ id: OrderID, _ wanted: String, _ sourceLocation: SourceLocation,
        _ isThere: (OrderView) -> Bool
    ) async throws -> OrderView {
        var last: OrderView?
        let isReached = try await eventually {
            do {
                let order = try await client(OrderEndpoints.order(id))
                last = order
                return isThere(order)
            } catch let error as ClientError where error.isPassing {
                return false
            }
        }
        #expect(
            isReached, "\(String(describing: last?.status)) instead of \(wanted)",
            sourceLocation: sourceLocation)
        return try #require(last)
    }

    /// Kinds of the events that the feed tells of, oldest first; waits until one is there.
    func feed(
        has event: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [FeedItem] {
        var items: [FeedItem] = []
        let isTold = try await eventually {
            items = try await client(NotificationEndpoints.notifications(limit: 200)).items
                .reversed()
            return items.contains { $0.event.hasPrefix(event) }
        }
        #expect(
            isTold, "\(event) is missing: \(items.map(\.event))", sourceLocation: sourceLocation)
        return items
    }
}

/// Where all tests sign up and in: a password costs a processor's time on purpose, so a crowd of
/// tests at once would only be sent away.
actor Desk {
    static let shared = Desk()

    private static let mostAtOnce = 2
    private var served = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func serve<Result: Sendable>(
        _ body: @Sendable (RequestKey) async throws -> Result
    ) async throws -> Result {
        if served < Self.mostAtOnce {
            served += 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            // The place goes to the next one, or is free again.
            if waiting.isEmpty { served -= 1 } else { waiting.removeFirst().resume() }
        }
        let key = RequestKey.new()
        return try await insisting { try await body(key) }
    }
}

/// A customer and a valet of one town, and the steps that they take together.
struct Pair: Sendable {
    let town: Town
    let customer: Someone
    let valet: Someone

    /// In a town of their own.
    static func meet(
        in world: World? = nil, _ tariff: Tariff = .usual, valetAt meters: Double = 200
    ) async throws -> Pair {
        let town =
            if let world { try await Town.found(in: world, tariff) } else {
                try await Town.found(tariff)
            }
        return Pair(
            town: town, customer: try await town.customer(),
            valet: try await town.valet("Lee", meters))
    }

    /// The valet is on the way.
    func order(_ extras: [Extra] = []) async throws -> OrderView {
        let order = try await customer.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center, extras: extras))
                .waiting(20))
        #expect(order.status == .droppingOff)
        #expect(order.dropOffValet?.id == valet.account.id)
        return order
    }

    /// The valet has the vehicle.
    func collect() async throws -> OrderView {
        let order = try await order()
        return try await valet.client(
            OrderEndpoints.collect(order.id, body: CodeBody(code: try #require(order.handoverCode)))
        )
    }

    func park() async throws -> OrderView {
        try await park(try await collect().id)
    }

    func park(_ id: OrderID) async throws -> OrderView {
        let parked = try await valet.client(
            OrderEndpoints.park(id, body: ParkBody(at: town.garage, vehicle: Someone.car)))
        #expect(parked.status == .parked)
        return parked
    }

    /// The valet goes to the parked vehicle.
    func recall() async throws -> OrderView {
        try await recall(try await park().id)
    }

    func recall(_ id: OrderID) async throws -> OrderView {
        try await valet.stand(at: town.east(200))
        try await customer.client(
            OrderEndpoints.recall(id, body: RecallBody(returnTo: town.east(500))))
        return try await customer.order(id, hasValetFor: .return)
    }

    /// The customer has the vehicle back, and the bill.
    func handBack() async throws -> OrderView {
        try await handBack(try await recall())
    }

    func handBack(_ recalled: OrderView) async throws -> OrderView {
        #expect(recalled.returnValet?.id == valet.account.id)
        try await valet.client(OrderEndpoints.retrieve(recalled.id))
        return try await valet.client(
            OrderEndpoints.handBack(
                recalled.id, body: CodeBody(code: try #require(recalled.handoverCode))))
    }

    /// Paid, and finished.
    func finish() async throws -> (OrderView, Payment) {
        let order = try await handBack()
        let payment = try await customer.client.payWhenDue(order.id, PayBody(token: "pm_card_visa"))
        return (try await customer.order(order.id, reaches: .finished), payment)
    }

    /// What was really paid.
    func payments() async throws -> [Payment] {
        try await customer.client(PaymentEndpoints.payments(asks: PaymentsQuery())).items
            .compactMap(\.payment)
            .filter { $0.status == .succeeded }
    }
}
