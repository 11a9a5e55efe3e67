import Answers
import Contracts
import Foundation
import Geo
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Car parks as operators keep them and people find them.
@Suite struct CarParkTests {
    @Test func whatAnOperatorAddsEverybodySees() async throws {
        try await Bench.run { bench in
            let added = try await bench.carPark { body in
                body.openingHours = "Mo-Fr 07:00-22:00"
                body.features = [.covered, .cctv]
                body.maxHeightMeters = 2.1
            }
            let seen = try await bench.call(.get, "/v1/car-parks/\(added.id)", as: nil)
                .expect(200, CarPark.self)
            #expect(seen == added)
            #expect(seen.status == .open)
            #expect(seen.terms == ParkingTerms(version: 1, text: "Park within the lines."))
            #expect(seen.spaces.map(\.freshness) == [.unknown, .unknown])
            try await bench.call(.post, "/v1/admin/car-parks", CarParkBody.any, as: .alice)
                .refused(403, "auth.role")
            try await bench.call(.get, "/v1/car-parks/x", as: nil).refused(404, "car_park.unknown")
        }
    }

    @Test func otherTermsAreAnotherVersion() async throws {
        try await Bench.run { bench in
            // With its product it is another version already.
            let offer = try await bench.offer()
            let path = "/v1/admin/car-parks/\(offer.carPark.id)"
            var body = CarParkBody.any
            body.terms = "No camping."
            try await bench.call(.put, path, body, as: .olivia, headers: [.ifMatch: ETag.text(9)])
                .refused(412, "request.precondition_failed")
            let changed = try await bench.call(
                .put, path, body, as: .olivia,
                headers: [.ifMatch: ETag.text(offer.carPark.version + 1)]
            ).expect(200, CarPark.self)
            #expect(changed.terms.version == 2)
            try await bench.book(bench.body(offer, [try await bench.vehicle()]))
                .refused(409, "booking.terms_outdated", field: "termsVersion")
        }
    }

    /// A field with a value that it can't have.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let field: String
        let make: @Sendable (inout CarParkBody) -> Void
        var testDescription: String { field }

        init(_ field: String, _ make: @escaping @Sendable (inout CarParkBody) -> Void) {
            (self.field, self.make) = (field, make)
        }

