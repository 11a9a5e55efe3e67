import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import CarParks
@testable import Payments

/// What drivers are told before they are charged: tax on top of prices without tax, and then their receipts.
@Suite struct AddedTaxTests {
    private static let hour: TimeInterval = 3_600

    @Test func aBookingIsQuotedAtWhatIsCharged() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let plain = try await bench.quote(offer)
            #expect((plain.total.amount, plain.tax, plain.totalWithTax) == (500, nil, plain.total))
            try await bench.taxOnTop(18_000)
            let quote = try await bench.quote(offer)
            #expect((quote.total.amount, quote.tax?.amount) == (500, 90))
            #expect(quote.totalWithTax.amount == 590)
            let body = bench.body(offer, [try await bench.vehicle()])
            let held = try await bench.book(body).expect(201, Booking.self)
            let paid = try await bench.pay(held.id).expect(200, BookingPayment.self)
            #expect(paid.payment?.amount == quote.totalWithTax)
        }
    }

    @Test func aChangeIsQuotedAtWhatIsCharged() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            #expect(try await bench.balance() == 472)
            var change = BookingChange()
            change.quantity = 5
            let longer = try await bench.quote(booking, change)
            #expect((longer.difference.amount, longer.tax?.amount) == (600, 108))
            #expect(longer.differenceWithTax.amount == 708)
            change.token = "pm_card_visa"
            change.difference = longer.difference.amount
            let changed = try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice
            ).expect(200, Booking.self)
            #expect(try await bench.balance() == 472 + 708)
            var more = ExtendBody(
                until: changed.end.addingTimeInterval(Self.hour), token: "pm_card_visa")
            let extended = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-extension", more, as: .alice
            ).expect(200, BookingChangeQuote.self)
            #expect(extended.differenceWithTax.amount == 236)
            more.difference = extended.difference.amount
            try await bench.call(.post, "/v1/bookings/\(booking.id)/extend", more, as: .alice)
                .expect(200, Booking.self)
            #expect(try await bench.balance() == 472 + 708 + 236)
            // Of three payments, the latest first.
            change.quantity = 1
            let shorter = try await bench.quote(booking, change)
            #expect((shorter.difference.amount, shorter.tax?.amount) == (-1_000, -180))
            #expect(shorter.differenceWithTax.amount == -1_180)
            change.difference = shorter.difference.amount
            let back = try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice
            ).expect(200, Booking.self)
            #expect((back.paid.amount, back.paidTax?.amount) == (200, 36))
            #expect((back.refunded?.amount, back.refundedTax?.amount) == (1_000, 180))
            try await bench.carryEvents()
            #expect(try await bench.balance() == 236)
            #expect(try await bench.isTold("We’ll refund €11.80."))
        }
    }

    /// All of it, or by the policy half of it, with half a cent of tax rounded up.
    @Test(arguments: [(25.0, 45, 295), (23.0, 23, 148)])
    func aCancellationTellsWhatComesBack(hoursBefore: Double, tax: Int, back: Int) async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let booking = try await bench.confirmed(try await bench.offer(price: 125))
            #expect((booking.paid.amount, booking.paidTax?.amount) == (250, 45))
            #expect((booking.refunded, booking.refundedTax) == (nil, nil))
            bench.clock.advance(
                by: booking.start.timeIntervalSince(bench.clock.now) - hoursBefore * Self.hour)
            let cancelled = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/cancel", as: .alice
            ).expect(200, BookingCancellation.self)
            #expect(cancelled.refund.amount == back)
            #expect(cancelled.booking.refundedTax?.amount == tax)
            #expect(cancelled.booking.paidTax?.amount == 45 - tax)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 295 - back)
            #expect(try await bench.isTold("We’ll refund €\(Double(back) / 100)."))
        }
    }

    /// The tax of a refund by payments’ operators goes back only once, and is paid again if the refund fails.
    @Test func aRefundByAnOperatorTakesItsTaxAlong() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let booking = try await bench.confirmed(try await bench.offer())
            try await bench.giveBack(236)
            let known = try await bench.booking(booking.id)
            #expect((known.paid.amount, known.paidTax?.amount) == (200, 36))
            #expect((known.refunded?.amount, known.refundedTax?.amount) == (200, 36))
            try await bench.hearOfFailedRefunds()
            let failed = try await bench.booking(booking.id)
            #expect((failed.paid.amount, failed.paidTax?.amount) == (400, 72))
            #expect((failed.refunded, failed.refundedTax) == (nil, nil))
        }
    }

    @Test func withoutTaxOnTopABookingTellsNone() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            #expect((booking.paid.amount, booking.paidTax) == (400, nil))
            var change = BookingChange()
            change.quantity = 1
            let shorter = try await bench.quote(booking, change)
            #expect((shorter.tax, shorter.differenceWithTax) == (nil, shorter.difference))
        }
    }

    /// A price without its tax would be wrong.
    @Test func nothingIsQuotedWithoutItsTax() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            bench.faults.happen(inPercent: 100)
            try await bench.ask(for: offer).refused(503, "service.unavailable")
            bench.faults.happen(inPercent: 0)
            _ = try await bench.quote(offer)
        }
    }

    @Test func aFineIsToldAsItIsCharged() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            _ = try await bench.vehicle()
            let body = FineBody(
                plate: "ABC 123", carParkId: try await bench.carPark().id, amount: 4_000,
                reason: "No ticket.")
            let fine = try await bench.call(.post, "/v1/admin/fines", body, as: .olivia)
                .expect(201, Fine.self)
            let path = "/v1/fines/\(fine.id)"
            try await bench.call(.get, path + "/charge", as: .bob).refused(404, "fine.unknown")
            let told = try await bench.call(.get, path + "/charge", as: .alice)
                .expect(200, BillCharge.self)
            #expect((told.charge.amount, told.tax?.amount) == (4_720, 720))
            #expect(try await bench.isTold("ABC 123 was fined €47.20 at City Gate"))
            let paid = try await bench.call(
                .post, path + "/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, FinePayment.self)
            #expect(paid.payment.amount == told.charge)
            // The receipt is the payer's.
            #expect(paid.fine.paidBill == paid.payment.bill)
            let seen = try await bench.call(.get, path, as: .olivia).expect(200, Fine.self)
            #expect((seen.status, seen.paidBill) == (.paid, nil))
            #expect(try await bench.isTold("We received €47.20 for your fine"))
        }
    }

    @Test func aStayIsToldAsItIsCharged() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let (gate, stay) = try await bench.drivenUp()
            let path = "/v1/parking-sessions/\(stay)"
            #expect(try await bench.due(path).due == nil)
            try await bench.call(.get, path + "/due", as: .bob)
                .refused(404, "parking_session.unknown")
            bench.clock.advance(by: Self.hour + 60)
            let told = try await bench.due(path)
            #expect(told.lines.map(\.amount.amount) == [400])
            #expect((told.due?.amount, told.tax?.amount) == (472, 72))
            #expect(told.secondsToLeave == 900)
            let paid = try await bench.call(
                .post, path + "/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, PaymentAnswer.self).payment
            #expect(paid.amount == told.due)
            #expect(try await bench.due(path).due == nil)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
            #expect(try await bench.stays().map(\.paidBills) == [[paid.bill]])
        }
    }

    /// The bill was made when the vehicle left.
    @Test func aBillOfAStayThatIsOverIsTold() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let (gate, stay) = try await bench.drivenUp()
            bench.clock.advance(by: Self.hour + 60)
            #expect(try await bench.pass(gate, .out, "ABC123", ago: 120).reason == .billed)
            bench.clock.advance(by: 86_400)
            let told = try await bench.due("/v1/parking-sessions/\(stay)")
            #expect((told.due?.amount, told.tax?.amount) == (236, 36))
            #expect(told.lines.map(\.amount.amount) == [200])
        }
    }

    @Test func aStayThatIsBilledLaterIsToldAsItIsCharged() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let (_, stay) = try await bench.drivenUp()
            bench.clock.advance(by: Self.hour + 60)
            try await bench.end(stay, .later)
            #expect(try await bench.isTold("You owe €4.72 for your stay"))
            try await bench.call(
                .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                as: .alice
            ).expect(200, PaymentAnswer.self)
            try await bench.giveBack(118)
            let known = try #require(try await bench.stays().first)
            #expect((known.refunded?.amount, known.refundedTax?.amount) == (100, 18))
            try await bench.hearOfFailedRefunds()
            let failed = try #require(try await bench.stays().first)
            #expect((failed.refunded, failed.refundedTax) == (nil, nil))
        }
    }

    @Test func anOverstayIsToldAsItIsCharged() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 3.5 * Self.hour)
            let exit = try await bench.pass(gate, .out, "ABC123")
            // An open gate waits for no tax.
            #expect((exit.reason, exit.due?.amount) == (.billed, 400))
            #expect(try await bench.isTold("Please pay €4.72 for the extra time"))
        }
    }
}

