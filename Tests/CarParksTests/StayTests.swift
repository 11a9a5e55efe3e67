import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Stays that do not go as they were booked, and gates that are cut off.
@Suite struct StayTests {
    private static let hour: TimeInterval = 3_600

    // MARK: Bills

    @Test func aPaidUnitStaysPaidWhenItsNewsComesAfterTheNextHasBegun() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.goTo(booking.start)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 2 * Self.hour + 3_599)
            let stay = try #require(try await bench.stays().first)
            try await bench.pay(stay)
            bench.clock.advance(by: 2)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect(exit.reason == .billed)
            #expect(exit.due?.amount == 200)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 600)
            try await bench.pay(stay)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 800)
        }
    }

    @Test func aStayOfACarParkThatIsGoneCanStillBePaid() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.goTo(booking.start)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 3 * Self.hour)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 200)
            let path = "/v1/admin/car-parks/\(offer.carPark.id)"
            #expect(try await bench.call(.delete, path, as: .olivia).status == 204)
            try await bench.pay(try #require(try await bench.stays().first))
            #expect(try await bench.balance() == 600)
        }
    }

    @Test func whoDrivesUpPaysWhatCostsLeast() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(.daily, price: 1_500)
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 50 * Self.hour)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 4_500)
            try await bench.product(of: offer.carPark, price: 80)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 4_000)
        }
    }

    @Test func whereNothingIsOfferedWhoDrivesUpPaysNothing() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.pass(gate, .in, "XYZ1")
            bench.clock.advance(by: 50 * Self.hour)
            #expect(try await bench.pass(gate, .out, "XYZ1").reason == .free)
        }
    }

    @Test func whoSignsUpWhileInsideCanPayAndLeave() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.pass(gate, .in, "NEW1")
            bench.clock.advance(by: Self.hour)
            #expect(try await bench.pass(gate, .out, "NEW1").reason == .paymentDue)
            #expect(try await bench.bonds() == [])
            _ = try await bench.vehicle(of: .bob, plate: "NEW 1")
            #expect(try await bench.bonds() == [TestPerson.bob.id])
            try await bench.pay(try #require(try await bench.stays(of: .bob).first), as: .bob)
            #expect(try await bench.pass(gate, .out, "NEW1").reason == .paid)
            #expect(try await bench.balance(of: .bob) == 200)
        }
    }

    @Test func whatAnOperatorOfPaymentsGaveBackIsNotAskedForAgain() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let from = bench.clock.now
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 2 * Self.hour)
            try await bench.pay(try #require(try await bench.stays().first))
            try await bench.giveBack(200)
            var stay = try #require(try await bench.stays().first)
            #expect(stay.refunded == Money(amount: 200, currency: "EUR"))
            #expect((stay.isPaid, stay.due) == (true, nil))
            // A driver who stays on pays only for the extra time.
            bench.clock.advance(by: Self.hour)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 250)
            try await bench.pay(stay)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
            try await bench.giveBack(250)
            stay = try #require(try await bench.stays().first)
            #expect(stay.refunded?.amount == 450)
            #expect(try await bench.balance() == 300)
            bench.clock.advance(by: 60)
            let report = try await bench.report(
                on: offer.carPark.id, from: from, until: bench.clock.now)
            #expect(report.revenue.amount == 300)
        }
    }

    // MARK: Tickets

    @Test func onlyAGoodTicketOpens() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let cancelled = try await bench.confirmed(offer, plate: "ONE 1")
            try await bench.call(.post, "/v1/bookings/\(cancelled.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            let booking = try await bench.confirmed(offer, plate: "TWO 2")
            let early = try await bench.pass(gate, .in, nil, ticket: booking.reference)
            #expect(!early.open)
            #expect(early.reason == .tooEarly)
            #expect(early.booking == booking.id)
            bench.goTo(booking.start)
            let refused = try await bench.pass(gate, .in, nil, ticket: cancelled.reference)
            #expect(!refused.open)
            #expect(refused.reason == .unknown)
            #expect(try await bench.pass(gate, .in, nil, ticket: booking.reference).open)
            bench.clock.advance(by: 600)
            #expect(try await bench.pass(gate, .out, nil, ticket: booking.reference).open)
            bench.clock.advance(by: 600)
            #expect(try await !bench.pass(gate, .in, nil, ticket: booking.reference).open)
            let missed = try await bench.confirmed(offer, startsIn: Self.hour, plate: "SIX 6")
            bench.clock.advance(by: 4 * Self.hour)
            #expect(
                try await bench.pass(gate, .in, nil, ticket: missed.reference).reason == .unknown)
            #expect(try await bench.stays().count == 1)
        }
    }

    @Test func aRepeatedTicketIsOneVehicle() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            var body = bench.body(
                offer,
                [try await bench.vehicle(plate: "ONE 1"), try await bench.vehicle(plate: "TWO 2")])
            body.spaces = 2
            let booking = try await bench.book(body).expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            bench.goTo(booking.start)
            let first = try await bench.pass(gate, .in, nil, ticket: booking.reference)
            bench.clock.advance(by: 3)
            let again = try await bench.pass(gate, .in, nil, ticket: booking.reference)
            #expect(again == first)
            #expect(try await bench.stays().count == 1)
            bench.clock.advance(by: 30)
            let second = try await bench.pass(gate, .in, nil, ticket: booking.reference)
            #expect(second.open)
            #expect(second.session != first.session)
            #expect(try await Set(bench.stays().map(\.plate)) == ["ONE1", "TWO2"])
        }
    }

    // MARK: Early, and on

    @Test(arguments: [true, false])
    func whoComesEarlyPaysUntilTheBookingBegins(isTold: Bool) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.goTo(booking.start, -1_200)
            let entry = try await bench.pass(gate, .in, "ABC123")
            #expect(entry.reason == .driveUp)
            #expect(entry.booking == booking.id)
            #expect(try await bench.booking(booking.id).status == .confirmed)
            bench.goTo(booking.start, 60)
            if isTold {
                await bench.work()
                #expect(try await bench.booking(booking.id).status == .active)
            }
            bench.goTo(booking.end, 60)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect(exit.open)
            #expect(exit.booking == booking.id)
            #expect(exit.due?.amount == 200)
            #expect(try await bench.booking(booking.id).status == .completed)
            try await bench.pay(try #require(try await bench.stays().first))
            #expect(try await bench.balance() == 600)
        }
    }

    @Test func whoLeavesBeforeTheBookingBeginsKeepsIt() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            for early in [-1_500.0, -800] {
                bench.goTo(booking.start, early)
                #expect(try await bench.pass(gate, .in, "ABC123").open)
                bench.clock.advance(by: 300)
                #expect(try await bench.pass(gate, .out, "ABC123").open)
                #expect(try await bench.booking(booking.id).status == .confirmed)
            }
            bench.goTo(booking.start)
            #expect(try await bench.pass(gate, .in, "ABC123").reason == .booked)
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func whoComesTooEarlyIsToldWhereThereIsNoSpace() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark(bookable: 1) {
                $0.capacity = SpaceCounts([.general: 1])
            }
            let offer = Bench.Offer(carPark: carPark, product: try await bench.product(of: carPark))
            let gate = try await bench.gate(of: carPark)
            let booking = try await bench.confirmed(offer)
            #expect(try await bench.pass(gate, .in, "XYZ1").open)
            // Days ahead it is no answer to the question.
            #expect(try await bench.pass(gate, .in, "ABC123").reason == .full)
            bench.goTo(booking.start, -1_200)
            let entry = try await bench.pass(gate, .in, "ABC123")
            #expect(!entry.open)
            #expect(entry.reason == .tooEarly)
            #expect(entry.booking == booking.id)
        }
    }

    @Test func whoHasBookedOnStays() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let first = try await bench.confirmed(offer)
            let second = try await bench.confirmed(
                offer, startsIn: first.end.timeIntervalSince(bench.clock.now))
            bench.goTo(first.start)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.goTo(second.start, 60)
            await bench.work()
            #expect(try await bench.booking(first.id).status == .completed)
            #expect(try await bench.booking(second.id).status == .active)
            bench.goTo(second.end, 60)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect(exit.reason == .booked)
            #expect(exit.booking == second.id)
            #expect(try await bench.booking(second.id).status == .completed)
            #expect(try await bench.balance() == 800)
        }
    }

    @Test func nobodyEntersBySomebodyElsesEarlierBooking() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let bobs = try await bench.book(
                bench.body(offer, [try await bench.vehicle(of: .bob, isProven: false)]), as: .bob
            ).expect(201, Booking.self)
            try await bench.pay(bobs.id, as: .bob).expect(200, BookingPayment.self)
            let booking = try await bench.confirmed(
                offer, startsIn: bobs.end.timeIntervalSince(bench.clock.now), isProven: false)
            bench.goTo(booking.start, -600)
            #expect(try await bench.pass(gate, .in, "ABC123").booking == booking.id)
            #expect(try await bench.booking(bobs.id, as: .bob).status == .confirmed)
        }
    }

    // MARK: Gates that are cut off

    @Test func whatComesLateCountsForABookingThatIsOver() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.goTo(booking.end, 1_800)
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .noShow)
            let entry = try await bench.pass(gate, .in, "ABC123", at: booking.start + 300)
            #expect(entry.reason == .booked)
            #expect(try await bench.booking(booking.id).status == .active)
            let exit = try await bench.pass(gate, .out, "ABC123", at: booking.end - 300)
            #expect(exit.reason == .booked)
            #expect(try await bench.booking(booking.id).status == .completed)
            #expect(try await bench.stays().map(\.leftAt) == [booking.end - 300])
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func whoLeftWithoutPayingIsBilled() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 3 * Self.hour)
            let exit = try await bench.pass(gate, .out, "ABC123", ago: Self.hour)
            #expect(exit.reason == .billed)
            #expect(exit.due?.amount == 400)
            #expect(try await bench.bonds() == [TestPerson.alice.id])
            #expect(try await bench.pass(gate, .in, "ABC123").open)
            try await bench.pay(try #require(try await bench.stays().last))
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func whatWasOwedBeforeAnybodyHadTheVehicleIsBilledToWhoHasIt() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            bench.clock.advance(by: 6 * Self.hour)
            _ = try await bench.pass(gate, .in, "ABC123", ago: 3 * Self.hour)
            #expect(
                try await bench.pass(gate, .out, "ABC123", ago: Self.hour).reason == .billed)
            #expect(try await outboxEvents(of: BillChanged.self, in: bench.database).isEmpty)
            _ = try await bench.vehicle()
            let bills = try await outboxEvents(of: BillChanged.self, in: bench.database)
            #expect(bills.map(\.bill.payer) == [TestPerson.alice.id])
            let stay = try #require(try await bench.stays().first)
            #expect(bills.last?.bill.pricedAt == stay.enteredAt)
            bench.expectPlace(of: try #require(bills.last?.bill), offer.carPark)
            try await bench.pay(try #require(try await bench.stays().first))
            #expect(try await bench.bonds().isEmpty)
        }
    }

    @Test func whoWasLetInLateIsInsideEvenIfItIsFullNow() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark(bookable: 0) {
                $0.capacity = SpaceCounts([.general: 1])
            }
            try await bench.product(of: carPark)
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.pass(gate, .in, "XYZ1")
            bench.clock.advance(by: 4 * Self.hour)
            #expect(try await bench.pass(gate, .in, "TWO2", ago: 7_200).open)
            #expect(try await bench.pass(gate, .out, "TWO2", ago: 6_600).reason == .free)
        }
    }

    @Test func anExitThatIsKnownBeforeItsEntryEndsTheStay() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let (north, south) = (
                try await bench.gate(of: offer.carPark), try await bench.gate(of: offer.carPark)
            )
            _ = try await bench.vehicle()
            bench.clock.advance(by: 4 * Self.hour)
            let exit = try await bench.pass(south, .out, "ABC123", ago: 3_600)
            #expect(exit.reason == .unknown)
            #expect(try await bench.pass(north, .in, "ABC123", ago: 10_000).open)
            let stay = try #require(try await bench.stays().first)
            #expect(stay.leftAt == bench.clock.now - 3_600)
            #expect(stay.exitGate == south.id)
            #expect(stay.due?.amount == 400)
            #expect(try await bench.pass(north, .in, "ABC123").open)
        }
    }

    @Test func whoComesAgainHasLeftBefore() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 5 * Self.hour)
            let again = try await bench.pass(gate, .in, "ABC123", ago: 3_600)
            #expect(again.open)
            var stays = try await bench.stays()
            #expect(stays.map(\.leftAt) == [nil, bench.clock.now - 3_600])
            #expect(stays.map(\.due) == [nil, nil])
            #expect(stays.map(\.exitGate) == [nil, nil])
            // A gate that was cut off for longer knows when it was.
            let exit = try await bench.pass(gate, .out, "ABC123", ago: 4 * Self.hour)
            #expect(exit.due?.amount == 200)
            stays = try await bench.stays()
            #expect(stays.map(\.leftAt) == [nil, bench.clock.now - 4 * Self.hour])
            // What lies before a stay that is known is one of its own, and leaves that as it is.
            #expect(try await bench.pass(gate, .in, "ABC123", ago: 8 * Self.hour).open)
            stays = try await bench.stays()
            #expect(stays.count { $0.leftAt == nil } == 1)
            #expect(stays.count == 3)
        }
    }

    @Test func whatIsReadTwiceAtAClosedLineGoesOnWithTheBooking() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.goTo(booking.start, Self.hour)
            for time in [0.0, 60, 600] {
                let entry = try await bench.pass(gate, .in, "ABC123", at: booking.start + time)
                #expect(entry.booking == booking.id)
            }
            #expect(try await bench.booking(booking.id).status == .active)
            #expect(try await bench.stays().count == 2)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .booked)
            #expect(try await bench.booking(booking.id).status == .completed)
        }
    }

    @Test func aBookingEndsWhenItsLastExitComesAfterItsEnd() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(.monthly, price: 9_000)
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer, quantity: 1)
            bench.goTo(booking.start)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.goTo(booking.end, 1_800)
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .active)
            let exit = try await bench.pass(gate, .out, "ABC123", at: booking.end - 3_600)
            #expect(exit.reason == .booked)
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .completed)
        }
    }

    @Test func anOperatorEndsAStayWhoseVehicleIsGone() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let entry = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 86_400)
            let path = "/v1/admin/parking-sessions/\(try #require(entry.session))/end"
            var body = EndSessionBody(reason: "The barrier was open for repairs.")
            try await bench.call(.post, path, body, as: .alice).refused(403, "auth.role")
            try await bench.call(.post, path, EndSessionBody(reason: " "), as: .olivia)
                .refused(422, "request.invalid", field: "reason")
            try await bench.call(.post, path, body, as: .olivia)
                .refused(422, "parking_session.settlement_required", field: "settlement")
            #expect(try await bench.bonds() == [TestPerson.alice.id])
            body.settlement = .writeOff
            let stay = try await bench.call(.post, path, body, as: .olivia)
                .expect(200, ParkingSession.self)
            #expect(stay.leftAt == bench.clock.now)
            #expect(stay.due == nil)
            #expect(try await bench.bonds() == [])
            let acts = try await outboxEvents(of: OperatorActed.self, in: bench.database)
            #expect(acts.last?.action == "carparks.end-parking-session")
            #expect(acts.last?.reason == "\(body.reason) (written off: €48.00)")
            try await bench.call(.post, path, body, as: .olivia)
                .refused(409, "parking_session.ended")
            try await bench.call(
                .post, "/v1/admin/parking-sessions/\(offer.carPark.id)/end", body, as: .olivia
            ).refused(404, "parking_session.unknown")
            #expect(try await bench.pass(gate, .in, "ABC123").open)
        }
    }

    // MARK: Personal data

    @Test func nothingTellsWhoseVehicleItWasWhenTheAccountIsGone() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.goTo(booking.start)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 3 * Self.hour)
            _ = try await bench.pass(gate, .out, "ABC123")
            try await bench.pay(try #require(try await bench.stays().first))
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: Self.hour)
            try await bench.pay(try #require(try await bench.stays().first))
            let bills = try await outboxEvents(of: BillChanged.self, in: bench.database)
                .map(\.bill)
            #expect(Set(bills.map(\.id)).count == 3)
            #expect(bills.allSatisfy { !$0.facts.reference.contains("ABC") })
            #expect(bills.allSatisfy { $0.tellsOfPayer })
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            _ = try await bench.pass(gate, .out, "ABC123")
            let texts = try await bench.database.read { transaction in
                try ["bills", "sessions", "bookings", "vehicles"].map { table in
                    try transaction.rows("SELECT * FROM \(table)").map { "\($0)" }.joined()
                }.joined()
            }
            #expect(!texts.contains("ABC"))
        }
    }

    @Test func platesOfStrangersAreForgotten() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            for plate in ["XYZ1", "ABC123"] {
                _ = try await bench.pass(gate, .in, plate)
                bench.clock.advance(by: 300)
                _ = try await bench.pass(gate, .out, plate)
            }
            @Sendable func plates() async throws -> [String] {
                try await bench.database.read { transaction in
                    try transaction.rows("SELECT plate FROM sessions ORDER BY id").map {
                        try $0.get("plate")
                    }
                }
            }
            bench.clock.advance(by: GateUseCases.strangersKept - 3_600)
            try await bench.parts.gates.sweep()
            #expect(try await plates() == ["XYZ1", "ABC123"])
            bench.clock.advance(by: 7_200)
            try await bench.parts.gates.sweep()
            #expect(try await plates() == ["", "ABC123"])
        }
    }
}

extension Bench {
    /// So many seconds after a time.
    fileprivate func goTo(_ time: Date, _ seconds: TimeInterval = 0) {
        clock.advance(by: time.timeIntervalSince(clock.now) + seconds)
    }

    fileprivate func pass(
        _ gate: NewGate, _ direction: PassageDirection, _ plate: String, at time: Date
    ) async throws -> PassageAnswer {
        try await pass(gate, direction, plate, ago: clock.now.timeIntervalSince(time))
    }

    /// Newest first.
    fileprivate func stays(of person: TestPerson = .alice) async throws -> [ParkingSession] {
        try await call(.get, "/v1/me/parking-sessions", as: person)
            .expect(200, Page<ParkingSession>.self).items
    }

    fileprivate func pay(_ stay: ParkingSession, as person: TestPerson = .alice) async throws {
        try await call(
            .post, "/v1/parking-sessions/\(stay.id)/pay", PayBody(token: "pm_card_visa"),
            as: person
        ).expect(200, PaymentAnswer.self)
    }
}