        static let all = [
            Mistake("name") { $0.name = "" },
            Mistake("timeZone") { $0.timeZone = "Mars/Olympus" },
            Mistake("currency") { $0.currency = "eur" },
            Mistake("position.latitude") { $0.position.latitude = 91 },
            Mistake("bookable.general") { $0.bookable = SpaceCounts([.general: 51]) },
            Mistake("capacity.general") { $0.capacity = SpaceCounts([.general: 100_001]) },
            Mistake("holidays") { $0.holidays = ["Christmas"] },
            Mistake("maxHeightMeters") { $0.maxHeightMeters = 0.1 },
            Mistake("maxHeightText") { $0.maxHeightText = String(repeating: "x", count: 101) },
            Mistake("maxHeightText") { $0.maxHeightText = "low\u{1}" },
            Mistake("cancellation.lateRefundPercent") {
                $0.cancellation = CancellationPolicy(freeUntilHours: 1, lateRefundPercent: 101)
            },
        ]
    }

    @Test(arguments: Mistake.all) func aWrongFieldIsNamed(mistake: Mistake) async throws {
        try await Bench.run { bench in
            var body = CarParkBody.any
            mistake.make(&body)
            try await bench.call(.post, "/v1/admin/car-parks", body, as: .olivia)
                .refused(422, "request.invalid", field: mistake.field)
        }
    }

    @Test func aClassOfSpacesThatNobodyKnowsIsNamed() async throws {
        try await Bench.run { bench in
            guard case .object(var fields) = try JSONValue(of: CarParkBody.any) else { return }
            fields["capacity"] = .object(["general": 50, "generall": 2])
            let problem = try await bench.call(
                .post, "/v1/admin/car-parks", JSONValue.object(fields), as: .olivia
            ).refused(400, "request.malformed", field: "capacity.generall")
            #expect(problem.title != "")
        }
    }

    @Test func theNearestAreFoundWhereThereAreMore() async throws {
        try await Bench.run { bench in
            // The last that was added is the nearest each time: in Helsinki a degree east is half as far as one north,
            // and the date line is no farther than any other.
            let places: [(Coordinate, [Coordinate])] = [
                (
                    Coordinate(latitude: 60, longitude: 25),
                    [
                        Coordinate(latitude: 60.03, longitude: 25),
                        Coordinate(latitude: 60.02, longitude: 25),
                        Coordinate(latitude: 60, longitude: 25.03),
                    ]
                ),
                (
                    Coordinate(latitude: 0, longitude: 179.99),
                    [
                        Coordinate(latitude: 0, longitude: 179.9),
                        Coordinate(latitude: 0, longitude: 179.95),
                        Coordinate(latitude: 0, longitude: -179.99),
                    ]
                ),
            ]
            for (point, others) in places {
                for other in others { try await bench.carPark(at: other) }
                for most in 1...3 {
                    let found = try await bench.database.read { transaction in
                        try transaction.carParks.keys(
                            in: [], words: nil, nearest: point, most: most
                        ).compactMap { try transaction.carParks.find($0.id) }
                    }
                    #expect(found.map(\.body.position) == Array(others.reversed().prefix(most)))
                }
            }
        }
    }

    @Test func hoursThatCanNotBeReadAreRefusedWithThePlace() async throws {
        try await Bench.run { bench in
            var body = CarParkBody.any
            body.openingHours = "Mo-Fr 08:00-18:00; ask the guard"
            let problem = try await bench.call(.post, "/v1/admin/car-parks", body, as: .olivia)
                .refused(422, "car_park.opening_hours", field: "openingHours")
            #expect(problem.detail?.contains("ask") == true)
        }
    }

    @Test func oneWithBookingsToComeIsNotRemoved() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            let path = "/v1/admin/car-parks/\(offer.carPark.id)"
            try await bench.call(.delete, path, as: .olivia).refused(409, "car_park.in_use")
            _ = try await bench.call(.post, "/v1/bookings/\(booking.id)/cancel", as: .alice)
            #expect(try await bench.call(.delete, path, as: .olivia).status == 204)
            try await bench.call(.get, "/v1/car-parks/\(offer.carPark.id)", as: nil)
                .refused(404, "car_park.unknown")
            try await bench.call(.delete, path, as: .olivia).refused(404, "car_park.unknown")
        }
    }

    // MARK: Live spaces

    @Test func countsGrowOldAndThenUnknown() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let path = "/v1/admin/car-parks/\(carPark.id)/occupancy"
            func general() async throws -> LiveSpaces {
                let seen = try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
                    .expect(200, CarPark.self)
                return try #require(seen.spaces.first { $0.kind == .general })
            }
            let now = bench.clock.now
            try await bench.call(
                .put, path, OccupancyBody(free: SpaceCounts([.general: 12])), as: .olivia
            )
            .expect(200, [LiveSpaces].self)
            #expect(try await general().free == 12)
            // An older count, and one of more than there are, change nothing.
            try await bench.call(
                .put, path,
                OccupancyBody(free: SpaceCounts([.general: 1]), at: now.addingTimeInterval(-60)),
                as: .olivia
            ).expect(200, [LiveSpaces].self)
            try await bench.call(
                .put, path, OccupancyBody(free: SpaceCounts([.general: 51])), as: .olivia
            )
            .refused(422, "request.invalid", field: "free.general")
            try await bench.call(
                .put, path,
                OccupancyBody(free: SpaceCounts([.general: 1]), at: now.addingTimeInterval(3_600)),
                as: .olivia
            ).refused(422, "request.invalid", field: "at")
            #expect(try await general().freshness == .live)
            bench.clock.advance(by: 301)
            #expect(try await general().freshness == .old)
            #expect(try await general().free == 12)
            bench.clock.advance(by: 1_500)
            #expect(try await general().freshness == .unknown)
            #expect(try await general().free == nil)
            #expect(try await general().at == now)
        }
    }

    // MARK: Search

    @Test func theNearestComesFirstAndWhatIsFarDoesNotCome() async throws {
        try await Bench.run { bench in
            for (name, metres) in [("far", 1_900.0), ("near", 100), ("away", 2_100)] {
                let point = Geo.destination(from: .valletta, metres)
                try await bench.carPark(at: point) { $0.name = name }
            }
            #expect(try await bench.found("latitude=35.8965&longitude=14.5101") == ["near", "far"])
            #expect(
                try await bench.found("latitude=35.8965&longitude=14.5101&radiusMeters=500") == [
                    "near"
                ])
            #expect(try await bench.found("q=AWAY") == ["away"])
            #expect(try await bench.found("q=valletta%20near") == ["near"])
            #expect(try await bench.found("q=%25").isEmpty)
            let first = try await bench.search("latitude=35.8965&longitude=14.5101&limit=1")
            #expect(first.items.map(\.name) == ["near"])
            let rest = try await bench.search(
                "latitude=35.8965&longitude=14.5101&limit=1&after=\(try #require(first.next))")
            #expect(rest.items.map(\.name) == ["far"])
            #expect(rest.next == nil)
        }
    }

    /// With a word of one letter or a sign beside others, however it is joined to them.
    @Test(arguments: [
        ("P%20Kaivokatu", ["P Kaivokatu"]), ("P+Kaivokatu", ["P Kaivokatu"]),
        ("P-Kaivokatu", ["P Kaivokatu"]), ("p.%20kaivokatu", ["P Kaivokatu"]),
        ("P%C2%A0Kaivokatu", ["P Kaivokatu"]), ("Kaivokatu,%20P", ["P Kaivokatu"]),
        ("P%20Kluuvi", ["P-Kluuvi"]), ("P%E2%80%93Kluuvi", ["P-Kluuvi"]),
        ("@%20Metallitalo", ["@ Metallitalo"]), ("%40Metallitalo", ["@ Metallitalo"]),
        ("@", ["@ Metallitalo"]), ("Q%20Park", ["Q-Park"]), ("P%20Kluuvi%20X", []),
        ("P_Kluuvi", ["P-Kluuvi"]), ("_", []), ("P%25Kluuvi", ["P-Kluuvi"]), ("%25%25", []),
    ])
    func aCarParkIsFoundByItsOwnName(query: String, names: [String]) async throws {
        try await Bench.run { bench in
            for name in ["P Kaivokatu", "P-Kluuvi", "@ Metallitalo", "Q-Park"] {
                try await bench.carPark(at: .valletta) { $0.name = name }
            }
            #expect(try await bench.found("q=\(query)") == names)
        }
    }

    @Test func aSearchFindsThingsAsTheyAreNowHoweverOftenItLooked() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 200)
            let path = "/v1/admin/car-parks/\(offer.carPark.id)"
            func seen() async throws -> CarParkSummary? {
                _ = try await bench.search("")
                return try await bench.search("").items.first
            }
            #expect(try await seen()?.price?.amount == 200)
            let dearer = ParkingProductBody(name: "hourly", kind: .hourly, price: 300)
            _ = try await bench.call(
                .put, "\(path)/products/\(offer.product.id)", dearer, as: .olivia
            ).expect(200, ParkingProduct.self)
            #expect(try await seen()?.price?.amount == 300)
            _ = try await bench.call(
                .put, "\(path)/status", CarParkStatusBody(.closed, reason: "flood"), as: .olivia
            ).expect(200, CarPark.self)
            #expect(try await seen()?.statusReason == "flood")
            #expect(try await bench.call(.delete, path, as: .olivia).status == 204)
            #expect(try await seen() == nil)
        }
    }

    @Test func withAnIntervalOnlyWhatIsFreeAllTheTimeIsFound() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            let booking = try await bench.confirmed(offer)
            func query(_ from: TimeInterval, _ until: TimeInterval) -> String {
                let (from, until) = (
                    booking.start.addingTimeInterval(from), booking.start.addingTimeInterval(until)
                )
                return "from=\(Wire.text(from))&until=\(Wire.text(until))"
            }
            #expect(try await bench.search(query(-3_600, 60)).items.isEmpty)
            let after = try await bench.search(query(7_200, 9_000)).items
            #expect(after.map(\.bookableSpaces) == [1])
            #expect(after.map(\.price) == [Money(amount: 200, currency: "EUR")])
            #expect(try await bench.search(query(7_200, 9_000) + "&minFree=2").items.isEmpty)
            // Nobody could book what is closed when it begins.
            var body = CarParkBody.any
            (body.name, body.openingHours, body.bookable) = ("shut", "off", body.capacity)
            let shut = try await bench.call(.post, "/v1/admin/car-parks", body, as: .olivia)
                .expect(201, CarPark.self)
            try await bench.product(of: shut)
            #expect(try await bench.search(query(7_200, 9_000)).items.count == 1)
            try await bench.call(.get, "/v1/car-parks?\(query(0, -1))", as: nil)
                .refused(422, "booking.date_invalid", field: "start")
            try await bench.call(.get, "/v1/car-parks?from=\(Wire.text(booking.start))", as: nil)
                .refused(422, "request.invalid", field: "until")
        }
    }

    @Test func whatIsTooLowOrClosedIsLeftOut() async throws {
        try await Bench.run { bench in
            try await bench.carPark { ($0.name, $0.maxHeightMeters) = ("low", 1.9) }
            try await bench.carPark { ($0.name, $0.openingHours) = ("closed", "off") }
            try await bench.carPark { $0.name = "high" }
            #expect(
                Set(try await bench.found("maxHeightMeters=2.1")) == ["closed", "high"])
            #expect(Set(try await bench.found("openNow=true")) == ["low", "high"])
        }
    }

    @Test func theCheapestComesFirstIfThatIsAskedFor() async throws {
        try await Bench.run { bench in
            for (name, price) in [("dear", 900), ("cheap", 100), ("middle", 400)] {
                let carPark = try await bench.carPark { $0.name = name }
                try await bench.product(of: carPark, price: price)
            }
            #expect(try await bench.found("sort=price") == ["cheap", "middle", "dear"])
        }
    }

    @Test func availabilityIsToldByTheHourAndByTheDay() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 3)
            let booking = try await bench.confirmed(offer)
            func availability(_ until: TimeInterval) async throws -> Availability {
                let end = booking.start.addingTimeInterval(until)
                return try await bench.call(
                    .get,
                    "/v1/car-parks/\(offer.carPark.id)/availability"
                        + "?from=\(Wire.text(booking.start))&until=\(Wire.text(end))", as: nil
                ).expect(200, Availability.self)
            }
            let hours = try await availability(4 * 3_600)
            #expect(hours.free == 2)
            #expect(hours.steps.map(\.free) == [2, 2, 3, 3])
            #expect(try await availability(5 * 86_400).steps.count == 6)
        }
    }
}

extension Bench {
    fileprivate func search(_ query: String) async throws -> Page<CarParkSummary> {
        try await call(.get, "/v1/car-parks?\(query)", as: nil)
            .expect(200, Page<CarParkSummary>.self)
    }

    fileprivate func found(_ query: String) async throws -> [String] {
        try await search(query).items.map(\.name)
    }
}

extension Geo {
    /// North of a point.
    fileprivate static func destination(from start: Coordinate, _ metres: Double) -> Coordinate {
        Coordinate(
            latitude: start.latitude + metres / 111_195,
            longitude: start.longitude)
    }
}

extension CarParkBody {
    fileprivate static let any = CarParkBody(
        name: "City Gate", address: "Valletta", position: .valletta, timeZone: "Europe/Malta",
        currency: "EUR", capacity: SpaceCounts([.general: 50]))
}
