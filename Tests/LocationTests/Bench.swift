import Answers
import Contracts
import EventBus
import Foundation
import Geo
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Redis
import Routing
import ServiceKit
import Support
import Testing

@testable import Location

/// Location with a database of Redis, two areas side by side, and a clock that the test moves.
struct Bench: Sendable {
    /// 114.10…114.20 east and 22.20…22.30 north; `kowloon` is its neighbour to the east.
    static let island = ServiceAreaID("hk-island")!
    static let kowloon = ServiceAreaID("kowloon")!
    static let inIsland = Coordinate(latitude: 22.25, longitude: 114.15)
    static let inKowloon = Coordinate(latitude: 22.25, longitude: 114.25)
    static let outside = Coordinate(latitude: 22.25, longitude: 114.35)

    let redis: TestRedis
    let clock: TestClock
    let environment: ServiceEnvironment
    let location: Location

    init(
        rules: LocationRules = LocationRules(), kafka: String = "127.0.0.1:1",
        withAreas: Bool = true, router: RouterConfig = .none, redis: TestRedis? = nil,
        patience: Duration = LocationUseCases.patience
    ) async throws {
        let shared = try await TestRedis.shared()
        self.redis = redis ?? shared
        clock = TestClock()
        environment = try ServiceEnvironment.test(
            "location", clock: clock, kafka: kafka, redis: self.redis.address)
        location = try Location(
            LocationConfig(rules: rules, router: router), environment, patience: patience)
        if withAreas {
            try await receive(Self.area(Self.island, west: 114.1))
            try await receive(Self.area(Self.kowloon, west: 114.2))
        }
    }

    /// Another replica on the same Redis, which it may reach by another `address`.
    func replica(at address: String? = nil) async throws -> Location {
        let environment = try ServiceEnvironment.test(
            "location", clock: clock, redis: address ?? redis.address)
        let replica = try Location(LocationConfig(rules: store.rules), environment)
        try await replica.areas.refresh()
        return replica
    }

    var useCases: LocationUseCases { location.useCases }
    var store: LocationStore { useCases.store }

    static func area(
        _ id: ServiceAreaID, west: Double, width: Double = 0.1, version: Int = 1
    ) -> ServiceAreaChanged {
        let (south, north, east) = (22.2, 22.3, west + width)
        let ring = [
            [west, south], [east, south], [east, north], [west, north], [west, south],
        ]
        return ServiceAreaChanged(
            area: id,
            feature: ServiceAreaFeature(
                id: id,
                properties: .init(
                    id: id, name: id.description,
                    servicePoint: Place(latitude: 22.25, longitude: west), currency: "HKD"),
                geometry: .polygon([ring])),
            version: version)
    }

    // MARK: Acting

    /// Of an order's event, what the platform hears of it.
    func receive(_ event: some Event) async throws {
        if let event = event as? any OrderEvent {
            return try await receive(EngagementChanged(event.order))
        }
        try await location.reactions.receive(event, .of(event, at: clock.now))
    }

    func entry(
        _ person: TestPerson, _ place: Coordinate, secondsAgo: Double = 0, accuracy: Double? = nil
    ) -> PositionBatch.Entry {
        PositionBatch.Entry(
            person: person.id, role: person.role,
            point: PositionBody(
                latitude: place.latitude, longitude: place.longitude, accuracyMeters: accuracy,
                recordedAt: clock.now.addingTimeInterval(-secondsAgo)),
            receivedAt: clock.now)
    }

    /// Records points in one batch, by default each of a sender of its own.
    @discardableResult
    func record(
        _ entries: PositionBatch.Entry..., clockLead: Int? = nil
    ) async throws -> [PointOutcome] {
        try await useCases.record(entries.map { try Point($0, clockLead: clockLead) })
    }

    /// Records one point, now.
    @discardableResult
    func record(_ person: TestPerson, at place: Coordinate) async throws -> PointOutcome? {
        try await record(entry(person, place)).first
    }

    /// On shift, and where they are known to be.
    func makeAvailable(_ valet: TestPerson, at place: Coordinate) async throws {
        _ = try await useCases.setShift(valet.valet, .on)
        try await record(valet, at: place)
    }

    // MARK: Looking

    struct Kept: Hashable {
        let at: Int
        let mark: String
    }

    /// The person's track in one region, in the order of arrival.
    func track(_ person: TestPerson, in region: Region) async throws -> [Kept] {
        let key = LocationKeys(region: region).track(person.id)
        let reply = try await redis.pool.execute(RawCommand("XRANGE", key, "-", "+"))
        return (reply.array ?? []).map { entry in
            let fields = entry.array?.last?.pairs ?? [:]
            return Kept(at: Int(fields["at"] ?? "") ?? 0, mark: fields["mark"] ?? "?")
        }
    }

