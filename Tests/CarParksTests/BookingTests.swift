import Answers
import Contracts
import Foundation
import HTTPTypes
import ServiceKit
import Store
import Support
import Testing

@testable import CarParks

/// From the quote to the end of a booking, with what is paid for it.
@Suite struct BookingTests {
    @Test func whatIsQuotedIsBookedPaidAndConfirmed() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(.daily, price: 1_500)
            let start = bench.clock.now.addingTimeInterval(7 * 86_400)
            let quote = try await bench.call(
                .get,
                "/v1/car-parks/\(offer.carPark.id)/quote?productId=\(offer.product.id)"
                    + "&start=\(Wire.text(start))&quantity=2", as: nil
            ).expect(200, ParkingQuote.self)
            #expect(quote.total == Money(amount: 3_000, currency: "EUR"))
            #expect(quote.end == start.addingTimeInterval(2 * 86_400))

            let vehicle = try await bench.vehicle()
            let held = try await bench.book(bench.body(offer, [vehicle])).expect(201, Booking.self)
            #expect(held.status == .held)
            #expect(held.total == quote.total)
            #expect(held.holdExpiresAt == bench.clock.now.addingTimeInterval(600))
            #expect(held.reference.wholeMatch(of: /[A-Z2-9]{3}-[A-Z2-9]{3}/) != nil)
            #expect(held.vehicles.map(\.plate) == ["ABC 123"])

