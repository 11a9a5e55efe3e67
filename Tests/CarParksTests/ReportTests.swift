import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

@Suite struct ReportTests {
    private func report(
        on carPark: CarParkID, _ bench: Bench, from: Date, until: Date,
        as person: TestPerson = .olivia
    ) async throws -> Answer {
        try await bench.call(
            .get,
            "/v1/admin/car-parks/\(carPark)/report?from=\(Wire.text(from))&until=\(Wire.text(until))",
            as: person)
    }

    @Test func itTellsWhoWasInsideAndWhatWasPaid() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            let from = bench.clock.now
            // One has booked for two hours and stays one and a half; one drives up, and is still inside.
            #expect(try await bench.pass(gate, .in, "ABC 123").open)
            bench.clock.advance(by: 1_800)
            #expect(try await bench.pass(gate, .in, "XYZ 9").open)
            bench.clock.advance(by: 3_600)
            #expect(try await bench.pass(gate, .out, "ABC 123").open)
            bench.clock.advance(by: 7_200)
            let told = try await report(
                on: offer.carPark.id, bench, from: from, until: bench.clock.now
            ).expect(200, CarParkReport.self)
            #expect(told.spaces == 52)
            #expect(told.hours.map(\.vehicles) == [2, 2, 1, 1])
            #expect(told.hours.map(\.at).last == from.addingTimeInterval(3 * 3_600))
            #expect(told.arrivals == 2)
            #expect(told.averageStaySeconds == 5_400)
            #expect(told.bookings == 1)
            #expect(told.revenue == Money(amount: 400, currency: "EUR"))
            #expect(abs((told.turnover ?? 0) - 2.0 / 52 / (3.5 / 24)) < 1e-9)
            // The day before, with nothing in it.
            let before = try await report(
                on: offer.carPark.id, bench, from: from.addingTimeInterval(-86_400), until: from
            ).expect(200, CarParkReport.self)
            #expect(before.hours.count == 24)
            #expect(before.hours.allSatisfy { $0.vehicles == 0 })
            #expect(before.arrivals == 0)
            #expect(before.averageStaySeconds == nil)
            #expect(before.revenue.amount == 0)
        }
    }

    @Test func whatCannotBeToldIsRefused() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let now = bench.clock.now
            for from in [now, now.addingTimeInterval(60), now.addingTimeInterval(-32 * 86_400)] {
                try await report(on: carPark.id, bench, from: from, until: now)
                    .refused(422, "request.invalid", field: "until")
            }
            try await report(
                on: .new(at: now), bench, from: now.addingTimeInterval(-60), until: now
            )
            .refused(404, "car_park.unknown")
            let other = try await report(
                on: carPark.id, bench, from: now.addingTimeInterval(-60), until: now, as: .alice)
            #expect(other.status == 403)
            let usual = try await bench.call(
                .get, "/v1/admin/car-parks/\(carPark.id)/report", as: .olivia
            ).expect(200, CarParkReport.self)
            #expect(usual.until.timeIntervalSince(usual.from) == 86_400)
        }
    }
}
