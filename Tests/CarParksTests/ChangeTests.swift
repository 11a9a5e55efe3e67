import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import CarParks
@testable import Payments

/// Changes and extensions of bookings that come late, go too far, or are paid when nobody waits for it any more; and
/// money that goes back without us.
@Suite struct ChangeTests {
    // MARK: While it is paid

    @Test func whatIsPaidAsTheBookingEndsGoesBack() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            bench.clock.advance(by: booking.end.timeIntervalSince(bench.clock.now) - 30)
            let bill = try await bench.pendingHour(of: booking.id)
            try await bench.payElsewhere(bill.as(BookingID.self))
            bench.clock.advance(by: 31)
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .completed)
            for _ in 1...2 { try await bench.carryEvents() }
            #expect(try await bench.balance() == 400)
            #expect(try await bench.booking(booking.id).end == booking.end)
            let texts = try await bench.notices(to: .alice)
            #expect(texts.contains { $0.contains("came too late, so we’re refunding") })
            // Its hour is free.
            let isFree = try await bench.database.read {
                try $0.row("SELECT 1 AS one FROM allocations WHERE holder = ?", bill) == nil
            }
            #expect(isFree)
        }
    }

    @Test func whatIsBookedElsewhereMeanwhileStandsInItsWay() async throws {
        try await Bench.run { bench in
            let (here, there) = (try await bench.offer(), try await bench.offer())
            let booking = try await bench.confirmed(here)
            let bill = try await bench.pendingHour(of: booking.id)
            let other = try await bench.confirmed(
                there, startsIn: booking.end.timeIntervalSince(bench.clock.now), plate: "OTHER 1")
            try await bench.payElsewhere(bill.as(BookingID.self))
            #expect(try await bench.balance() == 1_000)
            for _ in 1...2 { try await bench.carryEvents() }
            #expect(try await bench.balance() == 800)
            #expect(try await bench.booking(booking.id).end == booking.end)
            #expect(try await bench.booking(other.id).status == .confirmed)
        }
    }

    @Test func aCardThatWantsAFurtherStepChangesNothing() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            var change = BookingChange()
            (change.quantity, change.token) = (3, "pm_card_authenticationRequired")
            let path = "/v1/bookings/\(booking.id)"
            let problem = try await bench.call(.patch, path, change, as: .alice)
                .refused(402, "payment.declined")
            #expect(problem.detail == "This card needs your confirmation. Use another one.")
            #expect(try await bench.booking(booking.id) == booking)
            change.token = "pm_card_visa"
            let longer = try await bench.call(.patch, path, change, as: .alice)
                .expect(200, Booking.self)
            #expect(longer.paid.amount == 600)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
        }
    }

    /// Changed without a key, which no client repeats by itself; and extended with one.
    @Test(arguments: [false, true])
    func aPaymentWhoseAnswerIsLostHasMadeTheChange(isExtended: Bool) async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            bench.faults.meanwhile {
                let bill = try #require(try await bench.pendingBill(of: booking.id))
                try await bench.payElsewhere(bill.as(BookingID.self))
                try await bench.carryEvents()
                throw Refusal.unavailable("It died afterwards.")
            }
            var change = BookingChange()
            (change.quantity, change.token) = (3, "pm_card_visa")
            let answer =
                isExtended
                ? try await bench.extend(booking, key: "once")
                : try await bench.call(
                    .patch, "/v1/bookings/\(booking.id)", change, as: .alice)
            #expect(try answer.expect(200, Booking.self).paid.amount == 600)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
        }
    }

    @Test func whatCouldNotBeConfirmedIsTriedAgainWithItsKey() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            bench.faults.meanwhile { throw Refusal.unavailable("It died before.") }
            try await bench.extend(booking, key: "once").refused(503, "service.unavailable")
            let longer = try await bench.extend(booking, key: "once").expect(200, Booking.self)
            #expect(longer.paid.amount == 600)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
        }
    }

    /// Payments has the first request's attempt under way, and says so to the repeat.
    @Test func aRepeatLeavesTheChangeToTheRequestThatIsUnderWay() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            bench.faults.meanwhile {
                bench.faults.meanwhile { throw Refusal.paymentInProgress }
                try await bench.extend(booking, key: "once").refused(409, "payment.in_progress")
            }
            let longer = try await bench.extend(booking, key: "once").expect(200, Booking.self)
            #expect(longer.paid.amount == 600)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
        }
    }

    @Test func aChangeWithoutAKeyCanBeMadeAnewAtOnce() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            var change = BookingChange()
            (change.quantity, change.token) = (3, "pm_card_visa")
            bench.faults.meanwhile { throw Refusal.unavailable("It died before.") }
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", change, as: .alice)
                .refused(503, "service.unavailable")
            let changed = try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice
            ).expect(200, Booking.self)
            #expect(changed.paid.amount == 600)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
        }
    }

    @Test func aChangeThatNobodyTriesAgainIsGivenUpInTime() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            bench.faults.meanwhile { throw Refusal.unavailable("It died before.") }
            try await bench.extend(booking, key: "once").refused(503, "service.unavailable")
            try await bench.extend(booking, key: "other").refused(409, "booking.change_pending")
            bench.clock.advance(by: BookingLimits.paying)
            await bench.work()
            #expect(try await bench.booking(booking.id) == booking)
            try await bench.extend(booking, key: "other").expect(200, Booking.self)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
        }
    }

    // MARK: Extending

    @Test func whatHasEndedIsExtendedWithinTheGraceAlone() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer, startsIn: 60)
            #expect(try await bench.pass(gate, .in, "ABC 123").reason == .booked)
            func extend(by seconds: TimeInterval, of booking: Booking) async throws -> Answer {
                try await bench.call(
                    .post, "/v1/bookings/\(booking.id)/extend",
                    ExtendBody(
                        until: booking.end.addingTimeInterval(seconds), token: "pm_card_visa"),
                    as: .alice)
            }
            bench.clock.advance(by: booking.end.timeIntervalSince(bench.clock.now) + 60)
            for seconds in [30.0, 60] {
                try await extend(by: seconds, of: booking)
                    .refused(422, "booking.date_invalid", field: "start")
            }
            let longer = try await extend(by: 3_600, of: booking).expect(200, Booking.self)
            #expect(longer.paid.amount == 600)
            bench.clock.advance(
                by: longer.end.timeIntervalSince(bench.clock.now) + BookingLimits.grace + 1)
            let problem = try await extend(by: 7_200, of: longer)
                .refused(422, "booking.date_invalid", field: "start")
            #expect(problem.detail?.contains("leaves") == true)
            // What is beyond it is paid at the exit, once: an hour.
            let out = try await bench.pass(gate, .out, "ABC 123")
            #expect(out.due?.amount == 200)
            #expect(try await bench.balance() == 600)
        }
    }

    @Test func whatHasNotBegunIsNoLongerThanWhatIsSold() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let product = try await bench.product(of: carPark) { $0.maxQuantity = 4 }
            let gate = try await bench.gate(of: carPark)
            let booking = try await bench.confirmed(
                .init(carPark: carPark, product: product), startsIn: 3_600)
            func extend(to hours: Double) async throws -> Answer {
                try await bench.call(
                    .post, "/v1/bookings/\(booking.id)/extend",
                    ExtendBody(
                        until: booking.start.addingTimeInterval(hours * 3_600),
                        token: "pm_card_visa"), as: .alice)
            }
            try await extend(to: 5).refused(422, "booking.product_invalid", field: "productId")
            try await extend(to: 4).expect(200, Booking.self)
            bench.clock.advance(by: 3_600)
            #expect(try await bench.pass(gate, .in, "ABC 123").reason == .booked)
            #expect(try await extend(to: 5).expect(200, Booking.self).quantity == 5)
        }
    }

    @Test func nothingIsExtendedBeyondTheTimeAhead() async throws {
        try await Bench.run(limits: BookingLimits(ahead: 10 * 86_400)) { bench in
            let offer = try await bench.offer(.daily)
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer, startsIn: 60, quantity: 1)
            #expect(try await bench.pass(gate, .in, "ABC 123").reason == .booked)
            func extend(to days: Double) async throws -> Answer {
                try await bench.call(
                    .post, "/v1/bookings/\(booking.id)/extend",
                    ExtendBody(
                        until: booking.start.addingTimeInterval(days * 86_400),
                        token: "pm_card_visa"), as: .alice)
            }
            try await extend(to: 11).refused(422, "booking.date_invalid", field: "start")
            #expect(try await extend(to: 10).expect(200, Booking.self).quantity == 10)
        }
    }

    // MARK: Going back

    @Test func whatAnOperatorOfPaymentsGaveBackIsNotGivenBackAgain() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            try await bench.giveBack(100)
            let known = try await bench.booking(booking.id)
            #expect(known.paid.amount == 300)
            #expect(known.version > booking.version)
            let report = try await bench.report(
                on: offer.carPark.id, from: booking.start, until: booking.end)
            #expect(report.revenue.amount == 300)
            let cancelled = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/cancel", as: .alice
            ).expect(200, BookingCancellation.self)
            #expect(cancelled.refund.amount == 300)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 0)
            try await bench.hearOfRefunds()
            #expect(try await bench.booking(booking.id).paid.amount == 0)
            #expect(try await bench.booking(booking.id).version == cancelled.booking.version)
        }
    }
}

