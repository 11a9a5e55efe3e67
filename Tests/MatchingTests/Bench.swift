import Contracts
import EventBus
import Foundation
import Geo
import Kafka
import Redis
import Routing
import ServiceKit
import Support
import Testing

@testable import Matching

/// Matching beside a real Redis and a location over HTTP; the time stands still unless moved.
struct Bench: Sendable {
    static let area = ServiceAreaID("hk-island")!
    static let centre = Coordinate(latitude: 22.2819, longitude: 114.1556)

    let clock: TestClock
    let redis: TestRedis
    let location: PretendLocation
    let said: Said
    let url: URL
    let environment: ServiceEnvironment
    let parts: MatchingParts

    var matching: MatchingUseCases { MatchingUseCases(parts) }
    var reactions: Reactions { matchingReactions(matching) }

    private init(
        _ rules: MatchingRules, _ clock: TestClock, _ redis: TestRedis, _ store: MatchingStore,
        _ location: PretendLocation, _ said: Said, _ url: URL, _ roads: Roads
    ) throws {
        self.clock = clock
        self.redis = redis
        self.location = location
        self.said = said
        self.url = url
        environment = try ServiceEnvironment.test(
            "matching", clock: clock, redis: redis.address)
        parts = MatchingParts(
            environment, rules: rules, store: store,
            location: environment.peer(url, audience: "location", within: patience), roads: roads,
            announcer: Announcer { try said.take($0) })
    }

    /// Looks again soon, so that moving the clock is noticed soon.
    static let rules = MatchingRules(
        patienceSeconds: 20, windowSeconds: 2, graceSeconds: 10, retry: .milliseconds(20))

    /// With a database of the shared Redis, unless a server is given.
    ///
    /// Redis has a clock of its own, so a lease lasts for the whole test, however slow the machine is. So does a turn,
    /// unless the test stops a replica in the middle of one and goes on with the next.
    static func with(
        _ rules: MatchingRules = rules, roads: Roads = Roads(nil, attribution: nil),
        redis: TestRedis? = nil, turnTime: Duration = .seconds(3_600),
        _ body: @escaping @Sendable (Bench) async throws -> Void
    ) async throws {
        let shared = try await TestRedis.shared()
        let redis = redis ?? shared
        let store = MatchingStore(
            redis: redis.pool, leaseTime: .seconds(3_600), turnTime: turnTime)
        let location = PretendLocation()
        try await location.serve { url in
            try await body(
                Bench(rules, TestClock(), redis, store, location, Said(), url, roads))
        }
    }

    /// Another replica, or the same one after a restart: nothing of memory is kept.
    func again() throws -> Bench {
        try Bench(parts.rules, clock, redis, parts.store, location, said, url, parts.roads)
    }

    /// Runs the loops while `body` does.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Matcher(parts: parts).run() }
            try await body()
            group.cancelAll()
        }
    }

    func receive(_ event: some Event) async throws {
        try await reactions.receive(event, .of(event, at: clock.now))
    }

    /// Orders has acted on the answer.
    func assign(_ order: OrderSnapshot, _ valet: ValetID) async throws {
        try await receive(
            ValetAssigned(
                order: order.then(.droppingOff), leg: .dropOff, valet: valet,
                meetingPoint: order.dropOff))
    }

    // MARK: Mothers

    /// So many metres east of the centre.
    static func place(_ metersEast: Double) -> Coordinate {
        let metersPerDegree = 111_195.0 * 0.92532
        return Coordinate(
            latitude: centre.latitude, longitude: centre.longitude + metersEast / metersPerDegree)
    }

    static func valet(_ metersEast: Double, idle: Double = 0) -> PretendLocation.Valet {
        PretendLocation.Valet(id: .new(), at: place(metersEast), idleSeconds: idle)
    }

    func order(version: Int = 1) -> OrderSnapshot {
        OrderSnapshot(
            id: .new(), ticket: "K7-42", status: .requested, version: version,
            serviceArea: Self.area, customer: .new(), dropOff: Place(Self.centre), extras: [],
            createdAt: clock.now)
    }

    static func match(
        _ metersEast: Double = 0, leg: OrderLeg = .dropOff, attempt: Int = 1,
        excluded: [ValetID] = []
    ) -> MatchRequest {
        MatchRequest(
            leg: leg, attempt: attempt, meetingPoint: Place(place(metersEast)), excluded: excluded)
    }

    /// Places an order there.
    @discardableResult
    func ask(at metersEast: Double = 0) async throws -> OrderSnapshot {
        let order = order()
        try await receive(DropOffRequested(order: order, match: Self.match(metersEast)))
        return order
    }
}

/// Expects something to become true soon.
func until(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    #expect(try await eventually(condition), sourceLocation: sourceLocation)
}

extension OrderSnapshot {
    /// The same order, later.
    func then(_ status: OrderStatus, version: Int? = nil) -> OrderSnapshot {
        var order = self
        order.status = .known(status)
        order.version = version ?? self.version + 1
        return order
    }
}
