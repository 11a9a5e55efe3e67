import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Orders

struct OrderReactionTests {
    @Test func anAnswerForALegOfALaterReleaseChangesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            await #expect(throws: UnknownValue(field: "leg", value: "sideways")) {
                try await bench.hear(
                    ValetMatched(
                        order: order.id, leg: .unknown("sideways"), attempt: 1,
                        valet: TestPerson.victor.valet, etaSeconds: 240))
            }
            #expect(try await bench.stored(order.id).version.number == order.version)
        }
    }

    @Test func aRoleOfALaterReleaseStandsInTheRecordAsItCame() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            var photo = PhotoTaken(
                photo: .new(), engagement: order.id.as(EngagementID.self), product: .valet,
                moment: .handOver, sha256: String(repeating: "0", count: 64), place: nil,
                by: TestPerson.victor.id, role: .valet, takenAt: bench.clock.now)
            (photo.role, photo.moment) = (.unknown("inspector"), .unknown("inspection"))
            try await bench.hear(photo)
            let lines = try await caller.call(
                .get, "/v1/orders/\(order.id)/custody", as: .olivia
            ).expect(200, Page<CustodyEntry>.self).items
            #expect(lines.last?.role == .unknown("inspector"))
            let verdict = try await caller.call(
                .get, "/v1/admin/orders/\(order.id)/custody/verification", as: .olivia
            ).expect(200, CustodyVerification.self)
            #expect(verdict.isIntact)
        }
    }

    @Test func aMatchAssignsTheValetOnceHoweverOftenItComes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            let match = ValetMatched(
                order: order.id, leg: .known(.dropOff), attempt: 1, valet: TestPerson.victor.valet,
                etaSeconds: 240)
            let id = EventID.new()
            for _ in 1...3 { try await bench.hear(match, id: id) }
            // The same again under another id: late, since the order has a valet now.
            try await bench.hear(match)
            #expect(try await bench.published(ValetAssigned.self).count == 1)
            #expect(try await bench.stored(order.id).version.number == 2)
        }
    }

    @Test func anAnswerToAnOlderRequestIsIgnored() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await caller.act("withdraw", order.id, as: .victor)
            let stale = ValetMatched(
                order: order.id, leg: .known(.dropOff), attempt: 1, valet: TestPerson.vera.valet,
                etaSeconds: 1)
            try await bench.hear(stale)
            try await bench.hear(
                NoValetFound(order: order.id, leg: .known(.dropOff), attempt: 1))
            try await bench.hear(
                ValetMatched(
                    order: order.id, leg: .known(.return), attempt: 2, valet: TestPerson.vera.valet,
                    etaSeconds: 1))
            #expect(try await caller.read(order.id, as: .alice).status == .requested)
            try await bench.match(order.id, .vera)
            #expect(
                try await caller.read(order.id, as: .alice).dropOffValet?.id == TestPerson.vera.id)
        }
    }

    @Test func anAnswerAfterCancellingIsIgnored() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            try await caller.act("cancel", order.id, as: .alice)
            try await bench.hear(
                ValetMatched(
                    order: order.id, leg: .known(.dropOff), attempt: 1,
                    valet: TestPerson.victor.valet,
                    etaSeconds: 1))
            try await bench.hear(
                NoValetFound(order: order.id, leg: .known(.dropOff), attempt: 1))
            #expect(try await bench.stored(order.id).status == .cancelled)
            #expect(try await bench.published(ValetAssigned.self).isEmpty)
            #expect(try await bench.published(OrderUnfulfilled.self).isEmpty)
        }
    }

    @Test func aValetWithAJobIsNotGivenAnother() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.order(in: .droppingOff)
            let second = try await caller.place(as: .bob)
            try await bench.match(second.id, .victor)
            let event = try #require(try await bench.published(MatchRepeated.self).first)
            #expect(event.order.id == second.id)
            #expect(event.match.attempt == 2)
            #expect(event.match.excluded.isEmpty)
            try await bench.match(second.id, .vera)
            #expect(try await bench.stored(second.id).activeValet == TestPerson.vera.valet)
        }
    }

    @Test func ofManyOrdersMatchedWithOneValetAtOnceOneGetsThem() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.place()
            let second = try await caller.place(as: .bob)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in [first.id, second.id] {
                    group.addTask { try await bench.match(id, .victor) }
                }
                try await group.waitForAll()
            }
            #expect(try await bench.published(ValetAssigned.self).count == 1)
            #expect(try await bench.published(MatchRepeated.self).count == 1)
        }
    }

    @Test func aSuspendedValetIsNotGivenAJob() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.victor, suspended: true)
            let order = try await caller.place()
            try await bench.match(order.id, .victor)
            let event = try #require(try await bench.published(MatchRepeated.self).first)
            #expect(event.match.excluded == [TestPerson.victor.valet])
        }
    }

    @Test func aValetWhoHasNotBeenHeardOfAndIsSuspendedIsNotGivenAJob() async throws {
        let accounts = PretendServer(.refusing(404, "account.unknown"))
        try await accounts.serve { url in
            let bench = try await Bench(accounts: url)
            try await bench.run { caller in
                let order = try await caller.place()
                try accounts.know(.victor, suspended: true, at: bench.clock.now)
                try await bench.match(order.id, .victor)
                let event = try #require(try await bench.published(MatchRepeated.self).first)
                #expect(event.match.excluded == [TestPerson.victor.valet])
            }
        }
    }

    @Test func aValetWhoWithdrewIsNotGivenTheLegAgain() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await caller.act(
                "withdraw", order.id, ReasonBody(reason: "I do not feel safe"), as: .victor)
            #expect(try await caller.read(order.id, as: .olivia).reason == "I do not feel safe")
            #expect(try await caller.read(order.id, as: .alice).reason == nil)
            try await bench.match(order.id, .victor)
            #expect(try await bench.published(MatchRepeated.self).count == 1)
            #expect(try await bench.stored(order.id).status == .requested)
        }
    }

    @Test func withoutAValetADropOffEndsAndAReturnStaysParked() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            try await bench.hear(
                NoValetFound(order: order.id, leg: .known(.dropOff), attempt: 1))
            let ended = try await caller.read(order.id, as: .alice)
            #expect(ended.status == .unfulfilled)
            #expect(ended.reason == "noValetAvailable")
            #expect(try await bench.published(OrderUnfulfilled.self).count == 1)

            let other = try await caller.order(in: .requestingBack)
            let event = NoValetFound(order: other.id, leg: .known(.return), attempt: 1)
            try await bench.hear(event)
            try await bench.hear(event)
            let parked = try await caller.read(other.id, as: .alice)
            #expect(parked.status == .parked && parked.reason == "noValetAvailable")
            #expect(try await bench.published(ReturnUnfulfilled.self).count == 1)
            try await caller.act("recall", other.id, RecallBody(returnTo: .central), as: .alice)
            #expect(try await caller.read(other.id, as: .alice).reason == nil)
        }
    }

    @Test func aPaymentFinishesOnceAndNothingElse() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let parked = try await caller.order(in: .parked)
            try await bench.pay(parked)
            #expect(try await bench.stored(parked.id).status == .parked)
            let due = try await caller.order(in: .waitingForPayment, of: .bob)
            let id = EventID.new()
            for _ in 1...2 { try await bench.pay(due, id: id) }
            try await bench.pay(due)
            #expect(try await bench.stored(due.id).status == .finished)
            #expect(try await bench.published(OrderFinished.self).count == 1)
        }
    }

    @Test func eventsOfUnknownOrdersAreHarmless() async throws {
        let bench = try await Bench()
        let id = OrderID.new()
        try await bench.hear(
            ValetMatched(
                order: id, leg: .known(.dropOff), attempt: 1, valet: TestPerson.victor.valet,
                etaSeconds: 1)
        )
        try await bench.hear(NoValetFound(order: id, leg: .known(.dropOff), attempt: 1))
        try await bench.hear(
            PartyArrived(
                engagement: id.as(EngagementID.self), product: "valet", meeting: "dropOff",
                mover: TestPerson.victor.valet.as(PersonID.self),
                peers: [TestPerson.alice.customer.as(PersonID.self)],
                arrivedAt: bench.clock.now))
    }

    @Test func anOlderAccountDoesNotReplaceANewerOne() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var account = TestPerson.alice.account(createdAt: bench.clock.now)
            account.firstName = "Alicia"
            try await bench.hear(AccountChanged(account: account, suspended: false, version: 5))
            try await bench.learn(.alice, version: 4)
            try await bench.learn(.alice, version: 5)
            #expect(try await caller.place().customer.firstName == "Alicia")
        }
    }

    @Test func anOlderVehicleDoesNotComeBack() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vehicle = Vehicle(id: .new(), plate: "X", make: "X", model: "X", colour: "X")
            let owner = TestPerson.alice.customer
            for (removed, version) in [(true, 2), (false, 1)] {
                try await bench.hear(
                    VehicleChanged(
                        owner: owner, vehicle: vehicle, removed: removed, version: version))
            }
            try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central, vehicleId: vehicle.id),
                as: .alice
            ).refused(422, "order.vehicle_unknown", field: "vehicleId")
        }
    }

    @Test func aValetsRatingIsTheNewestOne() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.victor)
            let order = try await caller.order(in: .droppingOff)
            #expect(order.dropOffValet?.rating == nil)
            for (average, version) in [(4.5, 2), (5.0, 1)] {
                try await bench.hear(
                    RatingGiven(
                        engagement: order.id.as(EngagementID.self), product: "valet",
                        from: TestPerson.alice.id, to: TestPerson.victor.id,
                        stars: 4, summary: RatingSummary(average: average, count: version),
                        version: version))
            }
            let view = try await caller.read(order.id, as: .alice)
            #expect(view.dropOffValet?.rating == 4.5)
        }
    }

    @Test func theFirstArrivalCounts() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            for _ in 1...2 {
                try await bench.hear(
                    PartyArrived(
                        engagement: order.id.as(EngagementID.self), product: "valet",
                        meeting: "dropOff",
                        mover: TestPerson.victor.valet.as(PersonID.self),
                        peers: [TestPerson.alice.customer.as(PersonID.self)],
                        arrivedAt: bench.clock.now))
                bench.clock.advance(by: 300)
            }
            let after = try await caller.act("customer-absent", order.id, as: .victor)
            #expect(after.status == .cancelled)
        }
    }
}