extension Bench {
    /// By an hour.
    fileprivate func extend(_ booking: Booking, key: String) async throws -> Answer {
        try await call(
            .post, "/v1/bookings/\(booking.id)/extend",
            ExtendBody(until: booking.end.addingTimeInterval(3_600), token: "pm_card_visa"),
            as: .alice, key: key)
    }

    fileprivate func pendingBill(of id: BookingID) async throws -> BillID? {
        try await database.read { try $0.bookings.find(id)?.pending?.bill }
    }

    /// A change to an hour longer that is being paid, as it is between its two transactions.
    fileprivate func pendingHour(of id: BookingID) async throws -> BillID {
        let now = clock.now
        return try await database.write { transaction in
            var booking = try transaction.bookings.require(id, of: nil)
            var stay = booking.stay
            stay.quantity += 1
            (stay.end, stay.price) = (stay.end.addingTimeInterval(3_600), stay.price + 200)
            let pending = BookingRecord.Pending(
                bill: .new(at: now), stay: stay, difference: booking.difference(to: stay))
            booking.pending = pending
            try transaction.inventory.allocate(stay.allocation(of: pending.bill, id), of: 40)
            try transaction.bills.publish(booking.bill(of: pending), booking: id, at: now)
            try transaction.bookings.update(&booking)
            try transaction.schedule(
                BookingWork.change, pending.bill, at: now.addingTimeInterval(BookingLimits.paying))
            return pending.bill
        }
    }
}
