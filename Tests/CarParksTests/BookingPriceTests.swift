import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Bookings cost the cheapest combination of what is on offer.
@Suite struct BookingPriceTests {
    private static let hour: TimeInterval = 3_600

    @Test func aQuoteSaysWhatItCombines() async throws {
        try await Bench.run { bench in
            let (carPark, hour, day) = try await bench.hoursAndDays()
            let start = bench.clock.now.addingTimeInterval(7 * 86_400)
            func quote(_ query: String) async throws -> Answer {
                try await bench.call(
                    .get, "/v1/car-parks/\(carPark.id)/quote?start=\(Wire.text(start))&\(query)",
                    as: nil)
            }
            let three = try await quote("productId=\(hour.id)&quantity=3")
                .expect(200, ParkingQuote.self)
            #expect(three.lines.map(\.quantity) == [3])
            #expect(three.lines.map(\.unit) == [.hourly])
            #expect(three.lines[0].unitPrice == Money(amount: 450, currency: "EUR"))
            #expect(three.lines[0].amount.amount == 1_350)
            let all = try await quote("productId=\(hour.id)&quantity=24")
                .expect(200, ParkingQuote.self)
            #expect(all.total.amount == 2_800)
            #expect(all.lines.map(\.unit) == [.daily])
            #expect(all.end == start.addingTimeInterval(24 * Self.hour))
            let end = Wire.text(start.addingTimeInterval(26 * Self.hour))
            let mixed = try await quote("end=\(end)&spaces=2").expect(200, ParkingQuote.self)
            #expect((mixed.productId, mixed.quantity) == (hour.id, 26))
            #expect(mixed.lines.map(\.unit) == [.daily, .hourly])
            #expect(mixed.lines.map(\.quantity) == [2, 4])
            #expect(mixed.lines.map(\.amount.amount) == [5_600, 1_800])
            #expect(mixed.total.amount == 7_400)
            let days = try await quote("productId=\(day.id)&end=\(end)")
                .expect(200, ParkingQuote.self)
            #expect((days.productId, days.quantity) == (day.id, 2))
            try await quote("productId=\(hour.id)&quantity=30")
                .refused(422, "booking.product_invalid", field: "productId")
            try await quote("quantity=3").refused(422, "request.invalid", field: "productId")
            try await quote("end=\(Wire.text(start))")
                .refused(422, "booking.date_invalid", field: "start")
            for (days, code, field) in [
                (40.0, "booking.product_invalid", "productId"),
                (1_098, "booking.date_invalid", "start"),
            ] {
                let far = Wire.text(start.addingTimeInterval(days * 86_400))
                try await quote("end=\(far)").refused(422, code, field: field)
            }
        }
    }