            let paid = try await bench.pay(held.id).expect(200, BookingPayment.self)
            #expect(paid.booking.status == .confirmed)
            #expect(paid.payment?.amount == quote.total)
            #expect(paid.booking.holdExpiresAt == nil)
            // Once more is the same.
            let again = try await bench.pay(held.id).expect(200, BookingPayment.self)
            #expect(again.payment?.id == paid.payment?.id)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 3_000)
            #expect(try await bench.booking(held.id).version == paid.booking.version)
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.pricedAt == held.createdAt)
            bench.expectPlace(of: bill, offer.carPark)
        }
    }

    @Test func whoIsDeclinedKeepsTheHoldAndMayTryAgain() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let held = try await bench.book(bench.body(offer, [try await bench.vehicle()]))
                .expect(201, Booking.self)
            let refused = try await bench.pay(held.id, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            #expect(refused.detail?.isEmpty == false)
            #expect(try await bench.booking(held.id).status == .held)
            #expect(
                try await bench.pay(held.id).expect(200, BookingPayment.self).booking.status
                    == .confirmed)
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func aHoldThatIsNotPaidExpiresAndItsSpaceIsFree() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            let vehicle = try await bench.vehicle()
            let held = try await bench.book(bench.body(offer, [vehicle])).expect(201, Booking.self)
            try await bench.book(bench.body(offer, [vehicle])).refused(409, "booking.full")
            bench.clock.advance(by: 601)
            try await bench.pay(held.id).refused(409, "booking.hold_expired")
            await bench.work()
            #expect(try await bench.booking(held.id).status == .expired)
            try await bench.pay(held.id).refused(409, "booking.hold_expired")
            try await bench.book(bench.body(offer, [vehicle])).expect(201, Booking.self)
            #expect(try await bench.balance() == 0)
        }
    }

    @Test func aBookingThatIsCancelledWhileItIsPaidIsNotPossibleAnyMore() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            let held = try await bench.book(body).expect(201, Booking.self)
            bench.faults.meanwhile {
                try await bench.call(.post, "/v1/bookings/\(held.id)/cancel", as: .alice)
                    .expect(200, BookingCancellation.self)
            }
            try await bench.pay(held.id).refused(409, "booking.not_possible")
            #expect(try await bench.balance() == 0)
        }
    }

    /// The payer's own way to payments: no word of it comes here before the hold is over.
    @Test func moneyThatComesAfterTheHoldGoesBack() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let held = try await bench.book(bench.body(offer, [try await bench.vehicle()]))
                .expect(201, Booking.self)
            try await bench.payElsewhere(held.id)
            #expect(try await bench.balance() == 400)
            bench.clock.advance(by: 601)
            await bench.work()
            try await bench.carryEvents()
            try await bench.carryEvents()
            #expect(try await bench.booking(held.id).status == .expired)
            #expect(try await bench.balance() == 0)
        }
    }

    /// Both have died before either told the other.
    @Test func aPaymentThatWasNotHeardOfConfirmsWhenItsEventComes() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let held = try await bench.book(bench.body(offer, [try await bench.vehicle()]))
                .expect(201, Booking.self)
            try await bench.payElsewhere(held.id)
            try await bench.carryEvents()
            #expect(try await bench.booking(held.id).status == .confirmed)
            #expect(
                try await bench.pay(held.id).expect(200, BookingPayment.self).booking.status
                    == .confirmed)
            #expect(try await bench.balance() == 400)
        }
    }

    // MARK: Changes

    @Test func whatIsDearerIsPaidAndWhatIsCheaperGoesBack() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            var change = BookingChange()
            change.quantity = 5
            let quote = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-change", change, as: .alice
            ).expect(200, BookingChangeQuote.self)
            #expect(quote.difference.amount == 600)
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", change, as: .alice)
                .refused(422, "booking.payment_required")
            change.token = "pm_card_visa"
            let longer = try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice,
                headers: [.ifMatch: ETag.text(booking.version)]
            ).expect(200, Booking.self)
            #expect(longer.end == booking.start.addingTimeInterval(5 * 3_600))
            #expect(longer.paid.amount == 1_000)
            #expect(try await bench.balance() == 1_000)

            change.quantity = 1
            try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice,
                headers: [.ifMatch: ETag.text(booking.version)]
            ).refused(412, "request.precondition_failed")
            let shorter = try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice
            ).expect(200, Booking.self)
            #expect(shorter.paid.amount == 200)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 200)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 200)
        }
    }

    @Test func aChangeThatIsDeclinedLeavesTheBookingAsItWas() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            let booking = try await bench.confirmed(offer)
            var change = BookingChange()
            change.quantity = 4
            change.token = "pm_card_visa_chargeDeclined"
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", change, as: .alice)
                .refused(402, "payment.declined")
            let after = try await bench.booking(booking.id)
            #expect(after.end == booking.end)
            #expect(after.version == booking.version)
            // Its space is what it was: the hours after it are free.
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            var body = bench.body(offer, [bobs])
            body.start = booking.end
            try await bench.book(body, as: .bob).expect(201, Booking.self)
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func aChangeKeepsThePriceThatTheBookingWasMadeAt() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            let dearer = ParkingProductBody(name: "hourly", kind: .hourly, price: 900)
            try await bench.call(
                .put, "/v1/admin/car-parks/\(offer.carPark.id)/products/\(offer.product.id)",
                dearer, as: .olivia
            ).expect(200, ParkingProduct.self)
            var change = BookingChange()
            change.quantity = 3
            change.token = "pm_card_visa"
            let longer = try await bench.call(
                .patch, "/v1/bookings/\(booking.id)", change, as: .alice
            ).expect(200, Booking.self)
            #expect(longer.total.amount == 600)
            #expect(longer.product.version == 1)
        }
    }

    @Test func aPriceThatNobodyWasToldIsRefusedAndNothingIsTaken() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            var body = bench.body(offer, [try await bench.vehicle()])
            body.total = 400
            let path = "/v1/admin/car-parks/\(offer.carPark.id)/products/\(offer.product.id)"
            let dearer = ParkingProductBody(name: "hourly", kind: .hourly, price: 300)
            try await bench.call(.put, path, dearer, as: .olivia).expect(200, ParkingProduct.self)
            let problem = try await bench.book(body).refused(409, "booking.price_changed")
            #expect(problem.amount == Money(amount: 600, currency: "EUR"))
            body.total = 600
            let booking = try await bench.book(body).expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)

            let other = try await bench.product(of: offer.carPark, .daily, price: 900)
            var change = BookingChange()
            (change.productId, change.quantity) = (other.id, 1)
            (change.difference, change.token) = (200, "pm_card_visa")
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", change, as: .alice)
                .refused(409, "booking.price_changed")
            var longer = ExtendBody(
                until: booking.end.addingTimeInterval(60), token: "pm_card_visa")
            longer.difference = 200
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend", longer, as: .alice
            ).refused(409, "booking.price_changed")
            #expect(try await bench.booking(booking.id).version == booking.version + 1)
            #expect(try await bench.balance() == 600)
            change.difference = 300
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", change, as: .alice)
                .expect(200, Booking.self)
            #expect(try await bench.balance() == 900)
        }
    }

    @Test func aChangeWhoseTimeEndsWhileItIsPaidIsNotPossibleAnyMore() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            let longer = ExtendBody(
                until: booking.end.addingTimeInterval(3_600), token: "pm_card_visa")
            bench.faults.meanwhile {
                bench.clock.advance(by: BookingLimits.paying + 1)
                await bench.work()
            }
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend", longer, as: .alice
            ).refused(409, "booking.not_possible")
            #expect(try await bench.balance() == booking.paid.amount)
        }
    }

    @Test func whatIsNotOfferedAnyMoreCanStillBeMadeLonger() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            let path = "/v1/admin/car-parks/\(offer.carPark.id)/products/\(offer.product.id)"
            var body = ParkingProductBody(name: "hourly", kind: .hourly, price: 200)
            body.isOffered = false
            try await bench.call(.put, path, body, as: .olivia).expect(200, ParkingProduct.self)
            let longer = ExtendBody(
                until: booking.end.addingTimeInterval(3_600), token: "pm_card_visa")
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend", longer, as: .alice
            ).expect(200, Booking.self)
            try await bench.book(bench.body(offer, [try await bench.vehicle(plate: "NEW 1")]))
                .refused(422, "booking.product_invalid", field: "productId")
        }
    }

    @Test func operatorsSeeTheBookingsOfADayAsItIsThere() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let malta = LocalDays(TimeZone(identifier: "Europe/Malta")!)
            let first = malta.start(of: malta.day(of: bench.clock.now, offset: 3))
            // Half an hour after midnight there, and on the day before in Greenwich.
            let booking = try await bench.confirmed(
                offer, startsIn: first.addingTimeInterval(1_800).timeIntervalSince(bench.clock.now),
                quantity: 1)
            func found(_ time: Date, _ more: String = "") async throws -> [BookingID] {
                let day = Wire.text(time).prefix(10)
                return try await bench.call(
                    .get, "/v1/bookings?day=\(day)\(more)", as: .olivia
                ).expect(200, Page<Booking>.self).items.map(\.id)
            }
            let there = "&carParkId=\(offer.carPark.id)"
            let noon = first.addingTimeInterval(43_200)
            #expect(try await found(noon, there) == [booking.id])
            #expect(try await found(noon.addingTimeInterval(-86_400), there) == [])
            #expect(try await found(noon.addingTimeInterval(-86_400)) == [booking.id])
        }
    }

    @Test func itCanBeChangedUntilItsFirstDayBeginsThere() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            var change = BookingChange()
            change.quantity = 1
            bench.clock.advance(by: booking.editableUntil.timeIntervalSince(bench.clock.now) - 1)
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/quote-change", change, as: .alice
            )
            .expect(200, BookingChangeQuote.self)
            bench.clock.advance(by: 1)
            try await bench.call(.patch, "/v1/bookings/\(booking.id)", change, as: .alice)
                .refused(409, "booking.too_late")
            // Midnight in Malta, not in Greenwich.
            let malta = LocalDays(TimeZone(identifier: "Europe/Malta")!)
            #expect(booking.editableUntil == malta.start(of: malta.day(of: booking.start)))
        }
    }

    @Test func itIsExtendedWhileTheNextHoursAreFree() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            let booking = try await bench.confirmed(offer)
            let body = ExtendBody(
                until: booking.end.addingTimeInterval(5_400), token: "pm_card_visa")
            let longer = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend", body, as: .alice
            ).expect(200, Booking.self)
            #expect(longer.end == booking.end.addingTimeInterval(7_200))
            #expect(longer.paid.amount == 800)
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            var next = bench.body(offer, [bobs])
            next.start = longer.end
            try await bench.book(next, as: .bob).expect(201, Booking.self)
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend",
                ExtendBody(until: longer.end.addingTimeInterval(3_600), token: "pm_card_visa"),
                as: .alice
            ).refused(409, "booking.full")
            try await bench.call(
                .post, "/v1/bookings/\(booking.id)/extend",
                ExtendBody(until: booking.start, token: "pm_card_visa"), as: .alice
            ).refused(422, "booking.date_invalid", field: "start")
        }
    }

    // MARK: Cancelling

    @Test(arguments: [(25.0, 400), (23.0, 200)])
    func whatGoesBackIsByThePolicy(hoursBefore: Double, refund: Int) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(
                by: booking.start.timeIntervalSince(bench.clock.now) - hoursBefore * 3_600)
            let cancelled = try await bench.call(
                .post, "/v1/bookings/\(booking.id)/cancel", as: .alice
            ).expect(200, BookingCancellation.self)
            #expect(cancelled.refund.amount == refund)
            #expect(cancelled.booking.refunded?.amount == refund)
            #expect(cancelled.booking.paid.amount == 400 - refund)
            // The notice of the cancellation tells the amount, so that payments doesn't.
            let bill = try #require(try await bench.published(BillChanged.self).last).bill
            #expect(bill.returns?.map(\.amount.amount) == [refund])
            #expect(bill.returns?.map(\.isAnnounced) == [true])
            #expect(cancelled.booking.status == .cancelled)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 400 - refund)
            try await bench.call(.post, "/v1/bookings/\(booking.id)/cancel", as: .alice)
                .refused(409, "booking.not_possible")
        }
    }

    @Test func whoNeverComesGetsNothingBack() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            _ = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.end.timeIntervalSince(bench.clock.now))
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .noShow)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func withoutAGateNobodyIsSaidNotToHaveCome() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            bench.clock.advance(by: booking.end.timeIntervalSince(bench.clock.now))
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .completed)
        }
    }

    // MARK: Refusals

    @Test func whatCanNotBeBookedIsRefusedAndTakesNothing() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let vehicle = try await bench.vehicle()
            let good = bench.body(offer, [vehicle])
            func refused(
                _ status: Int, _ code: String, _ field: String? = nil,
                _ change: (inout BookingBody) -> Void
            ) async throws {
                var body = good
                change(&body)
                try await bench.book(body).refused(status, code, field: field)
            }
            try await refused(404, "car_park.unknown") { $0.carParkId = .new() }
            try await refused(422, "booking.product_invalid", "productId") { $0.productId = .new() }
            try await refused(422, "booking.product_invalid", "productId") { $0.kind = .electric }
            for quantity in [0, -1, 32, 1_000_000_000] {
                try await refused(422, "booking.product_invalid", "productId") {
                    $0.quantity = quantity
                }
            }
            try await refused(422, "request.invalid", "spaces") { $0.spaces = 0 }
            try await refused(422, "request.invalid", "spaces") { $0.spaces = 10_000 }
            try await refused(422, "booking.date_invalid", "start") {
                $0.start = bench.clock.now.addingTimeInterval(-301)
            }
            try await refused(422, "booking.date_invalid", "start") {
                $0.start = bench.clock.now.addingTimeInterval(367 * 86_400)
            }
            try await refused(422, "booking.vehicle_required", "vehicleIds") { $0.vehicleIds = [] }
            try await refused(422, "booking.vehicle_required", "vehicleIds") { $0.spaces = 2 }
            try await refused(422, "vehicle.unknown", "vehicleIds") { $0.vehicleIds = [.new()] }
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            try await refused(422, "vehicle.unknown", "vehicleIds") { $0.vehicleIds = [bobs] }
            try await refused(409, "booking.terms_outdated", "termsVersion") { $0.termsVersion = 7 }
            #expect(
                try await bench.call(.get, "/v1/bookings", as: .alice)
                    .expect(200, Page<Booking>.self).items.isEmpty)
            #expect(
                try await bench.database.read {
                    try $0.row("SELECT 1 AS one FROM allocations") == nil
                })
        }
    }

    @Test func whatIsClosedIsRefusedWithTheReason() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let vehicle = try await bench.vehicle()
            let path = "/v1/admin/car-parks/\(offer.carPark.id)/status"
            try await bench.call(
                .put, path, CarParkStatusBody(.closed, reason: "flood"), as: .olivia
            )
            .expect(200, CarPark.self)
            let problem = try await bench.book(bench.body(offer, [vehicle]))
                .refused(409, "car_park.closed")
            #expect(problem.detail == "flood")
            try await bench.call(.put, path, CarParkStatusBody(.open), as: .olivia)
                .expect(200, CarPark.self)
            try await bench.book(bench.body(offer, [vehicle])).expect(201, Booking.self)
        }
    }

    @Test func nobodyIsInTwoPlacesAtOnce() async throws {
        try await Bench.run { bench in
            let (here, there) = (try await bench.offer(), try await bench.offer())
            let vehicle = try await bench.vehicle()
            let first = try await bench.book(bench.body(here, [vehicle])).expect(201, Booking.self)
            let other = try await bench.vehicle(plate: "OTHER 1")
            let problem = try await bench.book(bench.body(there, [other]))
                .refused(409, "booking.overlaps")
            #expect(problem.bookingId == first.id)
            // Bob shares the vehicle, and is told nothing of Alice's booking.
            let same = try await bench.vehicle(of: .bob, plate: "abc-123")
            try await bench.share(vehicle, plate: "ABC 123", with: .bob)
            let shared = try await bench.book(bench.body(there, [same]), as: .bob)
                .refused(409, "booking.overlaps")
            #expect(shared.bookingId == nil)
            // In the same car park, and after it, one may.
            try await bench.book(bench.body(here, [other])).expect(201, Booking.self)
            try await bench.book(
                bench.body(there, [vehicle], startsIn: 7 * 86_400 + 7_200)
            ).expect(201, Booking.self)
        }
    }

    @Test func othersBookingsDoNotExist() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            let path = "/v1/bookings/\(booking.id)"
            try await bench.call(.get, path, as: .bob).refused(404, "booking.unknown")
            try await bench.pay(booking.id, as: .bob).refused(404, "booking.unknown")
            try await bench.call(.post, "\(path)/cancel", as: .bob).refused(404, "booking.unknown")
            try await bench.call(.patch, path, BookingChange(), as: .bob)
                .refused(404, "booking.unknown")
            try await bench.call(.get, "/v1/bookings/x", as: .alice).refused(404, "booking.unknown")
            try await bench.call(.get, path, as: nil).refused(401, "auth.token_missing")
            #expect(try await bench.booking(booking.id, as: .olivia).id == booking.id)
            let found = try await bench.call(
                .get, "/v1/bookings?plate=abc123&state=current", as: .olivia
            )
            .expect(200, Page<Booking>.self)
            #expect(found.items.map(\.id) == [booking.id])
        }
    }

    @Test func theSameKeyBooksOnce() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let body = bench.body(offer, [try await bench.vehicle()])
            let headers: HTTPFields = [.idempotencyKey: "one"]
            let first = try await bench.call(
                .post, "/v1/bookings", body, as: .alice, headers: headers
            )
            .expect(201, Booking.self)
            let second = try await bench.call(
                .post, "/v1/bookings", body, as: .alice, headers: headers
            )
            .expect(201, Booking.self)
            #expect(first.id == second.id)
        }
    }

    @Test func theSameKeyIsAnsweredWithItsPaymentAlsoWhenTheBookingIsCancelled() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let held = try await bench.book(bench.body(offer, [try await bench.vehicle()]))
                .expect(201, Booking.self)
            let first = try await bench.pay(held.id, key: "one").expect(200, BookingPayment.self)
            try await bench.call(.post, "/v1/bookings/\(held.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            let again = try await bench.pay(held.id, key: "one").expect(200, BookingPayment.self)
            #expect(again.booking.status == .cancelled)
            #expect(again.payment?.id == first.payment?.id)
            try await bench.pay(held.id, "pm_card_mastercard", key: "one")
                .refused(422, "idempotency.key_reused")
            try await bench.pay(held.id, key: "two").refused(409, "booking.not_possible")
        }
    }

    @Test func theSameKeyIsAnsweredAlsoWhenNobodyCameToWhatIsFree() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 0)
            _ = try await bench.gate(of: offer.carPark)
            let held = try await bench.book(bench.body(offer, [try await bench.vehicle()]))
                .expect(201, Booking.self)
            try await bench.pay(held.id, key: "one").expect(200, BookingPayment.self)
            bench.clock.advance(by: held.end.timeIntervalSince(bench.clock.now))
            await bench.work()
            let again = try await bench.pay(held.id, key: "one").expect(200, BookingPayment.self)
            #expect(again.booking.status == .noShow)
            #expect(again.payment == nil)
        }
    }

    @Test func theSameKeyIsAnsweredWhenItsVehicleIsGoneAndAccountsIsDown() async throws {
        try await PretendServer(.failing(503)).serve { url in
            try await Bench.run(accounts: url) { bench in
                let vehicle = try await bench.vehicle()
                let body = bench.body(try await bench.offer(), [vehicle])
                func book(_ key: String) async throws -> Answer {
                    try await bench.call(.post, "/v1/bookings", body, as: .alice, key: key)
                }
                let first = try await book("one").expect(201, Booking.self)
                try await bench.hear(
                    VehicleChanged(
                        owner: TestPerson.alice.customer,
                        vehicle: Vehicle(
                            id: vehicle, plate: "ABC 123", make: "Fiat", model: "Panda",
                            colour: "red"), removed: true, version: 2))
                try await book("two").refused(503, "service.unavailable")
                #expect(try await book("one").expect(201, Booking.self).id == first.id)
            }
        }
    }

    @Test func whoDeletesTheAccountGivesUpWhatIsToCome() async throws {
        try await Bench.run { bench in
            let booking = try await bench.confirmed(try await bench.offer())
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            let after = try await bench.booking(booking.id, as: .olivia)
            #expect(after.status == .cancelled)
            #expect(after.vehicles.isEmpty)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 0)
            let texts = try await bench.database.read { transaction in
                try ["bookings", "booking_plates", "vehicles"].map { table in
                    try transaction.rows("SELECT * FROM \(table)").map { "\($0)" }.joined()
                }.joined()
            }
            #expect(!texts.contains("ABC"))
        }
    }

    @Test(.withoutDatabase) func everyTransitionIsInTheTable() {
        let steps = BookingRecord.transitions.map(\.step)
        #expect(Set(steps).union([.held]) == Set(BookingStep.allCases))
        #expect(
            Set(BookingRecord.transitions.map { "\($0.step) \($0.to, default: "-")" }).count
                == steps.count)
        let ends: Set<BookingStatus> = [.completed, .expired, .cancelled, .noShow]
        // An end is one, but for an entry that a gate tells late.
        for row in BookingRecord.transitions {
            #expect(
                row.from.intersection(ends) == (row.step == .entered ? [.noShow, .completed] : []))
        }
    }
}
