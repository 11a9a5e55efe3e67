import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks
@testable import Payments

@Suite struct LoyaltyTests {
    @Test(.withoutDatabase) func aPointIsEarnedForAWholeUnitAndWorthAHundredth() throws {
        #expect(LoyaltyRules.points(of: 1_999, "EUR") == 19)
        #expect(LoyaltyRules.points(of: 500, "JPY") == 500)
        #expect(LoyaltyRules.worth(of: 19, "EUR") == 19)
        #expect(LoyaltyRules.worth(of: 199, "JPY") == 1)
        #expect(LoyaltyRules.worth(of: 7, "KWD") == 70)
        #expect(try LoyaltyRules.discount(0, of: 100, "EUR") == 0)
        #expect(try LoyaltyRules.discount(50, of: 100, "EUR") == 50)
        for points in [-1, 51, Int.max, Int.min] {
            #expect(throws: Refusal.pointsInvalid) {
                try LoyaltyRules.discount(points, of: 100, "EUR")
            }
        }
        #expect(throws: Refusal.pointsInvalid) {
            try LoyaltyRules.discount(99, of: 100, "JPY")
        }
    }

    @Test func pointsAreEarnedRedeemedAndOwedInTheLedger() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 5_050)
            let first = try await bench.confirmed(offer, quantity: 1)
            try await bench.carryEvents()
            #expect(try await bench.points() == 50)
            #expect(try await bench.owedInLedger() == 50)
            var body = bench.body(
                offer, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 1)
            // What was told is what is left to pay.
            (body.points, body.total) = (40, 5_000)
            let problem = try await bench.book(body).refused(409, "booking.price_changed")
            body.total = problem.amount?.amount
            let second = try await bench.book(body).expect(201, Booking.self)
            #expect(second.total == Money(amount: 5_010, currency: "EUR"))
            #expect(second.lines.map(\.kind) == ["parking", "points"])
            #expect(second.lines.map(\.amount.amount) == [5_050, -40])
            #expect(try await bench.points() == 10)
            _ = try await bench.pay(second.id).expect(200, BookingPayment.self)
            try await bench.carryEvents()
            #expect(try await bench.points() == 60)
            #expect(try await bench.owedInLedger() == 60)
            #expect(try await bench.balance() == 5_050 + 5_010)
            let loyalty = try await bench.loyalty()
            #expect(loyalty.balances.map(\.worth) == [Money(amount: 60, currency: "EUR")])
            #expect(loyalty.entries.map(\.points).reduce(0, +) == 60)
            #expect(loyalty.entries.count == 3)
        }
    }

    @Test func aQuoteTakesThemOff() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 5_000)
            let start = Wire.text(bench.clock.now.addingTimeInterval(86_400))
            func quote(_ points: Int) async throws -> Answer {
                try await bench.call(
                    .get,
                    "/v1/car-parks/\(offer.carPark.id)/quote?productId=\(offer.product.id)"
                        + "&start=\(start)&points=\(points)", as: nil)
            }
            let given = try await quote(30).expect(200, ParkingQuote.self)
            #expect(given.total.amount == 4_970)
            #expect(given.lines.map(\.kind) == ["parking", "points"])
            try await quote(2_501).refused(422, "booking.points_invalid", field: "points")
        }
    }

    @Test func nobodyRedeemsWhatTheyHaveNot() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 5_000)
            let first = try await bench.confirmed(offer, quantity: 1)
            for points in [51, -1] {
                var body = bench.body(
                    offer, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 1)
                body.points = points
                try await bench.book(body).refused(422, "booking.points_invalid", field: "points")
            }
            #expect(try await bench.points() == 50)
        }
    }

    @Test func theSamePointsAreRedeemedOnceByManyAtATime() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 5_000)
            let first = try await bench.confirmed(offer, quantity: 1)
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for day in 8...15 {
                    var body = bench.body(
                        offer, first.vehicles.map(\.id), startsIn: Double(day) * 86_400,
                        quantity: 1)
                    body.points = 30
                    let wanted = body
                    group.addTask { Int(try await bench.book(wanted).status) }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.filter { $0 == 201 }.count == 1)
            #expect(answers.filter { $0 == 422 }.count == 7)
            #expect(try await bench.points() == 20)
        }
    }

    @Test func theyComeBackWithABookingThatIsGivenUp() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 5_000)
            let first = try await bench.confirmed(offer, quantity: 1)
            var body = bench.body(
                offer, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 1)
            body.points = 40
            let held = try await bench.book(body).expect(201, Booking.self)
            #expect(try await bench.points() == 10)
            bench.clock.advance(by: 601)
            await bench.work()
            #expect(try await bench.booking(held.id).status == .expired)
            #expect(try await bench.points() == 50)
            let paid = try await bench.book(body).expect(201, Booking.self)
            _ = try await bench.pay(paid.id).expect(200, BookingPayment.self)
            #expect(try await bench.points() == 10 + 49)
            _ = try await bench.call(.post, "/v1/bookings/\(paid.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            #expect(try await bench.points() == 50)
            try await bench.carryEvents()
            try await bench.carryEvents()
            #expect(try await bench.points() == 50)
            #expect(try await bench.owedInLedger() == 50)
            #expect(try await bench.balance() == 5_000)
        }
    }

    @Test func whatAnOperatorOfPaymentsGivesBackTakesThemBack() async throws {
        try await Bench.run { bench in
            let first = try await bench.confirmed(try await bench.offer(price: 5_000), quantity: 1)
            try await bench.carryEvents()
            let payment = try #require(
                try await outboxEvents(of: PaymentSucceeded.self, in: bench.payments.database).first
            )
            _ = try await bench.payments.refund(
                payment.payment.id, RefundBody(amount: 1_050, reason: "sorry"),
                by: TestPerson.olivia.id, key: nil)
            try await bench.carryEvents()
            for event in try await outboxEvents(
                of: PaymentRefunded.self, in: bench.payments.database)
            {
                try await bench.hear(event)
                try await bench.hear(event)
            }
            try await bench.carryEvents()
            #expect(try await bench.points() == 39)
            #expect(try await bench.owedInLedger() == 39)
            #expect(first.status == .confirmed)
        }
    }

    @Test func whatWasUsedMeanwhileIsNotAskedFor() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 5_000)
            let first = try await bench.confirmed(offer, quantity: 1)
            var body = bench.body(
                offer, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 1)
            body.points = 40
            _ = try await bench.book(body).expect(201, Booking.self)
            _ = try await bench.call(.post, "/v1/bookings/\(first.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            #expect(try await bench.points() == 0)
            try await bench.carryEvents()
            #expect(try await bench.owedInLedger() == 0)
        }
    }

    @Test func pointsThatWereUsedComeBackOnceAlone() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 50_000)
            let first = try await bench.confirmed(offer, quantity: 1)
            var body = bench.body(
                offer, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 1)
            body.points = 500
            let held = try await bench.book(body).expect(201, Booking.self)
            for id in [first.id, held.id] {
                _ = try await bench.call(.post, "/v1/bookings/\(id)/cancel", as: .alice)
                    .expect(200, BookingCancellation.self)
                #expect(try await bench.points() == 0)
            }
            try await bench.carryEvents()
            #expect(try await bench.owedInLedger() == 0)
            #expect(try await bench.balance() == 0)
        }
    }

    @Test func whatIsMissingIsMadeUpForByWhatIsEarnedNext() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 50_000)
            let first = try await bench.confirmed(offer, quantity: 1)
            var body = bench.body(
                offer, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 1)
            body.points = 500
            let second = try await bench.book(body).expect(201, Booking.self)
            _ = try await bench.pay(second.id).expect(200, BookingPayment.self)
            #expect(try await bench.points() == 495)
            _ = try await bench.call(.post, "/v1/bookings/\(first.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            let loyalty = try await bench.loyalty()
            #expect(loyalty.points == 0)
            #expect(loyalty.balances.map(\.worth.amount) == [0])
            try await bench.carryEvents()
            #expect(try await bench.owedInLedger() == 0)
            (body.points, body.start) = (1, body.start.addingTimeInterval(86_400))
            try await bench.book(body).refused(422, "booking.points_invalid", field: "points")
            _ = try await bench.confirmed(offer, startsIn: 9 * 86_400, quantity: 1)
            #expect(try await bench.points() == 495)
            _ = try await bench.call(.post, "/v1/bookings/\(second.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            #expect(try await bench.points() == 500)
            try await bench.carryEvents()
            #expect(try await bench.owedInLedger() == 500)
        }
    }

    @Test func aChangeCostsWhatTheTotalsDifferBy() async throws {
        try await Bench.run { bench in
            let dear = try await bench.offer(price: 50_000)
            let first = try await bench.confirmed(dear, quantity: 1)
            let usual = try await bench.product(of: dear.carPark, price: 500)
            var body = bench.body(
                dear, first.vehicles.map(\.id), startsIn: 8 * 86_400, quantity: 2)
            (body.productId, body.points) = (usual.id, 500)
            let id = try await bench.book(body).expect(201, Booking.self).id
            _ = try await bench.pay(id).expect(200, BookingPayment.self)
            func change(to quantity: Int, difference: Int, total: Int) async throws {
                var change = BookingChange()
                (change.quantity, change.token) = (quantity, "pm_card_visa")
                let quote = try await bench.call(
                    .post, "/v1/bookings/\(id)/quote-change", change, as: .alice
                ).expect(200, BookingChangeQuote.self)
                #expect(quote.difference.amount == difference)
                #expect(quote.lines.map(\.amount.amount).reduce(0, +) == total)
                change.difference = difference
                let changed = try await bench.call(
                    .patch, "/v1/bookings/\(id)", change, as: .alice
                ).expect(200, Booking.self)
                #expect((changed.total.amount, changed.paid.amount) == (total, total))
            }
            try await change(to: 1, difference: -500, total: 0)
            try await change(to: 2, difference: 500, total: 500)
            try await change(to: 1, difference: -500, total: 0)
            // All of it is paid with points: they come back by the policy.
            _ = try await bench.call(.post, "/v1/bookings/\(id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            #expect(try await bench.points() == 500)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 50_000)
            #expect(try await bench.owedInLedger() == 500)
        }
    }

    @Test func whoIsGoneIsOwedNothing() async throws {
        try await Bench.run { bench in
            _ = try await bench.confirmed(try await bench.offer(price: 5_000), quantity: 1)
            // A booking to come would be given up with its points.
            bench.clock.advance(by: 9 * 86_400)
            await bench.work()
            try await bench.carryEvents()
            #expect(try await bench.owedInLedger() == 50)
            #expect(
                try await bench.held().loyalty.points == 50)
            try await bench.deleteAlice()
            try await bench.carryEvents()
            #expect(try await bench.owedInLedger() == 0)
            #expect(
                try await bench.database.read { try $0.loyalty.account(of: TestPerson.alice.id) }
                    == Loyalty(points: 0, balances: [], entries: []))
        }
    }
}

extension Bench {
    fileprivate func loyalty() async throws -> Loyalty {
        try await call(.get, "/v1/me/loyalty", as: .alice).expect(200, Loyalty.self)
    }

    fileprivate func points() async throws -> Int { try await loyalty().points }

    /// What payments' books say that is owed to Alice in points; they sum to zero.
    fileprivate func owedInLedger() async throws -> Int {
        try await payments.database.read { transaction in
            #expect(try transaction.ledger.balances().reduce(0) { $0 + $1.amount.amount } == 0)
            let owed = try transaction.ledger.balance(of: .reward(TestPerson.alice.id)).first
            return -(owed?.amount ?? 0)
        }
    }
}
