import Answers
import Contracts
import Foundation
import Geo
import ServiceKit
import Support
import Testing
import TripSearch

@testable import Carpool

@Suite struct SearchTests {
    @Test func whoPassesBothEndsIsFoundWithTimesAndWalks() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.pricePerSeat = 150 }
            let match = try #require(try await bench.found().first)
            #expect(match.tripId == trip.id && match.date == "2026-11-23")
            #expect(match.reason == .passesBoth && match.detourSeconds == 0)
            #expect((95...105).contains(match.pickUp.walkMeters))
            #expect((190...210).contains(match.totalWalkMeters))
            let departure = try #require(Wire.date("2026-11-23T06:30:00Z"))
            #expect(abs(match.pickUp.at.timeIntervalSince(departure) - 400) < 5)
            #expect(abs(match.dropOff.at.timeIntervalSince(departure) - 1_600) < 5)
            #expect(match.seatsLeft == 3 && match.pricePerSeat?.amount == 150)
            #expect(match.driver.firstName == "Alice" && match.timeZone == "Europe/Malta")
            // Its driver does not look for it.
            #expect(try await bench.found(as: .alice).isEmpty)
            #expect(try await bench.found(at: "2026-11-24T06:00:00Z").isEmpty)
        }
    }

    @Test func theClocksOfTheZoneCountInSummerAndWinter() async throws {
        try await Bench.run { bench in
            _ = try await bench.published()
            // 07:30 in Malta is 06:30 in winter, and 05:30 after the last Sunday of March.
            #expect(try await bench.found(at: "2027-03-24T06:00:00Z").count == 1)
            let before = try await bench.found(at: "2027-03-29T05:00:00Z") {
                $0.departBefore = $0.departAfter.addingTimeInterval(3_500)
            }
            #expect(before.map(\.pickUp.at) == [try #require(Wire.date("2027-03-29T05:36:40Z"))])
        }
    }

    /// Alice to the north, and from halfway another to the east.
    @Test func twoLiftsInARowAreFoundWhereOneAsksForThem() async throws {
        try await Bench.run { bench in
            let carol = TestPerson.another(.customer, 1)
            let first = try await bench.published { $0.acceptsAutomatically = true }
            let second = try await bench.published(as: carol) {
                $0.origin = Place(.north(5_000))
                $0.destination = Place(Coordinate.north(5_000).east(8_000))
                $0.departsAt = "2026-11-23T07:55:00"
                $0.acceptsAutomatically = true
            }
            let goal = Coordinate.north(5_000).east(6_000)
            let plain = try await bench.search(as: .bob) { $0.to = goal }
                .expect(200, TripSearchAnswer.self)
            #expect(plain.items.isEmpty && plain.connections == nil)
            func connections() async throws -> [TripConnection] {
                try await bench.search(as: .bob) { ($0.to, $0.openEnds) = (goal, true) }
                    .expect(200, TripSearchAnswer.self).connections ?? []
            }
            let found = try #require(try await connections().first)
            #expect(found.first.tripId == first.id && found.second.tripId == second.id)
            #expect(found.first.date == "2026-11-23" && found.second.date == "2026-11-23")
            let change = found.transfer
            #expect(
                change.walkMeters <= 200 && Geo.distanceMeters(change.point, .north(5_000)) < 200)
            #expect((120...600).contains(change.waitSeconds))
            #expect(found.totalWalkMeters >= 100 && found.totalWalkMeters <= 400)
            #expect(found.first.driver.firstName == "Alice")
            // Each half is asked for by itself.
            for half in [found.first, found.second] {
                let seat = try await bench.requested(half.tripId) {
                    ($0.pickUp, $0.dropOff) = (half.pickUp.point, half.dropOff.point)
                }
                #expect(seat.status == .accepted)
                #expect(abs(seat.pickUp.at.timeIntervalSince(half.pickUp.at)) < 2)
            }
            // What has changed since the index heard of it is left out until it has.
            #expect(try await connections().isEmpty)
            try await bench.follow()
            #expect(try await connections().first?.second.seatsLeft == 2)
            #expect(
                try await bench.search(as: carol) { ($0.to, $0.openEnds) = (goal, true) }
                    .expect(200, TripSearchAnswer.self).connections == [])
        }
    }

    @Test func aDetourThatIsOfferedBringsTheDriver() async throws {
        try await Bench.run { bench in
            _ = try await bench.published { $0.maxDetourSeconds = 300 }
            let far: @Sendable (inout TripSearchBody) -> Void = {
                $0.from = .north(2_000).east(1_800)
            }
            let match = try #require(try await bench.found(as: .bob, far).first)
            #expect(match.reason == .detour && match.detourSeconds > 150)
            #expect((990...1_000).contains(match.pickUp.walkMeters))
            #expect(
                try await bench.found {
                    far(&$0)
                    $0.maxDetourSeconds = 100
                }.isEmpty)
        }
    }

    @Test func aRouterSaysWhatADetourReallyIs() async throws {
        try await Bench.run(router: BentRoads()) { bench in
            _ = try await bench.published { $0.maxDetourSeconds = 300 }
            let match = try #require(
                try await bench.found { $0.from = .north(2_000).east(1_800) }.first)
            #expect(match.detourSeconds == 240)
        }
    }

    @Test func whatNobodyCanLookForIsRefused() async throws {
        try await Bench.run { bench in
            let cases: [(String, @Sendable (inout TripSearchBody) -> Void)] = [
                ("to", { $0.to = $0.from }),
                ("from.latitude", { $0.from.latitude = 91 }),
                ("departAfter", { $0.departAfter.addTimeInterval(-30 * 86_400) }),
                ("departAfter", { $0.departAfter.addTimeInterval(400 * 86_400) }),
                ("departBefore", { $0.departBefore = $0.departAfter }),
                ("departBefore", { $0.departBefore = $0.departAfter.addingTimeInterval(700_000) }),
                ("maxWalkMeters", { $0.maxWalkMeters = 5_001 }),
                ("maxWalkMeters", { $0.maxWalkMeters = -1 }),
                ("seats", { $0.seats = 0 }), ("limit", { $0.limit = 101 }),
                ("maxDetourSeconds", { $0.maxDetourSeconds = -1 }),
            ]
            for (field, change) in cases {
                try await bench.search(as: .bob, change)
                    .refused(422, "request.invalid", field: field)
            }
            // In the open sea nobody drives.
            #expect(
                try await bench.found { $0.from = Coordinate(latitude: 35, longitude: 16) }
                    .isEmpty)
        }
    }

    @Test func whoLooksForSuchATripIsToldOnce() async throws {
        try await Bench.run { bench in
            func save(_ change: (inout SavedSearchBody) -> Void) async throws -> Answer {
                var body = SavedSearchBody(
                    from: .north(2_000).east(100), to: .north(8_000), weekdays: [.monday],
                    timeZone: "Europe/Malta")
                change(&body)
                return try await bench.call(.post, "/v1/me/saved-searches", body, as: .bob)
            }
            let search = try await save { $0.name = "Work" }.expect(201, SavedSearch.self)
            _ = try await save {
                $0.weekdays = nil
                $0.date = "2026-11-24"
            }.expect(201, SavedSearch.self)
            try await save { $0.timeZone = "Malta" }
                .refused(422, "request.invalid", field: "timeZone")
            try await save { ($0.fromMinute, $0.untilMinute) = (600, 500) }
                .refused(422, "request.invalid", field: "untilMinute")
            let trip = try await bench.published()
            await bench.work()
            #expect(try await bench.told(.bob) == ["Someone is driving there"])
            var change = TripChange()
            change.seats = 2
            _ = try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            await bench.work()
            #expect(try await bench.told(.bob).count == 1)
            try await bench.call(.delete, "/v1/me/saved-searches/\(search.id)", as: .bob)
                .expectEmpty(204)
            let left = try await bench.call(.get, "/v1/me/saved-searches", as: .bob)
                .expect(200, Page<SavedSearch>.self)
            #expect(left.items.map(\.date) == ["2026-11-24"])
            _ = try await bench.published(as: .another(.customer, 1)) {
                $0.departsAt = "2026-11-24T07:30:00"
                $0.repeats = nil
            }
            await bench.work()
            #expect(try await bench.told(.bob).count == 2)
        }
    }

    /// As after any number of changes, by whatever way they were heard of.
    @Test func theIndexIsTheSameAfterARestart() async throws {
        try await Bench.run { bench in
            var numbers = SystemRandomNumberGenerator()
            var trips: [(TripID, TestPerson)] = []
            for round in 0..<60 {
                let person = TestPerson.another(.customer, round)
                switch Int.random(in: 0..<5, using: &numbers) {
                case 0 where !trips.isEmpty:
                    let (trip, driver) = trips.remove(at: Int.random(in: trips.indices))
                    try await bench.call(.delete, "/v1/trips/\(trip)", as: driver).expectEmpty(204)
                case 1 where !trips.isEmpty:
                    _ = try await bench.request(trips[Int.random(in: trips.indices)].0, as: person)
                case 2 where !trips.isEmpty:
                    let (trip, driver) = trips[Int.random(in: trips.indices)]
                    var change = TripChange()
                    change.maxDetourSeconds = Int.random(in: 0...900)
                    _ = try await bench.call(.patch, "/v1/trips/\(trip)", change, as: driver)
                        .expect(200, Trip.self)
                default:
                    let trip = try await bench.published(as: person) {
                        $0.acceptsAutomatically = true
                        $0.destination = Place(
                            Coordinate.north(10_000).east(Double.random(in: -4_000...4_000)))
                    }
                    trips.append((trip.id, person))
                }
                try await bench.follow()
            }
            let followed = await bench.parts.finder.digest
            #expect(await bench.parts.finder.count == trips.count)
            let restarted = TripFinder(
                database: bench.database, clock: bench.clock.serviceClock,
                logger: bench.parts.environment.logger)
            try await restarted.follow()
            #expect(await restarted.digest == followed)
        }
    }

    @Test func nothingIsFoundBeforeTheTripsAreRead() async throws {
        try await Bench.run { bench in
            let finder = TripFinder(
                database: bench.database, clock: bench.clock.serviceClock,
                logger: bench.parts.environment.logger)
            #expect(await finder.isReady == false)
            let query = try #require(
                TripQuery(
                    from: .north(2_000), to: .north(8_000), departAfter: bench.clock.now,
                    departBefore: bench.clock.now.addingTimeInterval(60)))
            await #expect { _ = try await finder.search(query) } throws: {
                Refusal.unavailable ~= $0
            }
        }
    }
}
