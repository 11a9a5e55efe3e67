import Answers
import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Orders

/// Jobs that a valet is asked to take: who may answer, when, and what silence means.
struct OfferTests {
    /// Alice's order, which Victor is asked to take.
    private func offered(_ caller: Caller) async throws -> OrderID {
        try await caller.bench.offerJobs(in: .central)
        let order = try await caller.place()
        try await caller.bench.match(order.id, .victor)
        return order.id
    }

    private func offers(_ caller: Caller, of valet: TestPerson) async throws -> [Offer] {
        try await caller.call(.get, "/v1/me/offers", as: valet).expect(200, Page<Offer>.self).items
    }

    private func decide(
        _ word: String, _ id: OrderID, as person: TestPerson, _ caller: Caller
    ) async throws -> Answer {
        try await caller.call(.post, "/v1/orders/\(id)/\(word)", as: person)
    }

    // MARK: Making and answering

    @Test func aMatchBecomesAnOfferAndTheOrderWaits() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            let order = try await caller.read(id, as: .alice)
            #expect(order.status == .requested)
            #expect(order.dropOffValet == nil)
            #expect(order.etaSeconds == nil)
            let event = try #require(try await bench.published(ValetOffered.self).first)
            #expect(event.valet == TestPerson.victor.valet)
            #expect(event.attempt == 1)
            #expect(event.answerSeconds == 20)
            #expect(event.meetingPoint == .central)
            #expect(event.order.offeredTo == TestPerson.victor.valet)
            let offer = try #require(try await offers(caller, of: .victor).first)
            #expect(offer.order == id)
            #expect(offer.ticket == order.ticket)
            #expect(offer.etaSeconds == 240)
            #expect(offer.deliveredAt == nil)
            #expect(offer.expiresAt == bench.clock.now.addingTimeInterval(15))
            #expect(try await offers(caller, of: .vera).isEmpty)
            // A valet who has only been asked is no party yet, and has no job.
            try await caller.call(.get, "/v1/orders/\(id)", as: .victor)
                .refused(404, "order.unknown")
            #expect(try await caller.call(.get, "/v1/orders/current", as: .victor).status == 204)
            #expect(try await bench.published(ValetAssigned.self).isEmpty)
        }
    }

    @Test func acceptingAssignsAsIfAtOnceAndTwiceIsTheSame() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            bench.clock.advance(by: 5)
            let view = try await caller.act("accept", id, as: .victor)
            #expect(view.status == .droppingOff)
            #expect(view.dropOffValet?.id == TestPerson.victor.id)
            #expect(view.etaSeconds == 240)
            #expect(view.assignedAt == bench.clock.now)
            #expect(try await caller.act("accept", id, as: .victor) == view)
            let events = try await bench.published(ValetAssigned.self)
            #expect(events.count == 1)
            #expect(events.first?.order.offeredTo == nil)
            #expect(try await offers(caller, of: .victor).isEmpty)
            #expect(try await bench.published(OfferEnded.self).isEmpty)
            // Declining is no way out of a job.
            try await decide("decline", id, as: .victor, caller).refused(409, "order.offer_ended")
            let code = try await bench.stored(id).handoverCode
            try await caller.act("collect", id, CodeBody(code: code), as: .victor)
            #expect(try await caller.act("accept", id, as: .victor).status == .parking)
        }
    }

    @Test func onlyTheValetWhoIsAskedMayAnswer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            let before = try await bench.stored(id)
            for word in ["accept", "decline", "offer-delivered"] {
                try await decide(word, id, as: .vera, caller).refused(404, "order.unknown")
                try await decide(word, .new(), as: .victor, caller).refused(404, "order.unknown")
                for person in [TestPerson.alice, .olivia] {
                    try await decide(word, id, as: person, caller).refused(403, "auth.role")
                }
                #expect(try await caller.call(.post, "/v1/orders/\(id)/\(word)").status == 401)
            }
            // Nor does an offer let its valet do what a job would.
            for word in ["withdraw", "customer-absent"] {
                try await decide(word, id, as: .victor, caller).refused(404, "order.unknown")
            }
            try await decide("withdraw", id, as: .olivia, caller)
                .refused(409, "order.not_possible")
            #expect(try await bench.stored(id) == before)
        }
    }

    @Test func aPartyWhoIsNotAskedIsToldSo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            for word in ["accept", "decline", "offer-delivered"] {
                try await decide(word, order.id, as: .victor, caller)
                    .refused(403, "order.not_assigned")
            }
        }
    }

    @Test func decliningMovesOnToAnotherAndTwiceIsTheSame() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            let view = try await caller.act("decline", id, as: .victor)
            #expect(view.status == .requested)
            #expect(view.customer.firstName == "")
            let event = try #require(try await bench.published(OfferEnded.self).first)
            #expect(event.outcome == .declined)
            #expect(event.match?.attempt == 2)
            #expect(event.match?.excluded == [TestPerson.victor.valet])
            #expect(event.order.offeredTo == nil)
            #expect(try await caller.act("decline", id, as: .victor).version == view.version)
            #expect(try await bench.published(OfferEnded.self).count == 1)
            try await decide("accept", id, as: .victor, caller).refused(409, "order.offer_ended")
            // A late or repeated answer of matching does not ask them again.
            try await bench.hear(
                ValetMatched(
                    order: id, leg: .known(.dropOff), attempt: 1, valet: TestPerson.victor.valet,
                    etaSeconds: 1))
            #expect(try await bench.stored(id).offer == nil)
            try await bench.match(id, .victor)
            #expect(try await bench.stored(id).offer == nil)
            try await bench.match(id, .vera)
            #expect(try await caller.act("accept", id, as: .vera).status == .droppingOff)
        }
    }

    @Test func theReturnIsOfferedToo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            try await bench.offerJobs(in: .central)
            try await bench.match(order.id, .vera, etaSeconds: 60)
            let offer = try #require(try await offers(caller, of: .vera).first)
            #expect(offer.leg == .return)
            #expect(offer.meetingPoint.latitude == ParkedAt.garage.latitude)
            try await decide("retrieve", order.id, as: .vera, caller).refused(404, "order.unknown")
            let view = try await caller.act("accept", order.id, as: .vera)
            #expect(view.returnValet?.id == TestPerson.vera.id)
            #expect(view.etaSeconds == 60)
            #expect(try await caller.act("retrieve", order.id, as: .vera).status == .returningBack)
        }
    }

    // MARK: Time

    @Test func theClockStartsWhenThePhoneHasTheOffer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            bench.clock.advance(by: 14)
            let deliveredAt = bench.clock.now
            let first = try await decide("offer-delivered", id, as: .victor, caller)
                .expect(200, Offer.self)
            #expect(first.deliveredAt == deliveredAt)
            #expect(first.expiresAt == deliveredAt.addingTimeInterval(20))
            bench.clock.advance(by: 19)
            // Again: the clock does not start anew.
            let again = try await decide("offer-delivered", id, as: .victor, caller)
                .expect(200, Offer.self)
            #expect(again == first)
            #expect(try await bench.parts.answers.wakeDue() == 0)
            #expect(try await caller.act("accept", id, as: .victor).status == .droppingOff)
            #expect(try await bench.parts.answers.wakeDue() == 0)
        }
    }

    @Test(arguments: [true, false])
    func silenceIsANo(_ isDelivered: Bool) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            if isDelivered {
                _ = try await decide("offer-delivered", id, as: .victor, caller)
                    .expect(200, Offer.self)
            }
            bench.clock.advance(by: isDelivered ? 20 : 15)
            // Too late, though nobody has looked at the clock yet.
            #expect(try await offers(caller, of: .victor).isEmpty)
            for word in ["accept", "decline", "offer-delivered"] {
                try await decide(word, id, as: .victor, caller).refused(409, "order.offer_ended")
            }
            try await bench.parts.answers.wakeDue()
            let event = try #require(try await bench.published(OfferEnded.self).first)
            #expect(event.outcome == (isDelivered ? .expired : .undelivered))
            #expect(event.match?.excluded == [TestPerson.victor.valet])
            try await decide("accept", id, as: .victor, caller).refused(409, "order.offer_ended")
            try await bench.parts.answers.wakeDue()
            #expect(try await bench.published(OfferEnded.self).count == 1)
        }
    }

    @Test func matchingOwesNothingWhileAValetThinks() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.offerJobs(in: .central, seconds: 300)
            let order = try await caller.place()
            try await bench.match(order.id, .victor)
            _ = try await decide("offer-delivered", order.id, as: .victor, caller)
                .expect(200, Offer.self)
            bench.clock.advance(by: 200)
            #expect(try await bench.parts.answers.repeatUnanswered() == 0)
            try await bench.hear(
                NoValetFound(order: order.id, leg: .known(.dropOff), attempt: 1))
            #expect(try await bench.stored(order.id).offer != nil)
        }
    }

    // MARK: One at a time

    @Test func anOfferCountsAsTheOneActiveJob() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await offered(caller)
            let second = try await caller.place(as: .bob)
            try await bench.match(second.id, .victor)
            #expect(try await bench.stored(second.id).offer == nil)
            #expect(try await bench.published(MatchRepeated.self).count == 1)
            #expect(try await bench.published(ValetOffered.self).count == 1)
            // Nor is who has a job asked for another.
            try await caller.act("accept", first, as: .victor)
            try await bench.match(second.id, .victor)
            #expect(try await bench.stored(second.id).offer == nil)
            try await bench.match(second.id, .vera)
            #expect(try await bench.stored(second.id).offer?.valet == TestPerson.vera.valet)
        }
    }

    @Test func anOperatorCannotGiveAJobToAValetWhoIsAskedForAnother() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let parked = try await caller.order(in: .parked, of: .bob)
            _ = try await offered(caller)
            let answer = try await caller.call(
                .post, "/v1/admin/orders/\(parked.id)/override",
                OverrideBody(status: .parking, reason: "wrong bay"), as: .olivia)
            try answer.refused(409, "order.valet_busy")
        }
    }

    @Test func aSuspendedValetCannotAccept() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            try await bench.learn(.victor, suspended: true)
            try await decide("accept", id, as: .victor, caller)
                .refused(403, "order.valet_suspended")
            #expect(try await bench.stored(id).offer != nil)
            try await bench.learn(.victor, version: 2)
            #expect(try await caller.act("accept", id, as: .victor).status == .droppingOff)
        }
    }

    // MARK: Withdrawn

    @Test func cancellingEndsTheOfferForFree() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            let view = try await caller.act("cancel", id, as: .alice)
            #expect(view.charge?.amount == 0)
            let cancelled = try #require(try await bench.published(OrderCancelled.self).first)
            #expect(cancelled.valet == nil)
            let event = try #require(try await bench.published(OfferEnded.self).first)
            #expect(event.outcome == .withdrawn)
            #expect(event.valet == TestPerson.victor.valet)
            #expect(event.match == nil)
            #expect(event.order.status == .cancelled)
            try await decide("accept", id, as: .victor, caller).refused(409, "order.offer_ended")
            bench.clock.advance(by: 60)
            #expect(try await bench.parts.answers.wakeDue() == 0)
            // Victor may be asked for the next one at once.
            let next = try await caller.place(as: .bob)
            try await bench.match(next.id, .victor)
            #expect(try await offers(caller, of: .victor).first?.order == next.id)
        }
    }

    @Test func cancellingTheRecallEndsTheOffer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            try await bench.offerJobs(in: .central)
            try await bench.match(order.id, .vera)
            #expect(try await caller.act("cancel-recall", order.id, as: .alice).status == .parked)
            let event = try #require(try await bench.published(OfferEnded.self).first)
            #expect(event.outcome == .withdrawn)
            #expect(event.leg == .return)
            #expect(try await bench.published(RecallCancelled.self).first?.valet == nil)
        }
    }

    @Test func anOverrideEndsTheOffer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            _ = try await caller.call(
                .post, "/v1/admin/orders/\(id)/override",
                OverrideBody(status: .cancelled, reason: "by phone"), as: .olivia
            ).expect(200, OrderView.self)
            let events = try await bench.published(OfferEnded.self)
            #expect(events.map(\.outcome.known) == [.withdrawn])
            #expect(try await bench.published(OrderOverridden.self).first?.released == nil)
        }
    }

    // MARK: Twice, late, at once

    @Test func aRepeatedMatchMakesOneOffer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.offerJobs(in: .central)
            let order = try await caller.place()
            let match = ValetMatched(
                order: order.id, leg: .known(.dropOff), attempt: 1, valet: TestPerson.victor.valet,
                etaSeconds: 240)
            let id = EventID.new()
            for _ in 1...3 { try await bench.hear(match, id: id) }
            try await bench.hear(match)
            #expect(try await bench.published(ValetOffered.self).count == 1)
            #expect(try await bench.published(MatchRepeated.self).isEmpty)
        }
    }

    @Test func acceptAndExpiryAtOnceEndInOneOfTheTwo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await offered(caller)
            bench.clock.advance(by: 14.9)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        _ = try await decide("accept", id, as: .victor, caller)
                    }
                    group.addTask {
                        bench.clock.advance(by: 0.1)
                        try await bench.parts.answers.wakeDue()
                    }
                }
                try await group.waitForAll()
            }
            let assigned = try await bench.published(ValetAssigned.self).count
            let ended = try await bench.published(OfferEnded.self).count
            #expect(assigned + ended == 1)
            let status = try await bench.stored(id).status
            #expect(status == (assigned == 1 ? .droppingOff : .requested))
        }
    }

    // MARK: The area's word

    @Test func theAreaSaysHowJobsAreGiven() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.offerJobs(in: .central, seconds: 5)
            let id = try await caller.place().id
            try await bench.match(id, .victor)
            #expect(try await bench.stored(id).offer?.answerSeconds == 5)
            try await bench.change(.central) { $0.dispatch = Dispatch(mode: .direct) }
            let other = try await caller.place(as: .bob)
            try await bench.match(other.id, .vera)
            #expect(try await bench.stored(other.id).status == .droppingOff)
        }
    }

    @Test func onlyValetsHaveOffers() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .olivia] {
                try await caller.call(.get, "/v1/me/offers", as: person).refused(403, "auth.role")
            }
            #expect(try await caller.call(.get, "/v1/me/offers").status == 401)
        }
    }
}