    /// Every event that the scripts have announced, sent or not, region by region.
    func events() async throws -> [any Event] {
        var events: [any Event] = []
        for region in try location.areas.regions() {
            let key = LocationKeys(region: region).outbox
            let reply = try await redis.pool.execute(RawCommand("XRANGE", key, "-", "+"))
            events += (reply.array ?? []).compactMap { OutboxEntry($0, in: region)?.event }
        }
        return events
    }

    func arrivals() async throws -> [PartyArrived] {
        try await events().compactMap { $0 as? PartyArrived }
    }

    func departures() async throws -> [PartyLeft] {
        try await events().compactMap { $0 as? PartyLeft }
    }

    /// As announced in service areas.
    func statuses(of valet: TestPerson) async throws -> [ValetStatus] {
        try await events().compactMap { $0 as? AvailabilityChanged }
            .filter { $0.valet == valet.valet && $0.serviceArea != nil }.compactMap(\.status.known)
    }

    /// Where each valet can be found by a search, by name of the geo set.
    func freeSets() async throws -> [ValetID: [String]] {
        var found: [ValetID: [String]] = [:]
        let keys = try await redis.pool.execute(RawCommand("KEYS", "location:*:free:*"))
        for key in (keys.array ?? []).compactMap(\.string) {
            let members = try await redis.pool.execute(RawCommand("ZRANGE", key, "0", "-1"))
            for member in (members.array ?? []).compactMap(\.string) {
                if let valet = ValetID(member) { found[valet, default: []].append(key) }
            }
        }
        return found
    }

    func nearbyCount(_ place: Coordinate = Bench.inIsland) async throws -> Int {
        try await useCases.nearby(place, radiusMeters: 6_000).count
    }

    func status(of valet: TestPerson) async throws -> ValetStatus? {
        try await useCases.whereabouts(of: [valet.valet]).items.first?.status.known
    }

    // MARK: HTTP

    func http(_ body: @escaping @Sendable (Caller) async throws -> Void) async throws {
        try await Application(router: location.router(environment)).test(.router) { client in
            try await body(Caller(client: client, bench: self))
        }
    }
}

/// Calls location's routes as a person or as a service.
struct Caller: Calling {
    static let service = "location"

    let client: any TestClientProtocol
    let bench: Bench

    var clock: TestClock { bench.clock }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil,
        as person: TestPerson?,
        language: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.acceptLanguage] = language
        return try await call(
            method, path, raw: json.map { Data($0.utf8) }, as: person, headers: headers)
    }
}

extension Answer {
    var problem: Problem? { try? Wire.decode(Problem.self, from: data) }

    func decoded<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try Wire.decode(type, from: data)
    }
}

extension OrderSnapshot {
    static let testID = OrderID("01900000-0000-7000-8000-000000000101")!
    static let engagementID = testID.as(EngagementID.self)

    /// An order of Alice's with its meeting point at the middle of the island.
    static func test(
        _ status: OrderStatus, version: Int, id: OrderID = testID,
        dropOffValet: TestPerson? = nil, returnValet: TestPerson? = nil,
        customer: TestPerson = .alice
    ) -> OrderSnapshot {
        let time = Date(timeIntervalSince1970: 1_767_600_000)
        var order = OrderSnapshot(
            id: id, ticket: "K7-42", status: status, version: version,
            serviceArea: Bench.island, customer: customer.customer,
            dropOff: Place(Bench.inIsland), extras: [], createdAt: time)
        order.dropOffValet = dropOffValet?.valet
        order.returnValet = returnValet?.valet
        if ![.requested, .droppingOff, .parking, .cancelled].contains(status) {
            order.parked = ParkedAt(latitude: 22.26, longitude: 114.16)
            order.parkedAt = time
        }
        return order
    }
}

extension ValetAssigned {
    static func test(
        _ valet: TestPerson, version: Int = 2, id: OrderID = OrderSnapshot.testID
    ) -> ValetAssigned {
        ValetAssigned(
            order: .test(.droppingOff, version: version, id: id, dropOffValet: valet),
            leg: .dropOff, valet: valet.valet, meetingPoint: Place(Bench.inIsland))
    }
}

extension Coordinate {
    func moved(_ meters: Double, bearing: Double = 90) -> Coordinate {
        Geo.destination(from: self, bearingDegrees: bearing, distanceMeters: meters)
    }
}
