import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Redis
import Routing
import ServiceKit
import Support
import Testing

@testable import Location

/// Two people of a product that location does not know: one comes, the other goes, and each sees the other.
@Suite(.withoutDatabase) struct MeetingTests {
    private let clock = TestClock()
    private let rental = Rental()

    /// Location with a database of Redis, which hears of the rental.
    private func run(
        _ body: @Sendable (Door.Caller, Location, TestRedis) async throws -> Void
    ) async throws {
        let redis = try await TestRedis.shared()
        let environment = try ServiceEnvironment.test(
            "location", clock: clock, redis: redis.address)
        let location = try Location(LocationConfig(rules: LocationRules()), environment)
        try await location.areas.refresh()
        let open = rental.open
        try await location.reactions.receive(open, .of(open, at: clock.now))
        try await Door(clock: clock).open(
            to: [(name: "location", router: location.router(environment))]
        ) { try await body($0, location, redis) }
    }

    private func move(
        _ person: TestPerson, _ meters: Double, _ caller: Door.Caller
    ) async throws {
        let point = Geo.destination(
            from: rental.door, bearingDegrees: 90, distanceMeters: meters)
        let body = PositionsBody(points: [
            PositionBody(
                latitude: point.latitude, longitude: point.longitude, accuracyMeters: 4)
        ])
        let answer = try await caller.call(.post, "/v1/me/locations", body, as: person)
            .expect(202, PositionsAnswer.self)
        #expect(answer.accepted == 1)
    }

    private func told(_ redis: TestRedis) async throws -> [any Event] {
        let reply = try await redis.pool.execute(
            RawCommand("XRANGE", LocationKeys(region: .nowhere).outbox, "-", "+"))
        return (reply.array ?? []).compactMap { OutboxEntry($0, in: .nowhere)?.event }
    }

    @Test func whoComesAndWhoGoesIsToldOnce() async throws {
        try await run { caller, _, redis in
            for meters in [40.0, 12, 8, 8, 2] {
                clock.advance(by: 10)
                try await move(rental.renter, meters, caller)
            }
            for meters in [0.0, 20, 33, 40, 90, 0, 90] {
                clock.advance(by: 10)
                try await move(rental.owner, meters, caller)
            }
            let told = try await told(redis)
            #expect(told.compactMap { ($0 as? PartyArrived)?.meeting } == ["atTheDoor"])
            let left = told.compactMap { $0 as? PartyLeft }
            #expect(left.map(\.leaving) == ["made room"])
            #expect(left.map(\.mover) == [rental.owner.id])
            #expect(left.map(\.product) == [.lockers])
        }
    }

    @Test func eachSeesTheOtherByTheProductsAddress() async throws {
        try await run { caller, location, _ in
            try await move(rental.renter, 40, caller)
            try await move(rental.owner, 0, caller)
            let path = "/v1/lockers/\(rental.id)"
            for person in [rental.renter, rental.owner] {
                let shown = try await caller.call(.get, "\(path)/track", as: person)
                    .expect(200, EngagementTrack.self)
                #expect(shown.positions.keys.sorted() == ["door", "owner", "renter"])
                #expect(shown.positions.values.allSatisfy { $0 != nil })
                let way = try await caller.call(.get, "\(path)/route", as: person)
                    .expect(200, RouteAnswer.self)
                // Streets are longer than the straight line.
                #expect(abs(way.distanceMeters - 40 * StraightLine.detourFactor) < 1)
            }
            for part in ["track", "route"] {
                try await caller.call(.get, "\(path)/\(part)", as: .victor)
                    .refused(404, "engagement.unknown")
                try await caller.call(.get, "\(path)/\(part)", as: nil)
                    .refused(401, "auth.token_missing")
            }
            let live = location.feed.take()
            #expect(Set(live.map(\.position.person)) == [rental.renter.id, rental.owner.id])
            #expect(live.allSatisfy { $0.viewers.count == 1 && $0.position.role == .customer })
        }
    }
}
