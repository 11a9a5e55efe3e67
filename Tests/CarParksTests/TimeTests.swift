import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Bookings over midnight and over a change of clocks, and how operators find them.
@Suite struct TimeTests {
    @Test func aDayLastsUntilTheSameTimeOfDayThoughClocksChange() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1, .daily, price: 1_500)
            let zone = try #require(TimeZone(identifier: offer.carPark.timeZone))
            let change = try #require(zone.nextDaylightSavingTimeTransition(after: bench.clock.now))
            let start = change.addingTimeInterval(-10 * 3_600)
            let shift = zone.secondsFromGMT(for: change) - zone.secondsFromGMT(for: start)
            #expect(abs(shift) == 3_600)
            let body = bench.body(
                offer, [try await bench.vehicle()],
                startsIn: start.timeIntervalSince(bench.clock.now), quantity: 1)
            let booking = try await bench.book(body).expect(201, Booking.self)
            #expect(booking.end == booking.start.addingTimeInterval(86_400 - Double(shift)))
            #expect(booking.total.amount == 1_500)
            // The space is taken for exactly so long.
            let availability = try await bench.call(
                .get,
                "/v1/car-parks/\(offer.carPark.id)/availability?from=\(Wire.text(booking.start))"
                    + "&until=\(Wire.text(booking.end.addingTimeInterval(3_600)))", as: nil
            ).expect(200, Availability.self)
            #expect(availability.steps.last?.free == 1)
            #expect(availability.steps.dropLast().allSatisfy { $0.free == 0 })
        }
    }

    @Test func hoursGoOverMidnight() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let carPark = try #require(
                try await bench.database.read { try $0.carParks.find(offer.carPark.id) })
            let day = carPark.days.day(of: bench.clock.now, offset: 3)
            let start = carPark.days.start(of: day).addingTimeInterval(-1_800)
            let body = bench.body(
                offer, [try await bench.vehicle()],
                startsIn: start.timeIntervalSince(bench.clock.now), quantity: 3)
            let booking = try await bench.book(body).expect(201, Booking.self)
            #expect(booking.end == booking.start.addingTimeInterval(3 * 3_600))
            // Its first day is the one before.
            #expect(booking.editableUntil == carPark.days.start(of: carPark.days.day(of: start)))
        }
    }

    @Test func operatorsFilterStays() async throws {
        try await Bench.run { bench in
            let (here, there) = (try await bench.carPark(), try await bench.carPark())
            let (gate, other) = (
                try await bench.gate(of: here), try await bench.gate(of: there)
            )
            let path = "/v1/admin/parking-sessions"
            func found(_ query: String) async throws -> [String] {
                try await bench.call(.get, "\(path)?\(query)", as: .olivia)
                    .expect(200, Page<ParkingSession>.self).items.map(\.plate)
            }
            #expect(try await found("") == [])
            // Over midnight in Malta: from 22:30 in UTC on the first day.
            bench.clock.advance(by: 14.5 * 3_600)
            let first = Wire.text(bench.clock.now).prefix(10)
            _ = try await bench.pass(gate, .in, "ONE 1")
            bench.clock.advance(by: 3_600)
            _ = try await bench.pass(other, .in, "TWO 2")
            let second = Wire.text(bench.clock.now.addingTimeInterval(3_600)).prefix(10)
            bench.clock.advance(by: 600)
            _ = try await bench.pass(other, .out, "TWO 2")
            #expect(try await found("") == ["TWO2", "ONE1"])
            #expect(try await found("state=inside") == ["ONE1"])
            #expect(try await found("state=ended") == ["TWO2"])
            #expect(try await found("carParkId=\(here.id)") == ["ONE1"])
            #expect(try await found("plate=two-2") == ["TWO2"])
            #expect(try await found("day=\(first)") == ["TWO2", "ONE1"])
            #expect(try await found("day=\(second)") == ["ONE1"])
            #expect(try await found("day=\(second)&carParkId=\(there.id)") == ["TWO2"])
            #expect(try await found("day=2020-01-01") == [])
            let page = try await bench.call(.get, "\(path)?limit=1", as: .olivia)
                .expect(200, Page<ParkingSession>.self)
            #expect(try await found("after=\(try #require(page.next))") == ["ONE1"])
            for (query, field) in [
                ("state=gone", "state"), ("day=yesterday", "day"), ("carParkId=x", "carParkId"),
                ("after=x", "after"),
            ] {
                try await bench.call(.get, "\(path)?\(query)", as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
            try await bench.call(.get, path, as: .alice).refused(403, "auth.role")
        }
    }

    @Test func operatorsFilterBookings() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            _ = try await bench.offer()
            func found(_ query: String) async throws -> [BookingID] {
                try await bench.call(.get, "/v1/bookings?\(query)", as: .olivia)
                    .expect(200, Page<Booking>.self).items.map(\.id)
            }
            let day = Wire.text(booking.start).prefix(10)
            #expect(try await found("carParkId=\(booking.carPark.id)") == [booking.id])
            #expect(try await found("carParkId=\(CarParkID.new(at: bench.clock.now))") == [])
            #expect(try await found("plate=abc123") == [booking.id])
            #expect(try await found("plate=abc124") == [])
            #expect(try await found("day=\(day)") == [booking.id])
            #expect(try await found("day=2020-01-01") == [])
        }
    }
}
