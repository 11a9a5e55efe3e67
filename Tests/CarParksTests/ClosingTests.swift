import Answers
import Contracts
import Foundation
import Geo
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Opening hours and bookings. The clock says 09:00 in Malta, on Monday, 5 January 2026.
@Suite struct ClosingTests {
    /// Hours after the Monday began in Malta.
    private static func monday(_ hours: Double) throws -> Date {
        try #require(Wire.date("2026-01-04T23:00:00Z")).addingTimeInterval(hours * 3_600)
    }

    // MARK: Hours that others read

    @Test(arguments: [
        "24/7;", "Mo-Fr 8:00-18:00; Sa 9:00-15:00", "Mo-Fr 07:00 - 22:00", "mo-fr 07:00-22:00",
        "Mo-We 08:00-20:00, Th-Sa 08:00-16:00, Su off", "Mo-Fr 07:00-22:00 \"with card\"",
        "Mo-Sa 07:00-20:00 open", "Jan-Nov Mo-Fr 07:00-22:00", "sunrise-sunset",
        "week 2-10 Mo-Fr 07:00-22:00", "Mo[1] 07:00-22:00",
    ])
    func whatOthersReadIsOpenAndBooked(hours: String) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(hours)
            #expect(offer.carPark.isOpenNow && offer.carPark.openingState == .open)
            try await bench.book(offer, from: Self.monday(10), 2).expect(201, Booking.self)
        }
    }

    @Test(arguments: [
        "Mo-Fr 07:00-22:00; Mo unknown", "\"ask the guard\"", "Mo-Fr 07:00-22:00; SH off",
        "Tu-Fr 07:00-22:00 || \"by appointment\"",
    ])
    func whatIsUnknownIsShownAsUnknownAndBooked(hours: String) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(hours)
            #expect(offer.carPark.openingState == .unknown && !offer.carPark.isOpenNow)
            let shown = try await bench.found("").first
            #expect(shown?.openingState == .unknown && shown?.isOpenNow == false)
            #expect(try await bench.found("openNow=true").isEmpty)
            let (from, until) = (try Self.monday(10), try Self.monday(12))
            #expect(
                try await bench.found("from=\(Wire.text(from))&until=\(Wire.text(until))").count
                    == 1)
            try await bench.book(offer, from: from, 2).expect(201, Booking.self)
            let gate = try await bench.gate(of: offer.carPark)
            #expect(try await bench.pass(gate, .in, "XYZ 1").open)
        }
    }

    @Test func unreadableHoursOfAnImportKeepNobodyFromMakingItBookable() async throws {
        try await Bench.run { bench in
            let feature = JSONValue.object([
                "type": "Feature", "id": "way/1",
                "geometry": .object([
                    "type": "Point", "coordinates": .list([.number(14.51), .number(35.9)]),
                ]),
                "properties": .object([
                    "amenity": "parking", "name": "Yard", "opening_hours": "ask the guard",
                    "capacity": "10",
                ]),
            ])
            try await bench.call(
                .post, "/v1/admin/car-parks/imports",
                CarParkImport([feature], timeZone: "Europe/Malta", currency: "EUR"), as: .olivia
            ).expect(200, CarParkImportAnswer.self)
            let id = try #require(try await bench.found("").first?.id)
            let path = "/v1/admin/car-parks/\(id)"
            var body = CarParkBody(
                name: "Yard", address: "", position: .valletta, timeZone: "Europe/Malta",
                currency: "EUR", capacity: SpaceCounts([.general: 10]),
                bookable: SpaceCounts([.general: 10]))
            body.openingHours = "ask somebody"
            try await bench.call(.put, path, body, as: .olivia)
                .refused(422, "car_park.opening_hours", field: "openingHours")
            body.openingHours = "ask the guard"
            let carPark = try await bench.call(.put, path, body, as: .olivia)
                .expect(200, CarPark.self)
            #expect(carPark.openingState == .unknown)
            let offer = Bench.Offer(carPark: carPark, product: try await bench.product(of: carPark))
            try await bench.book(offer, from: Self.monday(10), 2).expect(201, Booking.self)
        }
    }

    /// Chrome says Asia/Calcutta, and operators send what it says.
    @Test(arguments: ["Asia/Kolkata", "Asia/Calcutta"])
    func holidaysAreThoseOfTheCountryWhateverTheZoneIsCalled(zone: String) async throws {
        try await Bench.run { bench in
            let delhi = Coordinate(latitude: 28.64, longitude: 77.22)
            let carPark = try await bench.carPark(at: delhi) {
                ($0.timeZone, $0.currency) = (zone, "INR")
                $0.openingHours = "Mo-Su 07:00-22:00; PH off"
            }
            let offer = Bench.Offer(carPark: carPark, product: try await bench.product(of: carPark))
            let republicDay = try #require(Wire.date("2026-01-26T05:00:00Z"))
            try await bench.book(offer, from: republicDay, 2).refused(409, "car_park.closed")
            try await bench.book(offer, from: republicDay.addingTimeInterval(86_400), 2)
                .expect(201, Booking.self)
        }
    }

    // MARK: Closing time

    /// Hours of the Monday at which a stay begins, its hours, and whether it can be booked.
    @Test(arguments: [
        (21, 1, true), (21, 3, false), (20, 3, false), (10, 12, true), (10, 13, false),
        (21, 9, false), (21, 10, true), (21, 12, true),
    ])
    func noStayEndsWhenItIsClosed(from: Double, quantity: Int, isBooked: Bool) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer("Mo-Su 07:00-22:00")
            let (start, end) = (
                try Self.monday(from), try Self.monday(from + Double(quantity))
            )
            let quote = try await bench.quote(offer, from: start, quantity)
            let answer = try await bench.book(offer, from: start, quantity)
            let listed = try await bench.found(
                "from=\(Wire.text(start))&until=\(Wire.text(end))")
            #expect(listed.isEmpty != isBooked)
            guard isBooked else {
                try quote.refused(409, "car_park.closed")
                let problem = try answer.refused(409, "car_park.closed")
                #expect(problem.detail?.contains("07:00-22:00") == true)
                return
            }
            let (told, booking) = (
                try quote.expect(200, ParkingQuote.self), try answer.expect(201, Booking.self)
            )
            // Those who stay overnight are told when it is closed.
            let isOvernight = from + Double(quantity) > 24
            #expect(told.closesAt == (isOvernight ? try Self.monday(22) : nil))
            #expect(told.opensAt == (isOvernight ? try Self.monday(31) : nil))
            #expect((booking.closesAt, booking.opensAt) == (told.closesAt, told.opensAt))
        }
    }

    @Test func nothingIsMadeLongerOrMovedBeyondClosingTime() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer("Mo-Su 07:00-22:00")
            // On Tuesday, from 20:00 to 22:00.
            let start = try Self.monday(44)
            let held = try await bench.book(offer, from: start, 2).expect(201, Booking.self)
            let booking = try await bench.pay(held.id).expect(200, BookingPayment.self).booking
            for hours in [3.0, 7] {
                try await bench.call(
                    .post, "/v1/bookings/\(booking.id)/extend",
                    ExtendBody(
                        until: start.addingTimeInterval(hours * 3_600), token: "pm_card_visa"),
                    as: .alice
                ).refused(409, "car_park.closed")
            }
            var later = BookingChange()
            later.start = start.addingTimeInterval(3_600)
            for (method, path) in [(HTTPRequest.Method.post, "/quote-change"), (.patch, "")] {
                try await bench.call(
                    method, "/v1/bookings/\(booking.id)\(path)", later, as: .alice
                ).refused(409, "car_park.closed")
            }
            #expect(try await bench.booking(booking.id) == booking)
            let paid = try await bench.balance()
            #expect(paid == booking.paid.amount)
            var earlier = BookingChange()
            earlier.start = start.addingTimeInterval(-3_600)
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", earlier, as: .alice)
                .expect(200, Booking.self)
        }
    }

    @Test func timesThatWereBookedStayWhenTheHoursChange() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer("Mo-Su 07:00-22:00")
            let held = try await bench.book(offer, from: Self.monday(44), 2)
                .expect(201, Booking.self)
            try await bench.pay(held.id).expect(200, BookingPayment.self)
            var body = CarParkBody(
                name: "City Gate", address: "", position: .valletta, timeZone: "Europe/Malta",
                currency: "EUR", capacity: SpaceCounts([.general: 50]),
                bookable: SpaceCounts([.general: 40]))
            (body.openingHours, body.terms) = ("Mo-Su 07:00-19:00", "Park within the lines.")
            try await bench.call(
                .put, "/v1/admin/car-parks/\(offer.carPark.id)", body, as: .olivia
            ).expect(200, CarPark.self)
            var change = BookingChange()
            change.vehicleIds = [try await bench.vehicle(plate: "NEW 1")]
            let changed = try await bench.call(
                .patch, "/v1/bookings/\(held.id)", change, as: .alice
            ).expect(200, Booking.self)
            #expect(changed.vehicles.map(\.id) == change.vehicleIds)
        }
    }

    /// From Saturday, 10 January at 10:00: a day ends on a Sunday, and so does a month with 8 February.
    @Test func aMonthMayEndWhenItIsClosedButADayMayNot() async throws {
        try await Bench.run { bench in
            let hourly = try await bench.offer("Mo-Sa 07:00-22:00")
            func offer(_ kind: ParkingProduct.Unit) async throws -> Bench.Offer {
                Bench.Offer(
                    carPark: hourly.carPark,
                    product: try await bench.product(of: hourly.carPark, kind))
            }
            let saturday = try Self.monday(5 * 24 + 10)
            let daily = try await offer(.daily)
            try await bench.quote(daily, from: saturday, 1).refused(409, "car_park.closed")
            let days = try await bench.quote(daily, from: saturday, 2)
                .expect(200, ParkingQuote.self)
            #expect(days.closesAt == (try Self.monday(5 * 24 + 22)))
            #expect(days.opensAt == (try Self.monday(7 * 24 + 7)))
            let thursday = try Self.monday(3 * 24 + 10)
            let month = try await bench.quote(try await offer(.monthly), from: thursday, 1)
                .expect(200, ParkingQuote.self)
            #expect(month.closesAt == (try Self.monday(3 * 24 + 22)))
        }
    }
}

extension Bench {
    fileprivate func offer(_ hours: String) async throws -> Bench.Offer {
        let carPark = try await carPark { $0.openingHours = hours }
        return Bench.Offer(carPark: carPark, product: try await product(of: carPark))
    }

    fileprivate func found(_ query: String) async throws -> [CarParkSummary] {
        try await call(.get, "/v1/car-parks?\(query)", as: nil)
            .expect(200, Page<CarParkSummary>.self).items
    }

    fileprivate func quote(
        _ offer: Offer, from start: Date, _ quantity: Int
    ) async throws -> Answer {
        let query = "productId=\(offer.product.id)&start=\(Wire.text(start))&quantity=\(quantity)"
        return try await call(.get, "/v1/car-parks/\(offer.carPark.id)/quote?\(query)", as: nil)
    }

    fileprivate func book(
        _ offer: Offer, from start: Date, _ quantity: Int
    ) async throws -> Answer {
        try await book(
            BookingBody(
                carParkId: offer.carPark.id, productId: offer.product.id, start: start,
                quantity: quantity, vehicleIds: [try await vehicle()],
                termsVersion: offer.carPark.terms.version))
    }
}