extension Bench {
    fileprivate func ask(for offer: Offer) async throws -> Answer {
        let start = Wire.text(clock.now.addingTimeInterval(7 * 86_400))
        return try await call(
            .get,
            "/v1/car-parks/\(offer.carPark.id)/quote?productId=\(offer.product.id)&start=\(start)"
                + "&quantity=2")
    }

    fileprivate func quote(_ offer: Offer) async throws -> ParkingQuote {
        try await ask(for: offer).expect(200, ParkingQuote.self)
    }

    fileprivate func quote(
        _ booking: Booking, _ change: BookingChange
    ) async throws -> BookingChangeQuote {
        try await call(.post, "/v1/bookings/\(booking.id)/quote-change", change, as: .alice)
            .expect(200, BookingChangeQuote.self)
    }

    /// Alice has driven up without a booking, at 2.00 an hour.
    fileprivate func drivenUp() async throws -> (NewGate, ParkingSessionID) {
        let gate = try await gate(of: try await offer().carPark)
        _ = try await vehicle()
        return (gate, try #require(try await pass(gate, .in, "ABC123").session))
    }

    fileprivate func due(_ path: String) async throws -> ParkingDue {
        try await call(.get, path + "/due", as: .alice).expect(200, ParkingDue.self)
    }

    fileprivate func stays() async throws -> [ParkingSession] {
        try await call(.get, "/v1/me/parking-sessions", as: .alice)
            .expect(200, Page<ParkingSession>.self).items
    }
}
