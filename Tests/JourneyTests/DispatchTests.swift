import Client
import Contracts
import Foundation
import Support
import Testing

extension Town {
    /// Where valets are asked before they have a job. From its beginning: who hears of it late does not take it for a
    /// town where they are not.
    static func foundAsking(seconds: Int = 120) async throws -> Town {
        try await found(dispatch: Dispatch(mode: .offer, offerSeconds: seconds))
    }
}

extension Someone {
    /// Waits until the valet is asked to take this order.
    func isAsked(for order: OrderID) async throws -> Offer {
        var offer: Offer?
        let isThere = try await eventually {
            offer = try await client(OrderEndpoints.offers()).items.first { $0.order == order }
            return offer != nil
        }
        #expect(isThere, "\(account.firstName) is not asked")
        return try #require(offer)
    }

    /// Says that the phone has the offer, and takes it.
    @discardableResult
    func takes(_ order: OrderID) async throws -> OrderView {
        _ = try await isAsked(for: order)
        let delivered = try await client(OrderEndpoints.confirmOfferDelivery(order))
        #expect(delivered.deliveredAt != nil)
        return try await client(OrderEndpoints.acceptOffer(order))
    }
}

/// Valets who are asked first, orders ahead, tasks of parked vehicles, shifts and breaks.
@Suite(.serialized) struct DispatchTests {
    @Test func anOfferIsDeclinedAndTheNextValetDoesTheWholeJob() async throws {
        let town = try await Town.foundAsking()
        let ada = try await town.customer()
        let (lee, kim) = (try await town.valet(), try await town.valet("Kim", 600))
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(
                body: PlaceOrderBody(dropOff: town.center, extras: [.wash, .refuel])))
        let offer = try await lee.isAsked(for: placed.id)
        #expect(offer.leg == .dropOff)
        #expect(try await ada.client(OrderEndpoints.order(placed.id)).status == .requested)
        try await refused("order.unknown") {
            try await kim.client(OrderEndpoints.acceptOffer(placed.id))
        }
        try await refused("order.unknown") {
            _ = try await lee.client(OrderEndpoints.order(placed.id))
        }
        try await lee.client(OrderEndpoints.declineOffer(placed.id))
        try await refused("order.offer_ended") {
            try await lee.client(OrderEndpoints.acceptOffer(placed.id))
        }
        let taken = try await kim.takes(placed.id)
        #expect(taken.status == .droppingOff)
        #expect(
            try await kim.client(OrderEndpoints.acceptOffer(placed.id)).version == taken.version)
        let told = try await lee.feed(has: "orders.valet-offered")
        #expect(told.contains { $0.title == "A job for you" })

        let code = try #require(try await ada.client(OrderEndpoints.order(placed.id)).handoverCode)
        try await kim.client(OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        let parked = try await kim.client(
            OrderEndpoints.park(placed.id, body: ParkBody(at: town.garage, vehicle: Someone.car)))
        #expect(parked.tasks.map(\.status.known) == [.open, .open])
        try await isWashed(placed.id, by: lee, not: kim, town.world)
        let isTold = try await eventually {
            try await ada.client(NotificationEndpoints.notifications()).items.contains {
                $0.title == "Your vehicle is clean"
            }
        }
        #expect(isTold)

        // Kim goes home; the return is Lee's.
        try await kim.goHome()
        try await ada.client(
            OrderEndpoints.recall(placed.id, body: RecallBody(returnTo: town.east(500))))
        try await lee.takes(placed.id)
        let returning = try await ada.order(placed.id, hasValetFor: .return)
        #expect(returning.returnValet?.id == lee.account.id)
        try await lee.client(OrderEndpoints.retrieve(placed.id))
        let back = try await lee.client(
            OrderEndpoints.handBack(
                placed.id, body: CodeBody(code: try #require(returning.handoverCode))))
        // The wash, and not the refuelling that nobody did.
        #expect(back.charge == Money(amount: 26_000, currency: "HKD"))
        try await ada.client.payWhenDue(placed.id, PayBody(token: "pm_card_visa"))
        _ = try await ada.order(placed.id, reaches: .finished)
    }

    private func isWashed(
        _ order: OrderID, by lee: Someone, not kim: Someone, _ world: World
    ) async throws {
        let isListed = try await eventually {
            try await lee.client(OrderEndpoints.tasks(asks: TasksQuery().with(\.status, .open)))
                .items.count { $0.order == order } == 2
        }
        #expect(isListed)
        try await lee.client(OrderEndpoints.takeTask(order, body: TaskBody(kind: .wash)))
        try await refused("order.task_taken") {
            try await kim.client(OrderEndpoints.takeTask(order, body: TaskBody(kind: .wash)))
        }
        let seen = try await world.boss(
            OrderEndpoints.tasks(asks: TasksQuery().with(\.status, .taken))
        ).items.first { $0.order == order }
        #expect(seen?.task.valet == lee.valetID)
        let done = try await lee.client(
            OrderEndpoints.completeTask(order, body: TaskBody(kind: .wash)))
        #expect(done.tasks.first { $0.kind == .wash }?.status.known == .done)
    }

    @Test func silenceGoesOnToTheNextValet() async throws {
        let town = try await Town.foundAsking(seconds: 15)
        let ada = try await town.customer()
        let (lee, kim) = (try await town.valet(), try await town.valet("Kim", 600))
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)))
        _ = try await lee.isAsked(for: placed.id)
        // The phone has it, and nobody answers.
        try await lee.client(OrderEndpoints.confirmOfferDelivery(placed.id))
        try await kim.takes(placed.id)
        let missed = try await lee.feed(has: "orders.offer-ended")
        #expect(missed.contains { $0.title == "You missed a job" })
        try await refused("order.offer_ended") {
            try await lee.client(OrderEndpoints.acceptOffer(placed.id))
        }
        // A valet who missed an offer may get the next one; the customer's cancellation ends that offer.
        let eve = try await town.customer("Eve")
        let next = try await eve.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)))
        _ = try await lee.isAsked(for: next.id)
        try await eve.client(OrderEndpoints.cancel(next.id, body: ReasonBody()))
        try await lee.goHome()
        try await refused("order.offer_ended") {
            try await lee.client(OrderEndpoints.acceptOffer(next.id))
        }
    }

    @Test func anOrderAheadFindsAValetWhoHadABreak() async throws {
        let platform = try await TestPlatform.start()
        defer { platform.stop() }
        let town = try await Town.found(in: try await World(platform))
        let (ada, lee) = (try await town.customer(), try await town.valet())
        let center = town.center.coordinate
        #expect(
            try await lee.client(
                LocationEndpoints.setAvailability(body: AvailabilityBody(status: .onBreak))
            ).status == .onBreak)
        #expect(
            try await ada.client(
                LocationEndpoints.nearbyValets(asks: NearbyValetsQuery(around: center))
            ).items.isEmpty)
        let problem = try await refused("order.schedule_invalid") {
            _ = try await ada.client(
                OrderEndpoints.placeOrder(
                    body: PlaceOrderBody(
                        dropOff: town.center, scheduledFor: platform.now.addingTimeInterval(-60))))
        }
        #expect(problem?.field == "scheduledFor")
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(
                body: PlaceOrderBody(
                    dropOff: town.center, scheduledFor: platform.now.addingTimeInterval(1_200))))
        #expect(placed.status == .requested)
        #expect(placed.scheduledFor != nil)
        _ = try await ada.feed(has: "orders.scheduled")
        #expect(
            try await lee.client(
                LocationEndpoints.setAvailability(body: AvailabilityBody(status: .available))
            ).status == .available)
        try await lee.begin(at: town.east(200))
        // Ten minutes before its time a valet is looked for, who must have been heard of lately.
        platform.clock.advance(by: 601)
        try await lee.stand(at: town.east(200))
        let served = try await ada.order(placed.id, hasValetFor: .dropOff)
        #expect(served.dropOffValet?.id == lee.account.id)
        let told = try await ada.feed(has: "orders.drop-off-requested")
        #expect(told.contains { $0.title == "It’s nearly time" })
        // Location knows of the job a moment after orders.
        let isBusy = try await eventually {
            try await ada.client(
                LocationEndpoints.nearbyValets(asks: NearbyValetsQuery(around: center))
            ).items.isEmpty
        }
        #expect(isBusy)
        try await refused("location.on_job") {
            try await lee.client(
                LocationEndpoints.setAvailability(body: AvailabilityBody(status: .onBreak))
            )
        }
        try await ada.client(OrderEndpoints.cancel(placed.id, body: ReasonBody()))
        try await lee.goHome()
        let isKept = try await eventually {
            let shift = try await lee.client(OrderEndpoints.ownShifts()).items.first
            return shift?.endedAt != nil && shift?.breaks.count == 1
        }
        #expect(isKept)
        let boss = town.world.boss
        #expect(
            try await boss(OrderEndpoints.shifts(asks: ShiftsQuery().with(\.valet, lee.valetID)))
                .items.count == 1)
    }
}
