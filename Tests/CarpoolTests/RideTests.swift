import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Support
import Testing

@testable import Carpool

@Suite struct RideTests {
    @Test func passengersSeeTheDriverFromAQuarterOfAnHourBeforeTheyGetIn() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            let id = try #require(seat.rideId)
            #expect(try await bench.engagement(of: id) == nil)
            await bench.go(to: seat.pickUp.at.addingTimeInterval(-901))
            #expect(try await bench.engagement(of: id) == nil)
            await bench.go(to: seat.pickUp.at.addingTimeInterval(-900))
            let shared = try #require(try await bench.engagement(of: id))
            #expect(shared.state == .open)
            #expect(shared.participant(TestPerson.bob.id)?.sees == [TestPerson.alice.id])
            #expect(shared.participant(TestPerson.alice.id)?.sees == [])
            try await bench.ride("start", id, as: .bob).refused(404, "ride.unknown")
            try await bench.ride("start", id).expect(200, Ride.self)
            try await bench.ride("start", id).expect(200, Ride.self)
            #expect(try await bench.binding(of: .bob) == id.as(EngagementID.self))
            try await bench.ride("cancel", id).refused(409, "ride.not_possible")
            // A search now finds the next day.
            try await bench.follow()
            #expect(try await bench.found().isEmpty)
            #expect(try await bench.found(at: "2026-11-25T06:00:00Z").count == 1)
            try await bench.ride("end", id).expect(200, Ride.self)
            let over = try #require(try await bench.engagement(of: id))
            #expect(over.state == .ended)
            #expect(over.participant(TestPerson.bob.id)?.sees == [])
        }
    }

    @Test func aPassengerWhoCancelsNoLongerSeesTheDriver() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            let id = try #require(seat.rideId)
            await bench.go(to: seat.pickUp.at.addingTimeInterval(-900))
            let shared = try #require(try await bench.engagement(of: id))
            #expect(shared.participant(TestPerson.bob.id)?.sees == [TestPerson.alice.id])
            try await bench.seat("cancel", seat.id, as: .bob).expect(200, SeatRequest.self)
            let left = try #require(try await bench.engagement(of: id))
            #expect(left.version > shared.version)
            #expect(left.state == .open)
            #expect(left.participants.map(\.person) == [TestPerson.alice.id])
        }
    }

    @Test func passengersOfARideThatIsPutOffNoLongerSeeTheDriver() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted()
            let id = try #require(seat.rideId)
            await bench.go(to: seat.pickUp.at.addingTimeInterval(-900))
            let shared = try #require(try await bench.engagement(of: id))
            #expect(shared.participant(TestPerson.bob.id)?.sees == [TestPerson.alice.id])
            var change = TripChange()
            change.departsAt = "2026-11-23T09:30:00"
            try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            let later = try #require(try await bench.engagement(of: id))
            #expect(later.version > shared.version)
            #expect(later.participants.allSatisfy { $0.sees == [] })
        }
    }

    @Test func aRideStartsAnHourBeforeItsDepartureAtTheEarliest() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            try await bench.ride("start", try #require(seat.rideId)).refused(409, "ride.too_early")
            try await bench.ride("end", try #require(seat.rideId))
                .refused(409, "ride.not_possible")
        }
    }

    @Test func whoWasInTheCarIsInBothHistoriesAndCanBeRated() async throws {
        try await Bench.run { bench in
            let (_, seat, ride) = try await bench.ended()
            #expect(try await bench.told(.alice).last == "Was your passenger in the car?")
            let asked = try await bench.call(.get, "/v1/me/confirmations", as: .alice)
                .expect(200, Page<SeatRequest>.self)
            #expect(asked.items.map(\.id) == [seat.id])
            // Nothing is rated before it is settled.
            #expect(
                try await bench.engagement(of: ride)?.participant(TestPerson.bob.id)?.rates == [])
            let rode = try await bench.confirm(seat.id, true, as: .alice)
                .expect(200, SeatRequest.self)
            #expect(rode.status == .rode && rode.confirmation?.driver == true)
            let rated = try #require(try await bench.engagement(of: ride))
            #expect(rated.participant(TestPerson.bob.id)?.rates == [TestPerson.alice.id])
            #expect(rated.participant(TestPerson.alice.id)?.rates == [TestPerson.bob.id])
            #expect(
                try await bench.call(.get, "/v1/me/confirmations", as: .alice)
                    .expect(200, Page<SeatRequest>.self).items.isEmpty)
            try await bench.confirm(seat.id, false, as: .alice)
                .refused(409, "seat_request.not_possible")
        }
    }

    @Test func aNoIsSettledWhenThePassengerSaysNothing() async throws {
        try await Bench.run { bench in
            let (_, seat, ride) = try await bench.ended()
            let said = try await bench.confirm(seat.id, false, as: .alice)
                .expect(200, SeatRequest.self)
            #expect(said.status == .accepted && said.confirmation?.driver == false)
            #expect(
                try await bench.told(.bob).last
                    == "The driver says you weren’t in the car")
            await bench.go(to: bench.clock.now.addingTimeInterval(CarpoolLimits.disagreeing))
            #expect(try await bench.seen(seat.id).status == .didNotRide)
            let disputed = try await bench.confirm(seat.id, true, as: .bob)
                .expect(200, SeatRequest.self)
            #expect(disputed.confirmation?.isDisputed == true)
            // The passenger was right: the ride is rated, and paid for, after all.
            let decided = try await bench.call(
                .post, "/v1/admin/seat-requests/\(seat.id)/decision",
                SeatDecisionBody(inTheCar: true, reason: "Both were seen there."), as: .olivia
            ).expect(200, SeatRequest.self)
            #expect(decided.status == .rode && decided.confirmation?.decided == true)
            #expect(
                try await bench.engagement(of: ride)?.participant(TestPerson.bob.id)?.rates
                    == [TestPerson.alice.id])
        }
    }

    @Test func whoDisagreesHasItDecidedByAnOperator() async throws {
        try await Bench.run { bench in
            let (_, seat, ride) = try await bench.ended()
            try await bench.confirm(seat.id, false, as: .alice).expect(200, SeatRequest.self)
            let disputed = try await bench.confirm(seat.id, true, as: .bob)
                .expect(200, SeatRequest.self)
            #expect(disputed.confirmation?.isDisputed == true)
            await bench.go(to: bench.clock.now.addingTimeInterval(CarpoolLimits.confirming))
            #expect(try await bench.seen(seat.id).status == .accepted)
            let list = try await bench.call(.get, "/v1/admin/seat-disputes", as: .olivia)
                .expect(200, Page<SeatRequest>.self)
            #expect(list.items.map(\.id) == [seat.id])
            let path = "/v1/admin/seat-requests/\(seat.id)/decision"
            let decision = SeatDecisionBody(inTheCar: true, reason: "Both were seen there.")
            try await bench.call(.post, path, decision, as: .bob).refused(403, "auth.role")
            let decided = try await bench.call(.post, path, decision, as: .olivia)
                .expect(200, SeatRequest.self)
            #expect(decided.status == .rode && decided.confirmation?.decided == true)
            #expect(
                try await bench.engagement(of: ride)?.participant(TestPerson.bob.id)?.rates
                    == [TestPerson.alice.id])
            try await bench.call(.post, path, decision, as: .olivia)
                .refused(409, "seat_request.not_possible")
        }
    }

    @Test func aRideThatNobodyEndsEndsByItselfAndWhatNobodySaysWasNot() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            await bench.go(to: seat.dropOff.at.addingTimeInterval(2 * CarpoolLimits.overdue))
            #expect(try await bench.seen(try #require(seat.rideId)).status == .ended)
            await bench.go(to: bench.clock.now.addingTimeInterval(CarpoolLimits.confirming))
            #expect(try await bench.seen(seat.id).status == .didNotRide)
        }
    }

    @Test func oneDateIsCancelledAndTheOthersAreDriven() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted()
            try await bench.ride("cancel", try #require(seat.rideId)).expect(200, Ride.self)
            #expect(try await bench.seen(seat.id).status == .cancelled)
            #expect(try await bench.told(.bob).last == "The ride is cancelled")
            try await bench.follow()
            #expect(try await bench.found().isEmpty)
            #expect(try await bench.found(at: "2026-11-25T06:00:00Z").count == 1)
            try await bench.request(trip.id).refused(422, "seat_request.no_ride", field: "date")
            _ = try await bench.requested(trip.id, on: "2026-11-25")
        }
    }

    // MARK: Money

    @Test func aShareIsChargedOnceTheRideIsConfirmedAndIsTheDrivers() async throws {
        try await Bench.run { bench in
            let method = try await bench.card(of: .bob)
            let (_, seat, _) = try await bench.ended(
                { $0.pricePerSeat = 150 },
                {
                    $0.seats = 2
                    $0.paymentMethodId = method
                })
            #expect(seat.price == Money(amount: 300, currency: "EUR"))
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 0)
            try await bench.confirm(seat.id, true, as: .alice).expect(200, SeatRequest.self)
            await bench.work()
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 300)
            #expect(try await bench.seen(seat.id).isOwed == false)
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.pricedAt == seat.createdAt)
            #expect(bill.facts.place == "Valletta")
            #expect(bill.facts.timeZone == "Europe/Malta")
            #expect(bill.facts.country == "MT")
            #expect(bill.facts.site == Bill.Site(.area, id: "valletta", name: "Valletta"))
        }
    }

    @Test func whatDidNotHappenIsGivenBack() async throws {
        try await Bench.run { bench in
            let method = try await bench.card(of: .bob)
            let (_, seat, _) = try await bench.ended(
                { $0.pricePerSeat = 150 }, { $0.paymentMethodId = method })
            try await bench.confirm(seat.id, true, as: .alice).expect(200, SeatRequest.self)
            await bench.work()
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 150)
            try await bench.confirm(seat.id, false, as: .bob).expect(200, SeatRequest.self)
            let decision = SeatDecisionBody(inTheCar: false, reason: "The driver was elsewhere.")
            try await bench.call(
                .post, "/v1/admin/seat-requests/\(seat.id)/decision", decision, as: .olivia
            ).expect(200, SeatRequest.self)
            try await bench.carryEvents()
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 0)
        }
    }

    @Test func whoseCardIsDeclinedOwesAndRidesNowhereUntilItIsPaid() async throws {
        try await Bench.run { bench in
            let method = try await bench.card(
                of: .bob, "pm_card_visa_chargeDeclined")
            let (trip, seat, _) = try await bench.ended(
                { $0.pricePerSeat = 150 }, { $0.paymentMethodId = method })
            try await bench.confirm(seat.id, true, as: .alice).expect(200, SeatRequest.self)
            await bench.work()
            #expect(try await bench.told(.bob).last == "Your card was declined")
            #expect(try await bench.seen(seat.id).isOwed)
            #expect(try await bench.binding(of: .bob) != nil)
            try await bench.request(trip.id, on: "2026-11-25") { $0.paymentMethodId = method }
                .refused(409, "seat_request.unpaid")
        }
    }

    @Test func aPassengerWhoseBankAsksIsNotToldOfADecline() async throws {
        try await Bench.run { bench in
            let method = try await bench.card(of: .bob, "pm_card_authenticationRequired")
            let (_, seat, _) = try await bench.ended(
                { $0.pricePerSeat = 150 }, { $0.paymentMethodId = method })
            try await bench.confirm(seat.id, true, as: .alice).expect(200, SeatRequest.self)
            await bench.work()
            #expect(try await !bench.told(.bob).contains("Your card was declined"))
            #expect(try await bench.seen(seat.id).isOwed)
            #expect(try await bench.asked() == [seat.id.as(BillID.self)])
        }
    }

    @Test func aPaidTripWantsAWayToPay() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.pricePerSeat = 150 }
            try await bench.request(trip.id)
                .refused(422, "seat_request.payment_required", field: "paymentMethodId")
            try await bench.request(trip.id) { $0.paymentMethodId = .new() }
                .refused(404, "payment.method_unknown", field: "paymentMethodId")
        }
    }

    @Test func whoDeletesTheAccountGivesUpWhatIsToComeAndIsForgotten() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted()
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            #expect(try await bench.seen(seat.id).status == .cancelled)
            let record = try await bench.database.read { try $0.trips.require(trip.id) }
            #expect(record.status == .removed && record.isForgotten)
            #expect(record.plan.origin.address == nil)
            try await bench.follow()
            #expect(await bench.parts.finder.count == 0)
        }
    }
}