struct OrderWatchTests {
    @Test func operatorsAreToldOnceInEachStateThatLastsTooLong() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            bench.clock.advance(by: 2_699)
            #expect(try await bench.parts.answers.announceOverdue() == 0)
            bench.clock.advance(by: 1)
            for _ in 1...2 { try await bench.parts.answers.announceOverdue() }
            let events = try await bench.published(OrderOverdue.self)
            #expect(events.map(\.limitSeconds) == [2_700])
            #expect(events.first?.order.status.known == .droppingOff)
            let code = try await bench.stored(order.id).handoverCode
            try await caller.act("collect", order.id, CodeBody(code: code), as: .victor)
            bench.clock.advance(by: 2_700)
            try await bench.parts.answers.announceOverdue()
            let all = try await bench.published(OrderOverdue.self)
            #expect(all.map(\.order.status.known) == [.droppingOff, .parking])
        }
    }

    @Test(.withoutDatabase) func everyStateButTheEndsHasALimit() {
        #expect(
            Set(OrderLimits.usual.stateSeconds.keys)
                == Set(OrderStatus.allCases.filter { !$0.isEnd }))
    }

    @Test func endedOrdersAreNeverOverdue() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.order(in: .finished)
            bench.clock.advance(by: 31_536_000)
            #expect(try await bench.parts.answers.announceOverdue() == 0)
            #expect(try await bench.parts.answers.repeatUnanswered() == 0)
        }
    }

    @Test func matchingIsAskedAgainWhenItDoesNotAnswer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            bench.clock.advance(by: 59)
            try await bench.parts.answers.repeatUnanswered()
            #expect(try await bench.published(MatchRepeated.self).isEmpty)
            bench.clock.advance(by: 1)
            for _ in 1...2 { try await bench.parts.answers.repeatUnanswered() }
            #expect(try await bench.published(MatchRepeated.self).map(\.match.attempt) == [2])
            try await bench.match(order.id, .victor)
            bench.clock.advance(by: 60)
            #expect(try await bench.parts.answers.repeatUnanswered() == 0)
        }
    }

    @Test func aSearchThatNobodyAnswersEndsAtLast() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            for _ in 0...Order.mostRepeats {
                bench.clock.advance(by: 60)
                try await bench.parts.answers.repeatUnanswered()
            }
            #expect(try await caller.read(order.id, as: .alice).status == .unfulfilled)
        }
    }

    @Test func oneLookHandlesABoundedNumberOfOrders() async throws {
        let bench = try await Bench()
        for number in 0..<(OrderAnswers.batch + 1) {
            let customer = CustomerID.new()
            _ = try await bench.parts.orders.place(
                PlaceOrderBody(dropOff: number.isMultiple(of: 2) ? .central : .mongKok),
                by: customer, once: nil)
        }
        bench.clock.advance(by: 300)
        #expect(try await bench.parts.answers.announceOverdue() == OrderAnswers.batch)
        #expect(try await bench.parts.answers.announceOverdue() == 1)
        #expect(try await bench.parts.answers.announceOverdue() == 0)
    }

    @Test func ofTwoProcessesTheOneThatLeadsLooks() async throws {
        let location = try TestPostgres.shared.get().newLocation()
        let (first, second) = (
            try await Bench(location: location), try await Bench(location: location)
        )
        #expect(try await eventually { first.database.leads })
        _ = try await first.parts.orders.place(
            PlaceOrderBody(dropOff: .central), by: .new(), once: nil)
        second.clock.advance(by: 3_600)
        let (logger, answers) = (second.parts.environment.logger, second.parts.answers)
        let watch = Task { try await OrderWatch(answers: answers, logger: logger).run() }
        let isTold: @Sendable () async throws -> Bool = {
            try await !second.published(OrderOverdue.self).isEmpty
        }
        #expect(try await !eventually(within: .seconds(3), isTold))
        try await first.database.close()
        #expect(try await eventually(isTold))
        watch.cancel()
        try await watch.value
        try await second.database.close()
    }
}
