import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// No account empties a car park without paying.
@Suite struct UnpaidHoldTests {
    private static let day: TimeInterval = 86_400

    // MARK: One vehicle

    @Test func ofFiftyHoldsForOneVehicleOneIsMade() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<50 { group.addTask { try await bench.book(body) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 201 } == 1)
            for answer in answers where answer.status != 201 {
                try answer.refused(409, "booking.overlaps")
            }
        }
    }

    /// Hours after the start of a booking of two hours, and how many.
    @Test(arguments: [(0.0, 2), (1, 2), (-1, 2), (0, 1), (1, 1), (-1, 4)])
    func aVehicleHasOneSpaceAtATime(hours: Double, quantity: Int) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let (one, two) = (
                try await bench.vehicle(plate: "ONE 1"), try await bench.vehicle(plate: "TWO 2")
            )
            let first = try await bench.book(bench.body(offer, [one])).expect(201, Booking.self)
            let start = 7 * Self.day + hours * 3_600
            let same = bench.body(offer, [one], startsIn: start, quantity: quantity)
            let problem = try await bench.book(same).refused(409, "booking.overlaps")
            #expect(problem.bookingId == first.id)
            // Nor as one of several.
            var both = bench.body(offer, [two, one], startsIn: start, quantity: quantity)
            both.spaces = 2
            try await bench.book(both).refused(409, "booking.overlaps")
            // Also after it is paid, and under the same plate.
            try await bench.pay(first.id).expect(200, BookingPayment.self)
            let again = try await bench.vehicle(plate: "one-1")
            try await bench.book(bench.body(offer, [again], startsIn: start, quantity: quantity))
                .refused(409, "booking.overlaps")
            // Another vehicle has a space of its own.
            try await bench.book(bench.body(offer, [two], startsIn: start, quantity: quantity))
                .expect(201, Booking.self)
        }
    }

    @Test func beforeAndAfterItAVehicleMayBeBooked() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let vehicle = try await bench.vehicle()
            for hours in [0.0, 2, -2] {
                let start = 7 * Self.day + hours * 3_600
                try await bench.book(bench.body(offer, [vehicle], startsIn: start))
                    .expect(201, Booking.self)
            }
        }
    }

    @Test func noChangeTakesASecondSpaceForAVehicle() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let first = try await bench.confirmed(offer)
            let second = try await bench.confirmed(
                offer, startsIn: first.end.timeIntervalSince(bench.clock.now))
            try await bench.call(
                .post, "/v1/bookings/\(first.id)/extend",
                ExtendBody(until: first.end.addingTimeInterval(3_600), token: "pm_card_visa"),
                as: .alice
            ).refused(409, "booking.overlaps")
            var change = BookingChange()
            change.start = second.start.addingTimeInterval(-3_600)
            try await bench.call(.patch, "/v1/bookings/\(second.id)", change, as: .alice)
                .refused(409, "booking.overlaps")
            for booking in [first, second] {
                #expect(try await bench.booking(booking.id) == booking)
            }
            #expect(try await bench.balance() == 800)
        }
    }

    // MARK: Several

    @Test func threeBookingsMayBeUnpaid() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let vehicle = try await bench.vehicle()
            let bodies = (7...26).map {
                bench.body(offer, [vehicle], startsIn: Double($0) * Self.day)
            }
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for body in bodies { group.addTask { try await bench.book(body) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let held = try answers.filter { $0.status == 201 }
                .map { try $0.expect(201, Booking.self) }
            #expect(held.count == UnpaidHolds.most)
            for answer in answers where answer.status != 201 {
                try answer.refused(409, "booking.too_many")
            }
            let next = bench.body(offer, [vehicle], startsIn: 40 * Self.day)
            try await bench.book(next).refused(409, "booking.too_many")
            try await bench.pay(held[0].id).expect(200, BookingPayment.self)
            let fourth = try await bench.book(next).expect(201, Booking.self)
            let fifth = bench.body(offer, [vehicle], startsIn: 41 * Self.day)
            try await bench.book(fifth).refused(409, "booking.too_many")
            try await bench.cancel(fourth)
            try await bench.book(fifth).expect(201, Booking.self)
            // They are one person's.
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            try await bench.book(bench.body(offer, [bobs]), as: .bob).expect(201, Booking.self)
        }
    }

    // MARK: Waits

    @Test func eachHoldThatLapsesMakesTheNextWaitLonger() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            try await bench.lapse(body)
            for wait in [300, 600, 1_200, 2_400] {
                // A second has passed since the hold ended.
                try await bench.lapse(body)
                let problem = try await bench.book(body).refused(429, "booking.too_soon")
                #expect(problem.retryAfterSeconds == wait - 1)
                bench.clock.advance(by: Double(wait - 2))
                let last = try await bench.book(body).refused(429, "booking.too_soon")
                #expect(last.retryAfterSeconds == 1)
                bench.clock.advance(by: 1)
            }
            // Nobody else waits, and neither does this person after a day.
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            try await bench.book(bench.body(offer, [bobs]), as: .bob).expect(201, Booking.self)
            bench.clock.advance(by: Self.day)
            try await bench.lapse(bench.body(offer, body.vehicleIds))
            try await bench.book(bench.body(offer, body.vehicleIds)).expect(201, Booking.self)
        }
    }

    @Test(.withoutDatabase) func waitsGrowUpToADay() {
        let waits = (0...12).map { UnpaidHolds.wait(after: $0) }
        #expect(Array(waits.prefix(5)) == [0, 0, 300, 600, 1_200])
        #expect(waits == waits.sorted())
        #expect(waits.last == Self.day)
        #expect(UnpaidHolds.wait(after: 5_000) == Self.day)
    }

    @Test func aHoldThatIsGivenUpAtOnceHardlyCounts() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            for _ in 1...10 {
                let held = try await bench.book(body).expect(201, Booking.self)
                bench.clock.advance(by: 30)
                try await bench.cancel(held)
            }
            let paid = try await bench.book(body).expect(201, Booking.self)
            try await bench.pay(paid.id).expect(200, BookingPayment.self)
        }
    }

    @Test func aHoldThatIsGivenUpAtOnceBeginsNoWait() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            for _ in 1...2 { try await bench.lapse(body) }
            bench.clock.advance(by: 300)
            let held = try await bench.book(body).expect(201, Booking.self)
            bench.clock.advance(by: 30)
            try await bench.cancel(held)
            try await bench.book(body).expect(201, Booking.self)
        }
    }

    @Test func bookingAndCancellingInALoopEndsInAWait() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            for _ in 1...90 { try await bench.cancel(bench.book(body).expect(201, Booking.self)) }
            let problem = try await bench.book(body).refused(429, "booking.too_soon")
            #expect(problem.retryAfterSeconds == 300)
        }
    }

    @Test func aHoldThatIsGivenUpBeforeItLapsesCounts() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            for _ in 1...2 {
                let held = try await bench.book(body).expect(201, Booking.self)
                bench.clock.advance(by: 590)
                try await bench.cancel(held)
            }
            let problem = try await bench.book(body).refused(429, "booking.too_soon")
            #expect(problem.retryAfterSeconds == 300)
        }
    }

    @Test func whatWasPaidDoesNotCount() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            for _ in 1...4 {
                let booking = try await bench.confirmed(offer)
                bench.clock.advance(by: 3_600)
                try await bench.cancel(booking)
            }
            _ = try await bench.confirmed(offer)
            #expect(try await bench.alerts() == [])
        }
    }

    // MARK: Operators

    @Test func operatorsAreAlertedOnceAboutHoldsThatLapse() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let vehicle = try await bench.vehicle()
            func lapseThree() async throws {
                for day in [7.0, 8, 9] {
                    try await bench.book(bench.body(offer, [vehicle], startsIn: day * Self.day))
                        .expect(201, Booking.self)
                }
                bench.clock.advance(by: 601)
                await bench.work()
            }
            try await lapseThree()
            let alerts = try await bench.alerts()
            #expect(alerts.count == 1)
            #expect(
                alerts.first?.hasPrefix("Within a day, one customer left 3 bookings unpaid") == true
            )
            bench.clock.advance(by: 600)
            try await lapseThree()
            #expect(try await bench.alerts().count == 1)
            bench.clock.advance(by: Self.day)
            try await lapseThree()
            #expect(try await bench.alerts().count == 2)
        }
    }
}

extension Bench {
    /// Books, and does not pay in time; a second later.
    fileprivate func lapse(_ body: BookingBody) async throws {
        let held = try await book(body).expect(201, Booking.self)
        clock.advance(by: 601)
        await work()
        #expect(try await booking(held.id).status == .expired)
    }

    fileprivate func cancel(_ booking: Booking) async throws {
        try await call(.post, "/v1/bookings/\(booking.id)/cancel", as: .alice)
            .expect(200, BookingCancellation.self)
    }

    /// English texts for operators.
    fileprivate func alerts() async throws -> [String] {
        try await outboxEvents(of: NoticeIssued.self, in: database).flatMap(\.notice.messages)
            .filter { $0.to == .operators }.compactMap { $0.text?[.english] }
    }
}
