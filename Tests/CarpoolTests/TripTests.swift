import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Routing
import Support
import Testing

@testable import Carpool

@Suite struct TripTests {
    @Test func aTripIsPublishedWithItsWayMarkedAsAStraightLine() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.pricePerSeat = 150 }
            #expect(trip.status == .open && trip.isMine && trip.isStraightLine)
            #expect(trip.departsAt == "2026-11-23T07:30:00")
            #expect(trip.nextDate == "2026-11-23")
            #expect(trip.nextDepartureAt == Wire.date("2026-11-23T06:30:00Z"))
            #expect(trip.distanceMeters == 13_000 && trip.durationSeconds == 2_000)
            #expect(trip.pricePerSeat == Money(amount: 150, currency: "EUR"))
            #expect(trip.payment == .app)
            #expect(trip.way.coordinates.count == 2)
            let page = try await bench.call(.get, "/v1/trips", as: .alice)
                .expect(200, Page<Trip>.self)
            #expect(page.items.map(\.id) == [trip.id])
            #expect(
                try await bench.call(.get, "/v1/trips", as: .bob)
                    .expect(200, Page<Trip>.self).items.isEmpty)
        }
    }

    @Test func whoRepeatsAPublicationGetsTheSameTrip() async throws {
        try await Bench.run { bench in
            func publish() async throws -> TripID {
                try await bench.call(
                    .post, "/v1/trips", Bench.body, as: .alice, headers: [.idempotencyKey: "one"]
                ).expect(201, Trip.self).id
            }
            let first = try await publish()
            bench.clock.advance(by: 40 * 86_400)
            #expect(try await publish() == first)
        }
    }

    @Test func whatIsNoTripIsRefusedWithItsField() async throws {
        try await Bench.run { bench in
            let cases: [(String, String, @Sendable (inout TripBody) -> Void)] = [
                ("trip.ends_equal", "destination", { $0.destination = $0.origin }),
                (
                    "request.invalid", "destination",
                    {
                        $0.destination = Place(latitude: -35, longitude: 100)
                    }
                ),
                ("request.invalid", "origin", { $0.origin = Place(latitude: 89, longitude: 14) }),
                (
                    "request.invalid", "origin.latitude",
                    {
                        $0.origin = Place(latitude: 91, longitude: 14)
                    }
                ),
                (
                    "request.invalid", "via",
                    {
                        $0.via = Array(repeating: .north(5_000), count: 9)
                    }
                ),
                ("request.invalid", "departsAt", { $0.departsAt = "2026-11-23T06:30:00Z" }),
                ("request.invalid", "departsAt", { $0.departsAt = "2026-02-30T06:30:00" }),
                ("request.invalid", "departsAt", { $0.departsAt = "2028-01-01T06:30:00" }),
                (
                    "trip.in_the_past", "departsAt",
                    {
                        $0.departsAt = "2026-11-20T06:30:00"
                        $0.repeats = nil
                    }
                ),
                ("request.invalid", "timeZone", { $0.timeZone = "Malta" }),
                ("request.invalid", "timeZone", { $0.timeZone = "Europe/Atlantis" }),
                ("request.invalid", "repeats.weekdays", { $0.repeats?.weekdays = [] }),
                ("request.invalid", "repeats.until", { $0.repeats?.until = "soon" }),
                ("trip.in_the_past", "departsAt", { $0.repeats?.until = "2026-11-20" }),
                (
                    "request.invalid", "repeats.exceptions",
                    {
                        $0.repeats?.exceptions = ["2026-11-24"]
                    }
                ),
                ("request.invalid", "seats", { $0.seats = 8 }),
                ("request.invalid", "seats", { $0.seats = 0 }),
                ("request.invalid", "maxDetourSeconds", { $0.maxDetourSeconds = 1_801 }),
                ("trip.price_too_high", "pricePerSeat", { $0.pricePerSeat = 157 }),
                ("request.invalid", "pricePerSeat", { $0.pricePerSeat = -1 }),
                ("request.invalid", "pricePerSeat", { $0.pricePerSeat = 49 }),
                ("request.invalid", "payment", { $0.payment = .cash }),
                ("request.invalid", "note", { $0.note = String(repeating: "a", count: 301) }),
                ("request.invalid", "preferences", { $0.preferences = [.pets, .pets] }),
                (
                    "trip.price_not_allowed", "pricePerSeat",
                    {
                        $0.origin = Place(latitude: 10, longitude: 10)
                        $0.destination = Place(latitude: 10.1, longitude: 10)
                        $0.pricePerSeat = 10
                    }
                ),
            ]
            for (code, field, change) in cases {
                try await bench.publish(change).refused(422, code, field: field)
            }
            try await bench.publish { $0.vehicleId = .new() }
                .refused(404, "vehicle.unknown", field: "vehicleId")
            let page = try await bench.call(.get, "/v1/trips", as: .alice)
                .expect(200, Page<Trip>.self)
            #expect(page.items.isEmpty)
        }
    }

    @Test func nobodyDrivesTwoCarsAtOnce() async throws {
        try await Bench.run { bench in
            _ = try await bench.published()
            // Half an hour later on a Wednesday it is still on its way.
            try await bench.publish {
                $0.departsAt = "2026-11-25T08:00:00"
                $0.repeats = nil
            }.refused(409, "trip.overlaps")
            _ = try await bench.publish {
                $0.departsAt = "2026-11-24T08:00:00"
                $0.repeats = nil
            }.expect(201, Trip.self)
            _ = try await bench.publish(as: .bob).expect(201, Trip.self)
        }
    }

    @Test func aDayHasOnlySoManyTrips() async throws {
        try await Bench.run { bench in
            let policy = CarpoolPolicy(mostPerKilometer: 5, tripsPerDay: 2, commissionPercent: 0)
            try await bench.call(
                .put, "/v1/admin/carpool-policies/valletta", policy, as: .olivia
            ).expect(200, CarpoolPolicy.self)
            for hour in [10, 12] {
                _ = try await bench.published { $0.departsAt = "2026-11-23T\(hour):00:00" }
            }
            try await bench.publish { $0.departsAt = "2026-11-23T14:00:00" }
                .refused(409, "trip.too_many")
            bench.clock.advance(by: 86_401)
            try await bench.publish {
                $0.departsAt = "2026-11-23T14:00:00"
                $0.pricePerSeat = 66
            }.refused(422, "trip.price_too_high", field: "pricePerSeat")
            _ = try await bench.publish {
                $0.departsAt = "2026-11-23T14:00:00"
                $0.pricePerSeat = 65
            }.expect(201, Trip.self)
        }
    }

    @Test func aRouterTellsTheWayAndWhereThereIsNone() async throws {
        let router = BentRoads()
        try await Bench.run(router: router) { bench in
            let trip = try await bench.published()
            #expect(!trip.isStraightLine)
            #expect(trip.way.coordinates.count == 3 && trip.durationSeconds == 900)
            router.state.withLock { $0 = .refusing }
            try await bench.publish(as: .bob).refused(422, "trip.no_road", field: "destination")
            // Away, it is a straight line until the router is back.
            router.state.withLock { $0 = .away }
            let second = try await bench.published(as: .bob)
            #expect(second.isStraightLine)
            await bench.work()
            router.state.withLock { $0 = .there }
            await bench.go(to: bench.clock.now.addingTimeInterval(60))
            let seen = try await bench.call(.get, "/v1/trips/\(second.id)", as: .bob)
                .expect(200, Trip.self)
            #expect(!seen.isStraightLine && seen.durationSeconds == 900)
        }
    }

    @Test(arguments: [BentRoads.State.offMap, .withoutMap, .away])
    func aTripThatTheRouterHasNoMapOfIsAStraightLineUntilOneComes(
        _ state: BentRoads.State
    ) async throws {
        let router = BentRoads()
        router.state.withLock { $0 = state }
        try await Bench.run(router: router) { bench in
            let body = TripPreviewBody(
                origin: Place(.north(1_000)), destination: Place(.north(9_000)))
            let preview = try await bench.call(.post, "/v1/trips/preview", body, as: .bob)
                .expect(200, TripPreview.self)
            #expect(preview.isStraightLine && preview.way.coordinates.count == 2)
            let trip = try await bench.published()
            #expect(trip.isStraightLine && trip.distanceMeters == 13_000)
            let seat = try await bench.requested(trip.id)
            // However long that takes, it is asked for again within minutes.
            for _ in 1...30 {
                await bench.go(to: bench.clock.now.addingTimeInterval(300))
            }
            func seen() async throws -> Trip {
                try await bench.call(.get, "/v1/trips/\(trip.id)", as: .alice)
                    .expect(200, Trip.self)
            }
            #expect(try await seen().isStraightLine)
            router.state.withLock { $0 = .there }
            await bench.go(to: bench.clock.now.addingTimeInterval(300))
            let straightened = try await seen()
            #expect(!straightened.isStraightLine && straightened.durationSeconds == 900)
            #expect(try await bench.seen(seat.id).status == .pending)
        }
    }

    @Test func aTripThatIsMovedOffTheMapIsAStraightLineUntilOneComes() async throws {
        let router = BentRoads()
        try await Bench.run(router: router) { bench in
            let trip = try await bench.published()
            #expect(!trip.isStraightLine)
            router.state.withLock { $0 = .offMap }
            var change = TripChange()
            (change.destination, change.via) = (Place(.north(30_000)), [.north(15_000)])
            let moved = try await bench.call(
                .patch, "/v1/trips/\(trip.id)", change, as: .alice
            ).expect(200, Trip.self)
            #expect(moved.isStraightLine)
            router.state.withLock { $0 = .there }
            await bench.go(to: bench.clock.now.addingTimeInterval(300))
            let seen = try await bench.call(.get, "/v1/trips/\(trip.id)", as: .alice)
                .expect(200, Trip.self)
            #expect(!seen.isStraightLine && seen.durationSeconds == 1_800)
        }
    }

    @Test func aSeriesThatBeginsLaterLosesTheExceptionsBefore() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published {
                $0.repeats?.exceptions = ["2026-11-25", "2026-12-02"]
            }
            var change = TripChange()
            change.departsAt = "2026-11-30T08:00:00"
            let seen = try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            #expect(seen.repeats?.exceptions == ["2026-12-02"] && seen.nextDate == "2026-11-30")
            // Those that are sent have to be days of the trip.
            change.repeats = trip.repeats
            try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .refused(422, "request.invalid", field: "repeats.exceptions")
        }
    }

    @Test func aMapWithoutTheRoadIsNotTheLast() async throws {
        let router = BentRoads()
        router.state.withLock { $0 = .offMap }
        try await Bench.run(router: router) { bench in
            let trip = try await bench.published()
            for (state, isStraightLine) in [(BentRoads.State.refusing, true), (.there, false)] {
                router.state.withLock { $0 = state }
                await bench.go(to: bench.clock.now.addingTimeInterval(300))
                let seen = try await bench.call(.get, "/v1/trips/\(trip.id)", as: .alice)
                    .expect(200, Trip.self)
                #expect(seen.isStraightLine == isStraightLine)
            }
        }
    }

    /// Their work was not scheduled while there was no map.
    @Test func straightLinesOfEarlierReleasesAreComputedAgain() async throws {
        let router = BentRoads()
        router.state.withLock { $0 = .withoutMap }
        try await Bench.run(router: router) { bench in
            let trip = try await bench.published()
            try await bench.database.write { transaction in
                try transaction.unschedule(CarpoolWork.way, trip.id)
                for statement in TripStore.straightLines.statements {
                    try transaction.execute(statement)
                }
            }
            router.state.withLock { $0 = .there }
            await bench.work()
            let seen = try await bench.call(.get, "/v1/trips/\(trip.id)", as: .alice)
                .expect(200, Trip.self)
            #expect(!seen.isStraightLine)
        }
    }

    @Test func aTripOfOthersIsSeenWithoutItsPlateAndChangedByNobodyElse() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published()
            let seen = try await bench.call(.get, "/v1/trips/\(trip.id)", as: .bob)
                .expect(200, Trip.self)
            #expect(!seen.isMine && seen.driver.firstName == "Alice")
            try await bench.call(.patch, "/v1/trips/\(trip.id)", TripChange(), as: .bob)
                .refused(404, "trip.unknown")
            for id in [trip.id.description, TripID.new().description, "nonsense"] {
                try await bench.call(.delete, "/v1/trips/\(id)", as: .bob)
                    .refused(404, "trip.unknown")
            }
            #expect(try await bench.found().count == 1)
            // A repeat gets the same answer.
            for _ in 1...2 {
                try await bench.call(.delete, "/v1/trips/\(trip.id)", as: .alice).expectEmpty(204)
            }
            try await bench.call(.delete, "/v1/trips/\(trip.id)", as: .bob)
                .refused(404, "trip.unknown")
            try await bench.follow()
            #expect(try await bench.found().isEmpty)
            try await bench.call(.get, "/v1/trips/\(trip.id)", as: .bob)
                .refused(404, "trip.unknown")
            try await bench.call(.get, "/v1/trips/nonsense", as: .bob)
                .refused(404, "trip.unknown")
        }
    }

    @Test func whoIsBlockedFindsAndAsksNothing() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published()
            try await bench.hear(
                PersonBlocked(
                    by: TestPerson.alice.id, person: TestPerson.bob.id, isBlocked: true, version: 1,
                    changedAt: bench.clock.now))
            #expect(try await bench.found().isEmpty)
            try await bench.request(trip.id).refused(404, "trip.unknown")
            try await bench.call(.get, "/v1/trips/\(trip.id)", as: .bob)
                .refused(404, "trip.unknown")
        }
    }

    @Test func favouritesAreKeptAndMarked() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published()
            let path = "/v1/me/favourite-trips/\(trip.id)"
            for _ in 1...2 { try await bench.call(.put, path, as: .bob).expectEmpty(204) }
            let page = try await bench.call(.get, "/v1/me/favourite-trips", as: .bob)
                .expect(200, Page<Trip>.self)
            #expect(page.items.map(\.id) == [trip.id])
            #expect(try await bench.found().first?.isFavourite == true)
            try await bench.call(.delete, path, as: .bob).expectEmpty(204)
            #expect(try await bench.found().first?.isFavourite == false)
            try await bench.call(.put, "/v1/me/favourite-trips/\(TripID.new())", as: .bob)
                .refused(404, "trip.unknown")
        }
    }

    @Test func passengersSeeThePlateWhereverTheySeeTheTrip() async throws {
        try await Bench.run { bench in
            let vehicle = Vehicle(
                id: .new(), plate: "ABC 123", make: "Fiat", model: "Panda", colour: "green")
            try await bench.hear(
                VehicleChanged(
                    owner: TestPerson.alice.customer, vehicle: vehicle,
                    removed: false, version: 1))
            let (trip, _) = try await bench.accepted { $0.vehicleId = vehicle.id }
            let stranger = TestPerson.another(.customer, 7)
            for (person, plate) in [(TestPerson.bob, "ABC 123"), (stranger, "")] {
                try await bench.call(.put, "/v1/me/favourite-trips/\(trip.id)", as: person)
                    .expectEmpty(204)
                let one = try await bench.call(.get, "/v1/trips/\(trip.id)", as: person)
                    .expect(200, Trip.self)
                let list = try await bench.call(.get, "/v1/me/favourite-trips", as: person)
                    .expect(200, Page<Trip>.self)
                #expect(one.vehicle?.plate == plate)
                #expect(list.items.map(\.vehicle?.plate) == [plate])
            }
        }
    }

    @Test func aTripEndsAfterItsLastDay() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.repeats?.until = "2026-11-25" }
            await bench.go(to: try #require(Wire.date("2026-11-25T06:00:00Z")))
            #expect(
                try await bench.call(.get, "/v1/trips/\(trip.id)", as: .alice)
                    .expect(200, Trip.self).status == .open)
            await bench.go(to: try #require(Wire.date("2026-11-25T07:10:00Z")))
            #expect(
                try await bench.call(.get, "/v1/trips/\(trip.id)", as: .alice)
                    .expect(200, Trip.self).status == .ended)
            try await bench.follow()
            #expect(await bench.parts.finder.count == 0)
        }
    }

    @Test func theWalkLeadsToWhereTheWayPassesNext() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published()
            let point = Coordinate.north(2_000).east(100)
            let walk = try await bench.call(
                .get,
                "/v1/trips/\(trip.id)/walk?latitude=\(point.latitude)&longitude=\(point.longitude)"
                    + "&end=pickUp", as: .bob
            ).expect(200, TripWalk.self)
            #expect(Geo.distanceMeters(walk.meetingPoint, .north(2_000)) < 5)
            #expect(walk.way.mode == .foot && walk.way.source == .straightLine)
            try await bench.call(
                .get, "/v1/trips/\(trip.id)/walk?latitude=1&longitude=2", as: .bob
            ).refused(422, "request.invalid", field: "end")
        }
    }

    /// To the north, and back a hundred metres to the east.
    @Test func aWayThatPassesTwiceIsMetWhereItGoesOnToTheOtherEnd() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published {
                $0.via = [.north(10_000), .north(10_000).east(100)]
                $0.destination = Place(Coordinate.valletta.east(100))
            }
            func walk(
                _ end: TripEnd, at point: Coordinate, other: Coordinate?
            ) async throws -> Coordinate {
                var query = "latitude=\(point.latitude)&longitude=\(point.longitude)&end=\(end)"
                if let other {
                    query += "&otherLatitude=\(other.latitude)&otherLongitude=\(other.longitude)"
                }
                return try await bench.call(.get, "/v1/trips/\(trip.id)/walk?\(query)", as: .bob)
                    .expect(200, TripWalk.self).meetingPoint
            }
            let (out, home) = (Coordinate.north(4_000), Coordinate.north(4_000).east(100))
            let (byOut, byHome) = (out.east(10), out.east(90))
            // A passenger who goes farther north gets in on the way there, though the way back is nearer.
            let north = Coordinate.north(9_000)
            #expect(Geo.distanceMeters(try await walk(.pickUp, at: byHome, other: nil), home) < 5)
            #expect(Geo.distanceMeters(try await walk(.pickUp, at: byHome, other: north), out) < 5)
            // A passenger who comes from there gets out on the way back.
            #expect(Geo.distanceMeters(try await walk(.dropOff, at: byOut, other: nil), out) < 5)
            #expect(
                Geo.distanceMeters(try await walk(.dropOff, at: byOut, other: north), home) < 5)
            // A seat has the same passages.
            let departure = try #require(trip.nextDepartureAt)
            let there = try await bench.requested(trip.id) {
                ($0.pickUp, $0.dropOff) = (byHome, north)
            }
            #expect(Geo.distanceMeters(there.pickUp.point, out) < 5)
            #expect(there.pickUp.at.timeIntervalSince(departure) < 1_000)
            let back = try await bench.requested(trip.id, on: "2026-11-25") {
                ($0.pickUp, $0.dropOff) = (north, byOut)
            }
            #expect(Geo.distanceMeters(back.dropOff.point, home) < 5)
            #expect(back.dropOff.at > back.pickUp.at)
            try await bench.call(
                .get, "/v1/trips/\(trip.id)/walk?latitude=1&longitude=2&end=pickUp&otherLatitude=1",
                as: .bob
            ).refused(422, "request.invalid", field: "otherLongitude")
        }
    }

    @Test func thePreviewTellsTheCostAndWhoElseDrives() async throws {
        try await Bench.run { bench in
            _ = try await bench.published()
            let body = TripPreviewBody(
                origin: Place(.north(1_000)), destination: Place(.north(9_000)))
            let preview = try await bench.call(.post, "/v1/trips/preview", body, as: .bob)
                .expect(200, TripPreview.self)
            #expect(preview.isStraightLine && preview.mostPerSeat?.amount == 125)
            #expect(preview.alike.map(\.date) == ["2026-11-23", "2026-11-25"])
            #expect(
                try await bench.call(.post, "/v1/trips/preview", body, as: .alice)
                    .expect(200, TripPreview.self).alike.isEmpty)
        }
    }
}
