import Answers
import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Support
import Testing

@testable import Payments
@testable import Spots

/// From the request to the hand-over: a test for each row of the table and each refusal.
@Suite struct HandOverTests {
    @Test func aSpotIsAskedForApprovedReachedAndHandedOver() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            bench.seen.put(.bob, at: Coordinate.valletta.north(2_000), bench.clock.now)
            let request = try await bench.requested(spot.id)
            #expect(request.status == .pending)
            #expect(request.expiresAt == bench.clock.now.addingTimeInterval(60))
            #expect(try await bench.money(of: request.id) == .held)
            let shown = try await bench.seen(spot.id, as: .alice)
            let distance = try #require(shown.requests?.first?.buyer?.distanceMeters)
            // From where others see it.
            #expect(abs(distance - 2_000) < 40)
            #expect(try await bench.told(.alice) == ["Someone wants your spot"])

            let reserved = try await bench.request("approve", request.id, as: .alice)
                .expect(200, Spot.self)
            #expect(reserved.status == .reserved)
            let engagement = try #require(try await engagements(bench).last)
            #expect(engagement.state == .open)
            #expect(engagement.way?.meeting?.withinMeters == 3)
            #expect(engagement.leaving?.person == TestPerson.alice.id)
            #expect(try await bench.binding(of: .alice) == engagement.id)
            #expect(try await bench.binding(of: .bob) == engagement.id)