    @Test func aBookingByItsEndKeepsItsPrices() async throws {
        try await Bench.run { bench in
            let (carPark, hour, _) = try await bench.hoursAndDays()
            var body = bench.body(
                .init(carPark: carPark, product: hour), [try await bench.vehicle()])
            (body.productId, body.quantity) = (nil, nil)
            body.end = body.start.addingTimeInterval(26 * Self.hour)
            body.total = 3_700
            let held = try await bench.book(body).expect(201, Booking.self)
            #expect(held.lines.map(\.amount.amount) == [2_800, 900])
            let booking = try await bench.pay(held.id).expect(200, BookingPayment.self).booking
            #expect(booking.paid.amount == 3_700)
            let dearer = ParkingProductBody(name: "hourly", kind: .hourly, price: 900)
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/products/\(hour.id)", dearer, as: .olivia
            ).expect(200, ParkingProduct.self)
            var longer = ExtendBody(
                until: booking.end.addingTimeInterval(Self.hour), token: "pm_card_visa")
            longer.difference = 450
            let quote = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-extension", longer, as: .alice
            ).expect(200, BookingChangeQuote.self)
            #expect((quote.difference.amount, quote.total.amount) == (450, 4_150))
            let extended = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend", longer, as: .alice
            ).expect(200, Booking.self)
            #expect(extended.total.amount == 4_150)
            #expect(extended.quantity == 27)
            // Two days cost less than a day and seven hours.
            longer = ExtendBody(
                until: booking.start.addingTimeInterval(31 * Self.hour), token: "pm_card_visa")
            longer.difference = 5_600 - 4_150
            let twoDays = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend", longer, as: .alice
            ).expect(200, Booking.self)
            #expect(twoDays.lines.map(\.quantity) == [2])
            #expect(try await bench.balance() == 5_600)
        }
    }

    @Test func aChangeMayNameItsEnd() async throws {
        try await Bench.run { bench in
            let (carPark, hour, _) = try await bench.hoursAndDays()
            let booking = try await bench.confirmed(.init(carPark: carPark, product: hour))
            var change = BookingChange()
            change.end = booking.start.addingTimeInterval(25 * Self.hour)
            let quote = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-change", change, as: .alice
            ).expect(200, BookingChangeQuote.self)
            #expect(quote.difference.amount == 3_250 - 900)
            #expect(quote.lines.map(\.unit) == [.daily, .hourly])
            change.end = booking.start
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-change", change, as: .alice
            ).refused(422, "booking.date_invalid", field: "start")
        }
    }

    /// The day is for other spaces than those that the booking changes to.
    @Test func anotherClassHasItsOwnCombinations() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark { $0.bookable?[.disabled] = 2 }
            let hour = try await bench.product(of: carPark, .hourly, price: 450) {
                $0.classes = [.general, .disabled]
            }
            try await bench.product(of: carPark, .daily, price: 2_800)
            let booking = try await bench.confirmed(
                .init(carPark: carPark, product: hour), quantity: 10)
            #expect(booking.total.amount == 2_800)
            var change = BookingChange()
            change.kind = .disabled
            let quote = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-change", change, as: .alice
            ).expect(200, BookingChangeQuote.self)
            #expect(quote.total.amount == 4_500)
        }
    }

    @Test func anOverstayCostsTheCheapestCombination() async throws {
        try await Bench.run { bench in
            let (carPark, hour, _) = try await bench.hoursAndDays()
            let gate = try await bench.gate(of: carPark)
            let booking = try await bench.confirmed(.init(carPark: carPark, product: hour))
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            _ = try await bench.pass(gate, .in, "ABC 123")
            bench.clock.advance(by: 2 * Self.hour + 23 * Self.hour)
            #expect(try await bench.pass(gate, .out, "ABC 123").due?.amount == 2_800)
        }
    }

    /// Paid by the day, so the vehicle may come back.
    @Test func aBookingByTheHourThatPaysForADayLetsTheVehicleComeBack() async throws {
        try await Bench.run { bench in
            let (carPark, hour, _) = try await bench.hoursAndDays()
            let gate = try await bench.gate(of: carPark)
            let booking = try await bench.confirmed(
                .init(carPark: carPark, product: hour), quantity: 20)
            #expect(booking.paid.amount == 2_800)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            _ = try await bench.pass(gate, .in, "ABC 123")
            bench.clock.advance(by: Self.hour)
            _ = try await bench.pass(gate, .out, "ABC 123")
            #expect(try await bench.booking(booking.id).status == .confirmed)
            bench.clock.advance(by: Self.hour)
            #expect(try await bench.pass(gate, .in, "ABC 123").reason == .booked)
        }
    }

    @Test func theBillSaysWhatIsCombined() async throws {
        try await Bench.run { bench in
            let (carPark, hour, _) = try await bench.hoursAndDays()
            let booking = try await bench.confirmed(
                .init(carPark: carPark, product: hour), quantity: 2)
            let bill = try await bench.database.read {
                try $0.bills.find(booking.id.as(BillID.self))?.bill
            }
            #expect(bill?.lines.map(\.quantity) == [2])
            #expect(bill?.lines[0].unit?[.english] == "hours")
            #expect(bill?.lines[0].unitPrice == Money(amount: 450, currency: "EUR"))
        }
    }

    @Test func aSearchShowsTheCombination() async throws {
        try await Bench.run { bench in
            let (carPark, _, _) = try await bench.hoursAndDays()
            let start = bench.clock.now.addingTimeInterval(7 * 86_400)
            let found = try await bench.call(
                .get,
                "/v1/car-parks?from=\(Wire.text(start))"
                    + "&until=\(Wire.text(start.addingTimeInterval(26 * Self.hour)))", as: nil
            ).expect(200, Page<CarParkSummary>.self)
            #expect(found.items.first { $0.id == carPark.id }?.price?.amount == 3_700)
        }
    }

    /// A stay as the last release stored it has one product, whose price it keeps.
    @Test(.withoutDatabase) func aStayOfTheLastReleaseIsReadAndKeepsItsPrice() throws {
        let text = """
            {"carPark":{"id":"019ab000-0000-7000-8000-000000000701","name":"City Gate",\
            "position":{"latitude":35.9,"longitude":14.5},"timeZone":"Europe/Malta"},\
            "product":{"id":"019ab000-0000-7000-8000-000000000702","name":"Hour","kind":"hourly",\
            "version":1,"price":450},"start":"2026-11-28T08:00:00.000Z",\
            "end":"2026-11-29T08:00:00.000Z","quantity":24,"spaces":2,"kind":"general",\
            "vehicles":[],"price":21600,"currency":"EUR",\
            "cancellation":{"freeUntilHours":24,"lateRefundPercent":50},"overstayFee":0}
            """
        var stay = try Wire.decode(BookingRecord.Stay.self, from: Data(text.utf8))
        #expect(stay.isByTheHour)
        let line = try #require(stay.lines(discount: 0).first)
        #expect((line.amount.amount, line.quantity, line.text) == (21_600, 48, "Hour"))
        stay.charge(LocalDays(TimeZone(identifier: "Europe/Malta")!))
        #expect(stay.price == 21_600)
    }
}

extension Bench {
    /// An hour for 4.50, at most 24 of them, and a day for 28.00.
    fileprivate func hoursAndDays() async throws -> (CarPark, ParkingProduct, ParkingProduct) {
        let carPark = try await carPark()
        let hour = try await product(of: carPark, .hourly, price: 450) { $0.maxQuantity = 24 }
        return (carPark, hour, try await product(of: carPark, .daily, price: 2_800))
    }
}
