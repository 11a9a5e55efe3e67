import Client
import Contracts
import Foundation
import Support
import Testing

/// Orders that end, or begin anew, before the vehicle is taken.
@Suite(.serialized) struct CancellingTests {
    @Test func cancellingIsFreeInTheGraceTime() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.order()
        let cancelled = try await pair.customer.client(
            OrderEndpoints.cancel(order.id, body: ReasonBody(reason: "changed my mind")))
        #expect(cancelled.status == .cancelled)
        #expect(cancelled.reason == "changed my mind")
        #expect(cancelled.charge?.amount == 0)
        #expect(
            try await pair.customer.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                == nil)
        #expect(
            try await pair.valet.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                == nil)
        let told = try await pair.customer.feed(has: "orders.cancelled")
        #expect(told.last?.text?.contains("You pay nothing") == true)
        try await pair.valet.goHome()
        try await refused("order.not_possible") {
            try await pair.customer.client(OrderEndpoints.cancel(order.id, body: ReasonBody()))
        }
    }

    @Test func cancellingAfterTheGraceTimeCostsTheFeeAndTheFeeCanBePaid() async throws {
        let pair = try await Pair.meet(.strict)
        let order = try await pair.order()
        let cancelled = try await pair.customer.client(
            OrderEndpoints.cancel(order.id, body: ReasonBody()))
        #expect(cancelled.charge == Money(amount: 5_000, currency: "HKD"))
        let payment = try await pair.customer.client.payWhenDue(
            order.id, PayBody(token: "pm_card_visa"))
        #expect(payment.amount.amount == 5_000)
        #expect(try await pair.customer.client(OrderEndpoints.order(order.id)).status == .cancelled)
        let told = try await pair.customer.feed(has: "orders.cancelled")
        #expect(told.contains { $0.text?.contains("HK$50.00") == true })
    }

    @Test func whoeverHasGivenTheVehicleAwayCannotCancel() async throws {
        let pair = try await Pair.meet()
        let collected = try await pair.collect()
        try await refused("order.not_possible") {
            try await pair.customer.client(OrderEndpoints.cancel(collected.id, body: ReasonBody()))
        }
        let parked = try await pair.park(collected.id)
        try await refused("order.not_possible") {
            try await pair.customer.client(OrderEndpoints.cancel(parked.id, body: ReasonBody()))
        }
        #expect(
            try await pair.customer.client(OrderEndpoints.order(parked.id)).version
                == parked.version)
    }

    @Test func theCustomerIsAbsentOnlyAfterArrivalAndTheWaitingTime() async throws {
        let platform = try await TestPlatform.start()
        defer { platform.stop() }
        let pair = try await Pair.meet(in: try await World(platform), .strict, valetAt: 10)
        let (lee, order) = (pair.valet.client, try await pair.order())
        try await refused("order.not_arrived") {
            try await lee(OrderEndpoints.customerAbsent(order.id, body: ReasonBody()))
        }
        var refusals: Set<String> = []
        let isWaiting = try await eventually {
            try await pair.valet.stand(at: pair.town.east(5))
            do {
                try await lee(OrderEndpoints.customerAbsent(order.id, body: ReasonBody()))
                return true
            } catch let error as ClientError where error.status == 409 {
                refusals.insert(error.code ?? "")
                // Asking again without a pause would be refused as too many requests.
                try await Task.sleep(for: .milliseconds(250))
                return refusals.contains("order.waiting")
            }
        }
        #expect(isWaiting)
        #expect(refusals.isSubset(of: ["order.not_arrived", "order.waiting"]))
        #expect(refusals.contains("order.waiting"))
        platform.clock.advance(by: 301)
        let cancelled = try await lee(
            OrderEndpoints.customerAbsent(order.id, body: ReasonBody()))
        #expect(cancelled.status == .cancelled)
        #expect(cancelled.reason == "customerAbsent")
        #expect(cancelled.charge == Money(amount: 10_000, currency: "HKD"))
        let told = try await pair.customer.feed(has: "orders.cancelled")
        #expect(told.filter { $0.event == "location.arrived.v1" }.count == 1, "arrived, once")
        #expect(told.contains { $0.title == "Your valet has left" })
    }

    @Test func fiveWrongCodesLockTheCode() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.order()
        let code = try #require(order.handoverCode)
        let wrong = code == "0000" ? "1111" : "0000"
        for _ in 1...5 {
            let problem = try await refused("order.wrong_code") {
                try await pair.valet.client(
                    OrderEndpoints.collect(order.id, body: CodeBody(code: wrong)))
            }
            #expect(problem?.status == 422)
            #expect(problem?.field == "code")
        }
        for attempt in [wrong, code] {
            let problem = try await refused("order.code_locked") {
                try await pair.valet.client(
                    OrderEndpoints.collect(order.id, body: CodeBody(code: attempt)))
            }
            #expect(problem?.status == 429)
            #expect((1...60).contains(problem?.retryAfterSeconds ?? 0))
        }
        #expect(
            try await pair.customer.client(OrderEndpoints.order(order.id)).status == .droppingOff)
    }

    @Test func aSecondUnfinishedOrderIsRefusedAndNamesTheFirst() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.order()
        let problem = try await refused("order.unfinished_exists") {
            _ = try await pair.customer.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
        }
        #expect(problem?.status == 409)
        #expect(problem?.engagementId == order.id.as(EngagementID.self))
        #expect(
            try await pair.customer.client(OrderEndpoints.orders(asks: OrdersQuery())).items.map(
                \.id) == [order.id])
    }

    @Test func aPointOutsideEveryAreaIsRefusedWithTheWayToTheNearest() async throws {
        let pair = try await Pair.meet()
        let outside = try await refused("order.outside_service_area") {
            _ = try await pair.customer.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.wilderness)))
        }
        #expect(outside?.field == "dropOff")
        #expect(outside?.servicePoint != nil)
        #expect(
            try await pair.customer.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                == nil)
        let id = try await pair.park().id
        let parked = try await pair.customer.client(OrderEndpoints.order(id))
        let farAway = try await refused("order.outside_service_area") {
            try await pair.customer.client(
                OrderEndpoints.recall(id, body: RecallBody(returnTo: pair.town.wilderness)))
        }
        #expect(farAway?.field == "returnTo")
        #expect(try await pair.customer.client(OrderEndpoints.order(id)) == parked)
    }
}