            try await bench.request("parked", request.id, as: .bob)
                .refused(409, "spot.not_arrived")
            try await bench.arrive(spot.id)
            try await bench.request("parked", request.id, as: .bob).expect(200, Spot.self)
            try await bench.leave(spot.id)
            let done = try await bench.seen(spot.id, as: .bob)
            #expect(done.status == .handedOver)
            #expect(try await bench.mine(request.id).status == .handedOver)
            try await bench.carryEvents()
            #expect(try await bench.money(of: request.id) == .succeeded)
            #expect(try await bench.owed(.alice) == 450)
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.pricedAt == bill.facts.from)
            #expect(bill.facts.until == bench.clock.now)
            #expect(bill.facts.place == "Valletta")
            #expect(bill.facts.site == Bill.Site(.area, id: "valletta", name: "Valletta"))
            #expect(bill.facts.timeZone == "Europe/Malta")
            #expect(bill.facts.country == "MT")
            let ended = try #require(try await engagements(bench).last)
            #expect(ended.state == .ended)
            #expect(try await bench.binding(of: .alice) == nil)
            #expect(try await bench.binding(of: .bob) == nil)
        }
    }

    private func engagements(_ bench: Bench) async throws -> [Engagement] {
        try await outboxEvents(of: EngagementChanged.self, in: bench.database).map(\.engagement)
    }

    @Test func bothSayThatItIsDone() async throws {
        try await Bench.run { bench in
            let (spot, _) = try await bench.reserved()
            try await bench.spot("handed-over", spot.id, as: .another(.customer, 9))
                .refused(404, "spot.unknown")
            let one = try await bench.spot("handed-over", spot.id, as: .alice)
                .expect(200, Spot.self)
            #expect(one.status == .reserved)
            let both = try await bench.spot("handed-over", spot.id, as: .bob)
                .expect(200, Spot.self)
            #expect(both.status == .handedOver)
        }
    }

    @Test func bothSayThatTheyAreThere() async throws {
        try await Bench.run { bench in
            let (_, request) = try await bench.reserved()
            let one = try await bench.request("here", request.id, as: .bob).expect(200, Spot.self)
            #expect(one.reservation?.arrivedAt == nil)
            let both = try await bench.request("here", request.id, as: .alice)
                .expect(200, Spot.self)
            #expect(both.reservation?.arrivedAt == bench.clock.now)
            try await bench.request("here", request.id, as: .another(.customer, 9))
                .refused(404, "spot_request.unknown")
        }
    }

    @Test func whoHasTakenTheSpotAndSaysNothingPaysAfterTheGrace() async throws {
        try await Bench.run { bench in
            let (spot, _) = try await bench.reserved()
            try await bench.arrive(spot.id)
            try await bench.leave(spot.id)
            bench.clock.advance(by: 299)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .reserved)
            bench.clock.advance(by: 1)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .handedOver)
        }
    }

    @Test func theSellerSaysNoAndNothingIsCharged() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let request = try await bench.requested(spot.id)
            try await bench.request("deny", request.id, as: .bob)
                .refused(404, "spot_request.unknown")
            try await bench.request("deny", request.id, as: .alice).expect(200, Spot.self)
            #expect(try await bench.mine(request.id).status == .denied)
            try await bench.carryEvents()
            #expect(try await bench.money(of: request.id) == .released)
            #expect(try await bench.told(.bob) == ["The seller declined"])
            try await bench.request("approve", request.id, as: .alice)
                .refused(409, "spot_request.not_possible")
            try await bench.request(spot.id).refused(409, "spot_request.denied")
        }
    }

    @Test func whoIsNotAnsweredInAMinuteGetsTheirMoneyBack() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let request = try await bench.requested(spot.id)
            bench.clock.advance(by: 60)
            try await bench.request("approve", request.id, as: .alice)
                .refused(409, "spot_request.expired")
            await bench.work()
            #expect(try await bench.mine(request.id).status == .expired)
            try await bench.carryEvents()
            #expect(try await bench.money(of: request.id) == .released)
            #expect(try await bench.seen(spot.id, as: .alice).status == .offered)
        }
    }

    @Test func aDeclinedCardAsksForNothing() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            try await bench.request(spot.id, as: .bob, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            try await bench.request(spot.id, as: .bob, "pm_card_unknown")
                .refused(422, "payment.token_unknown", field: "token")
            try await bench.call(
                .post, "/v1/spots/\(spot.id)/requests", SpotRequestBody(), as: .bob
            ).refused(422, "spot.payment_required", field: "paymentMethodId")
            #expect(try await bench.seen(spot.id, as: .alice).requests?.isEmpty == true)
            #expect(try await bench.requested(spot.id).status == .pending)
        }
    }

    @Test func aCardThatAsksForAStepIsAskedAgain() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let token = "pm_card_authenticationRequired"
            let first = try await bench.request(spot.id, as: .bob, token)
                .expect(201, SpotRequest.self)
            #expect(first.status == .authorising)
            #expect(first.payment?.status.known == .requiresAction)
            #expect(try await bench.seen(spot.id, as: .alice).requests?.isEmpty == true)
            let second = try await bench.request(spot.id, as: .bob, token)
                .expect(201, SpotRequest.self)
            #expect(second.id == first.id)
            #expect(second.status == .pending)
            #expect(try await bench.money(of: first.id) == .held)
        }
    }

    @Test func aRepeatWithACardThatIsDeletedSinceEndsNothing() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let token = "pm_card_authenticationRequired"
            let method = try await bench.payments.saveMethod(
                PaymentToken(token), of: TestPerson.bob.id, key: nil)
            let body = SpotRequestBody(paymentMethodId: method.id)
            func ask(_ key: String?) async throws -> SpotRequest {
                try await bench.call(
                    .post, "/v1/spots/\(spot.id)/requests", body, as: .bob,
                    headers: key.map { [.idempotencyKey: $0] } ?? [:]
                ).expect(201, SpotRequest.self)
            }
            let first = try await ask("one")
            #expect(first.payment?.status.known == .requiresAction)
            try await bench.payments.deleteMethod(method.id, of: TestPerson.bob.id)
            for key in ["one", nil] {
                let again = try await ask(key)
                #expect(again.id == first.id)
                #expect(again.status == .authorising)
            }
            // It is still what waits for the further step.
            let done = try await bench.request(spot.id, as: .bob, token)
                .expect(201, SpotRequest.self)
            #expect(done.id == first.id)
            #expect(done.status == .pending)
        }
    }

    @Test func whoseCardNeverAnswersIsForgotten() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let request = try await bench.request(
                spot.id, as: .bob, "pm_card_authenticationRequired"
            ).expect(201, SpotRequest.self)
            bench.clock.advance(by: SpotLimits.authorising)
            await bench.work()
            #expect(try await bench.mine(request.id).status == .expired)
            #expect(try await bench.told(.bob) == ["Your payment wasn’t confirmed in time"])
        }
    }

    @Test func oneWantsOneSpotAndNotTheirOwn() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            try await bench.request(spot.id, as: .alice).refused(409, "spot.own")
            _ = try await bench.requested(spot.id)
            try await bench.request(spot.id).refused(409, "spot_request.exists")
            let other = try await bench.offered(as: .another(.customer, 3))
            try await bench.request(other.id).refused(409, "spot_request.exists")
            try await bench.call(
                .post, "/v1/spots/\(spot.id)/requests",
                SpotRequestBody(token: "pm_card_visa", price: 400), as: .another(.customer, 4)
            ).refused(409, "spot.price_changed", field: "price")
            try await bench.bid(spot.id, 600, as: .another(.customer, 4))
                .refused(409, "spot.no_auction")
        }
    }

    @Test func ofTwoBuyersOneIsChosenAndTheOtherReleased() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let other = TestPerson.another(.customer, 5)
            let (one, two) = (
                try await bench.requested(spot.id), try await bench.requested(spot.id, as: other)
            )
            async let first = bench.request("approve", one.id, as: .alice)
            async let second = bench.request("approve", two.id, as: .alice)
            let statuses = try await [first.status, second.status].sorted()
            #expect(statuses == [200, 409])
            let (mine, theirs) = (
                try await bench.mine(one.id), try await bench.mine(two.id, as: other)
            )
            #expect(Set([mine.status, theirs.status]) == [.approved, .notChosen])
            try await bench.carryEvents()
            let money = [try await bench.money(of: one.id), try await bench.money(of: two.id)]
            #expect(Set(money) == [.held, .released])
            #expect(try await bench.seen(spot.id, as: .alice).requests?.count == 1)
        }
    }

    @Test func aSpotThatGoesWhileTheCardIsAskedIsNotPossibleAnyMore() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            bench.faults.meanwhile {
                try await bench.spot("cancel", spot.id, as: .alice).expect(200, Spot.self)
            }
            try await bench.request(spot.id).refused(409, "spot.not_possible")
            try await bench.carryEvents()
            #expect(try await bench.binding(of: .bob) == nil)
        }
    }

    @Test func theBuyerGivesUpForNothingInTheFirstMinuteAndPaysTheFeeLater() async throws {
        for (seconds, owed) in [(60.0, 0), (61.0, 270)] {
            try await Bench.run { bench in
                let (spot, request) = try await bench.reserved()
                bench.clock.advance(by: seconds)
                let cancelled = try await bench.request("cancel", request.id, as: .bob)
                    .expect(200, SpotRequest.self)
                #expect(cancelled.status == .cancelled)
                #expect(try await bench.seen(spot.id, as: .alice).status == .cancelled)
                try await bench.carryEvents()
                #expect(try await bench.owed(.alice) == owed)
                #expect(
                    try await bench.money(of: request.id) == (owed > 0 ? .succeeded : .released))
            }
        }
    }

    @Test func theSellerTakesItBackAndItCountsAgainstThem() async throws {
        try await Bench.run { bench in
            for _ in 0..<5 {
                let (spot, request) = try await bench.reserved()
                try await bench.spot("cancel", spot.id, as: .alice).expect(200, Spot.self)
                #expect(try await bench.mine(request.id).status == .cancelled)
                try await bench.carryEvents()
                #expect(try await bench.money(of: request.id) == .released)
            }
            try await bench.offer().refused(403, "spot.selling_suspended")
            bench.clock.advance(by: 31 * 86_400)
            try await bench.offer().expect(201, Spot.self)
        }
    }

    @Test func whoDoesNotComePaysTheFee() async throws {
        try await Bench.run { bench in
            let (spot, request) = try await bench.reserved()
            let due = try #require(spot.reservation?.absentAfter)
            try await bench.spot("buyer-absent", spot.id, as: .alice).refused(409, "spot.too_early")
            bench.clock.advance(by: due.timeIntervalSince(bench.clock.now))
            try await bench.spot("buyer-absent", spot.id, as: .bob).refused(404, "spot.unknown")
            let failed = try await bench.spot("buyer-absent", spot.id, as: .alice)
                .expect(200, Spot.self)
            #expect(failed.status == .failed)
            #expect(try await bench.mine(request.id).price.amount == 300)
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 270)
            #expect(try await bench.told(.bob).last == "The seller waited for you")
        }
    }

    @Test func whoIsThereIsNotAbsent() async throws {
        try await Bench.run { bench in
            let (spot, _) = try await bench.reserved()
            try await bench.arrive(spot.id)
            bench.clock.advance(by: 3_000)
            try await bench.spot("buyer-absent", spot.id, as: .alice)
                .refused(409, "spot.buyer_arrived")
        }
    }

    /// Between the two looks at the spot, the buyer's position is asked for.
    @Test func aReportOfASpotThatIsTakenBackMeanwhileIsRefused() async throws {
        try await Bench.run { bench in
            let (spot, request) = try await bench.reserved()
            let photo = try await bench.photo(of: .bob)
            bench.seen.put(.bob, at: .valletta, bench.clock.now)
            bench.whereabouts.meanwhile {
                try await bench.spot("cancel", spot.id, as: .alice).expect(200, Spot.self)
            }
            let refused = try await bench.call(
                .post, "/v1/spot-requests/\(request.id)/spot-gone",
                SpotGoneBody(photoId: photo.id), as: .bob
            ).refused(409, "spot_request.not_possible")
            #expect(refused.detail == "The spot is cancelled.")
            #expect(try await bench.mine(request.id).status == .cancelled)
        }
    }

    @Test func aBlockedBuyerIsAnsweredWhatTheyHaveDone() async throws {
        try await Bench.run { bench in
            let (spot, request) = try await bench.reserved()
            try await bench.hear(
                PersonBlocked(
                    by: TestPerson.alice.id, person: TestPerson.bob.id, isBlocked: true,
                    version: 1, changedAt: bench.clock.now))
            bench.seen.put(.bob, at: .valletta, bench.clock.now)
            let photo = try await bench.photo(of: .bob)
            let failed = try await bench.call(
                .post, "/v1/spot-requests/\(request.id)/spot-gone",
                SpotGoneBody(photoId: photo.id), as: .bob
            ).expect(200, Spot.self)
            #expect(failed.status == .failed)
            try await bench.call(.get, "/v1/spots/\(spot.id)", as: .bob)
                .refused(404, "spot.unknown")
        }
    }

    @Test func aSpotThatIsTakenIsReportedThereWithAPicture() async throws {
        try await Bench.run { bench in
            for round in 1...3 {
                let (spot, request) = try await bench.reserved()
                let photo = try await bench.photo(of: .bob)
                let body = SpotGoneBody(photoId: photo.id, note: "A van stands there.")
                func report() async throws -> Answer {
                    try await bench.call(
                        .post, "/v1/spot-requests/\(request.id)/spot-gone", body, as: .bob)
                }
                bench.seen.put(.bob, at: Coordinate.valletta.north(500), bench.clock.now)
                try await report().refused(422, "spot.not_there", field: "position")
                bench.seen.put(.bob, at: Coordinate.valletta.north(20), bench.clock.now)
                let failed = try await report().expect(200, Spot.self)
                #expect(failed.status == .failed)
                #expect(failed.dispute?.note == "A van stands there.")
                try await bench.carryEvents()
                #expect(try await bench.money(of: request.id) == .released)
                let answered = try await bench.call(
                    .post, "/v1/spots/\(spot.id)/answer", SpotAnswerBody(text: "It was free."),
                    as: .alice
                ).expect(200, Spot.self)
                #expect(answered.dispute?.answer == "It was free.")
                let disputed = try await bench.call(
                    .get, "/v1/admin/spots?disputed=true", as: .olivia
                ).expect(200, Page<Spot>.self)
                #expect(disputed.items.count == round)
            }
            try await bench.offer().refused(403, "spot.selling_suspended")
            let disputed = try await bench.call(
                .get, "/v1/admin/spots?disputed=true", as: .olivia
            ).expect(200, Page<Spot>.self)
            let first = try #require(disputed.items.first)
            #expect(first.dispute?.photoURL != nil)
            try await bench.call(
                .post, "/v1/admin/spots/\(first.id)/decision",
                SpotDecisionBody(outcome: .dismissed, text: "Another spot."), as: .olivia
            ).expect(200, Spot.self)
            try await bench.offer().expect(201, Spot.self)
        }
    }

    @Test func whatNobodySpeaksOfAnyMoreIsReleased() async throws {
        try await Bench.run { bench in
            let (spot, request) = try await bench.reserved()
            bench.clock.advance(by: 3 * 3_600)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .failed)
            #expect(try await bench.mine(request.id).status == .failed)
            try await bench.carryEvents()
            #expect(try await bench.money(of: request.id) == .released)
        }
    }

    @Test func lateNewsOfArrivalsAndDeparturesChangesNothing() async throws {
        try await Bench.run { bench in
            let (spot, request) = try await bench.reserved()
            try await bench.request("cancel", request.id, as: .bob).expect(200, SpotRequest.self)
            let before = try await bench.seen(spot.id, as: .alice)
            try await bench.arrive(spot.id)
            try await bench.leave(spot.id)
            #expect(try await bench.seen(spot.id, as: .alice) == before)
        }
    }

    /// The answer may have been lost on its way.
    @Test func whoeverRepeatsAStepGetsTheSameAnswerAndNothingHappensTwice() async throws {
        try await Bench.run { bench in
            func twice(_ step: () async throws -> Answer) async throws {
                let first = try await step().expect(200, Spot.self)
                let told = try await bench.published(NoticeIssued.self).count
                let again = try await step().expect(200, Spot.self)
                #expect(again == first)
                #expect(try await bench.published(NoticeIssued.self).count == told)
            }
            let offered = try await bench.offered()
            let denied = try await bench.requested(offered.id)
            try await twice { try await bench.request("deny", denied.id, as: .alice) }
            try await twice { try await bench.spot("cancel", offered.id, as: .alice) }
            try await bench.carryEvents()

            let (spot, request) = try await bench.reserved()
            try await twice { try await bench.request("approve", request.id, as: .alice) }
            try await twice { try await bench.request("here", request.id, as: .bob) }
            try await twice { try await bench.request("here", request.id, as: .alice) }
            try await twice { try await bench.request("parked", request.id, as: .bob) }
            try await twice { try await bench.spot("leaving", spot.id, as: .alice) }
            for person in [TestPerson.alice, .bob] {
                try await twice { try await bench.spot("handed-over", spot.id, as: person) }
                try await twice { try await bench.request("here", request.id, as: person) }
            }
            try await twice { try await bench.request("parked", request.id, as: .bob) }
            #expect(try await bench.seen(spot.id, as: .alice).status == .handedOver)
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 450)

            let (missed, _) = try await bench.reserved()
            let due = try #require(missed.reservation?.absentAfter)
            bench.clock.advance(by: due.timeIntervalSince(bench.clock.now))
            try await twice { try await bench.spot("buyer-absent", missed.id, as: .alice) }
            try await bench.carryEvents()
        }
    }

    @Test func whoeverRepeatsADisputeGetsTheSameAnswer() async throws {
        try await Bench.run { bench in
            let (spot, request) = try await bench.reserved()
            bench.seen.put(.bob, at: .valletta, bench.clock.now)
            let body = SpotGoneBody(photoId: try await bench.photo(of: .bob).id)
            let answer = SpotAnswerBody(text: "It was free.")
            let decision = SpotDecisionBody(outcome: .dismissed, text: "Another spot.")
            for _ in 1...2 {
                try await bench.call(
                    .post, "/v1/spot-requests/\(request.id)/spot-gone", body, as: .bob
                ).expect(200, Spot.self)
            }
            for _ in 1...2 {
                try await bench.call(.post, "/v1/spots/\(spot.id)/answer", answer, as: .alice)
                    .expect(200, Spot.self)
            }
            for _ in 1...2 {
                try await bench.call(
                    .post, "/v1/admin/spots/\(spot.id)/decision", decision, as: .olivia
                ).expect(200, Spot.self)
            }
            try await bench.call(
                .post, "/v1/spots/\(spot.id)/answer", SpotAnswerBody(text: "Another text."),
                as: .alice
            ).refused(409, "spot.not_possible")
            try await bench.call(
                .post, "/v1/admin/spots/\(spot.id)/decision",
                SpotDecisionBody(outcome: .upheld, text: "On second thoughts."), as: .olivia
            ).refused(409, "spot.not_possible")
        }
    }

    @Test func aRepeatedRequestUnderOneKeyIsOne() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let body = SpotRequestBody(token: "pm_card_visa")
            func ask() async throws -> SpotRequest {
                try await bench.call(
                    .post, "/v1/spots/\(spot.id)/requests", body, as: .bob,
                    headers: [.idempotencyKey: "one"]
                ).expect(201, SpotRequest.self)
            }
            let (one, two) = (try await ask(), try await ask())
            #expect(one.id == two.id)
        }
    }

    @Test func aHoldThatIsToldByTheEventAloneCounts() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let request = try await bench.requested(spot.id)
            let held = try #require(
                try await outboxEvents(of: PaymentHeld.self, in: bench.payments.database).first)
            // It counts already: the same news changes nothing.
            let before = try await bench.seen(spot.id, as: .alice)
            try await bench.hear(held)
            #expect(try await bench.seen(spot.id, as: .alice) == before)
            #expect(held.payment.bill == request.id.as(BillID.self))
        }
    }

    @Test func whoDeletesTheirAccountGivesUpWhatIsOpen() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let request = try await bench.requested(spot.id)
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            #expect(try await bench.mine(request.id).status == .notChosen)
            try await bench.carryEvents()
            #expect(try await bench.money(of: request.id) == .released)
            let stored = try await bench.parts.spots.spot(spot.id)
            #expect(stored.status == .cancelled)
            #expect(stored.offer.position != .valletta)
        }
    }
}