/// Valets who give a job back, and valets who are not there. Here tests wait for matching's
/// patience to end, so they do it side by side.
@Suite struct SearchingTests {
    @Test func aValetWhoWithdrawsIsReplacedAndNeverAskedAgainForThatLeg() async throws {
        let pair = try await Pair.meet()
        let kim = try await pair.town.valet("Kim", 400)
        let ada = pair.customer
        let order = try await pair.order()
        try await pair.valet.client(
            OrderEndpoints.withdraw(order.id, body: ReasonBody(reason: "flat tyre")))
        let second = try await ada.order(
            order.id, hasValetFor: .dropOff, otherThan: [pair.valet])
        #expect(second.dropOffValet?.id == kim.account.id)
        try await refused("order.unknown") {
            try await pair.valet.client(
                OrderEndpoints.collect(
                    order.id, body: CodeBody(code: try #require(second.handoverCode))))
        }
        // Kim is taken off by an operator; nobody else is there who was not asked before.
        try await pair.town.world.boss(
            OrderEndpoints.withdraw(order.id, body: ReasonBody(reason: "sent elsewhere")))
        try await pair.valet.stand(at: pair.town.east(200))
        try await kim.stand(at: pair.town.east(400))
        let alone = try await ada.order(order.id, reaches: .unfulfilled)
        #expect(alone.dropOffValet == nil)
        let trace = try await pair.town.world.boss(MatchingEndpoints.matching(order.id))
        let refusals = trace.decisions.first?.candidates.compactMap(\.refusal) ?? []
        #expect(refusals.allSatisfy { $0 == .withdrew })
        let feed = try await ada.feed(has: "orders.unfulfilled")
        #expect(feed.filter { $0.event == "orders.valet-withdrawn.v1" }.count == 2)
        try await pair.valet.goHome()
        try await kim.goHome()
    }

    @Test func theWayBackIsGivenToAnotherWhenTheFirstWithdraws() async throws {
        let pair = try await Pair.meet()
        let kim = try await pair.town.valet("Kim", 400)
        let parked = try await pair.park()
        try await pair.customer.client(
            OrderEndpoints.recall(parked.id, body: RecallBody(returnTo: pair.town.east(500))))
        let first = try await pair.customer.order(parked.id, hasValetFor: .return)
        let (one, other) =
            first.returnValet?.id == kim.account.id ? (kim, pair.valet) : (pair.valet, kim)
        try await one.client(OrderEndpoints.withdraw(parked.id, body: ReasonBody()))
        let second = try await pair.customer.order(
            parked.id, hasValetFor: .return, otherThan: [one])
        #expect(second.status == .requestingBack)
        #expect(second.returnValet?.id == other.account.id)
        try await other.client(OrderEndpoints.retrieve(parked.id))
        let code = try #require(second.handoverCode)
        #expect(
            try await other.client(OrderEndpoints.handBack(parked.id, body: CodeBody(code: code)))
                .status == .waitingForPayment)
    }

    @Test func whereNobodyIsAvailableTheOrderEndsUnfulfilledAndMayBePlacedAgain() async throws {
        let town = try await Town.found()
        let ada = try await town.customer()
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)))
        #expect(placed.status == .requested)
        let order = try await ada.order(placed.id, reaches: .unfulfilled)
        #expect(order.reason == "noValetAvailable")
        #expect(order.endedAt != nil)
        let told = try await ada.feed(has: "orders.unfulfilled")
        #expect(told.last?.text?.contains("Please try again later") == true)
        let lee = try await town.valet()
        let again = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)).waiting(20))
        #expect(again.id != placed.id)
        #expect(again.dropOffValet?.id == lee.account.id)
    }

    @Test func aReturnThatNobodyCanMakeLeavesTheVehicleParkedAndMayBeTriedAgain() async throws {
        let pair = try await Pair.meet()
        let parked = try await pair.park()
        try await pair.valet.goHome()
        try await pair.customer.client(
            OrderEndpoints.recall(parked.id, body: RecallBody(returnTo: pair.town.center)))
        let still = try await pair.customer.order(parked.id, reaches: .parked)
        #expect(still.returnTo == nil)
        let told = try await pair.customer.feed(has: "orders.return-unfulfilled")
        #expect(told.last?.text?.contains("stays parked") == true)
        try await pair.valet.begin(at: pair.town.east(200))
        let back = try await pair.handBack(try await pair.recall(parked.id))
        #expect(back.status == .waitingForPayment)
    }

    @Test func anOrderIsCancelledWhileAValetIsStillLookedFor() async throws {
        let town = try await Town.found()
        let ada = try await town.customer()
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)))
        #expect(
            try await ada.client(OrderEndpoints.cancel(placed.id, body: ReasonBody())).status
                == .cancelled)
        let lee = try await town.valet()
        try await lee.goHome()
        #expect(try await ada.client(OrderEndpoints.order(placed.id)).status == .cancelled)
        #expect(try await lee.client(OrderEndpoints.orders(asks: OrdersQuery())).items.isEmpty)
    }
}
