import Client
import Contracts
import Foundation
import Support
import Testing

/// From the first tap to the stars, through the gateway, with every executable running.
@Suite(.serialized) struct WholeJourneyTests {
    @Test func aCustomerIsServedFromTheTapToTheStars() async throws {
        let town = try await Town.found()
        let (ada, lee) = (try await town.customer(), try await town.valet())

        let placed = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center, extras: [.wash]))
                .waiting(20))
        #expect(placed.status == .droppingOff)
        #expect(placed.serviceArea == town.id)
        #expect(placed.dropOffValet?.id == lee.account.id)
        let isNamed = try await eventually {
            try await ada.client(OrderEndpoints.order(placed.id)).dropOffValet?.firstName == "Lee"
        }
        #expect(isNamed)
        let code = try #require(placed.handoverCode)

        let job = try #require(
            try await lee.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery())))
        #expect(job.id == placed.id)
        let isCustomerNamed = try await eventually {
            try await lee.client(OrderEndpoints.order(placed.id)).customer.firstName == "Ada"
        }
        #expect(isCustomerNamed)
        #expect(job.handoverCode == nil, "the code is for the customer's eyes")

        try await refused("order.wrong_code") {
            try await lee.client(
                OrderEndpoints.collect(
                    placed.id, body: CodeBody(code: code == "0000" ? "1111" : "0000")))
        }
        let collected = try await lee.client(
            OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        #expect(collected.status == .parking)
        let parked = try await lee.client(
            OrderEndpoints.park(placed.id, body: ParkBody(at: town.garage, vehicle: Someone.car)))
        #expect(parked.status == .parked)
        #expect(parked.parked?.keyTag == "K-17")
        #expect(parked.vehicle?.plate == "AB 1234")

        try await lee.client(OrderEndpoints.takeTask(placed.id, body: TaskBody(kind: .wash)))
        try await lee.client(OrderEndpoints.completeTask(placed.id, body: TaskBody(kind: .wash)))
        let quote = try await ada.client(OrderEndpoints.quote(placed.id))
        #expect(quote.charge == Money(amount: 26_000, currency: "HKD"))

        try await ada.client(
            OrderEndpoints.recall(placed.id, body: RecallBody(returnTo: town.east(500))))
        let returning = try await ada.order(placed.id, hasValetFor: .return)
        let newCode = try #require(returning.handoverCode)
        #expect(returning.returnValet?.id == lee.account.id)
        #expect(try await lee.client(OrderEndpoints.retrieve(placed.id)).status == .returningBack)
        let back = try await lee.client(
            OrderEndpoints.handBack(placed.id, body: CodeBody(code: newCode)))
        #expect(back.status == .waitingForPayment)
        #expect(back.charge == quote.charge)

        let payment = try await ada.client.payWhenDue(placed.id, PayBody(token: "pm_card_visa"))
        #expect(payment.status == .succeeded)
        #expect(payment.amount == back.charge)
        let finished = try await ada.order(placed.id, reaches: .finished)
        #expect(finished.endedAt != nil)

        try await insistingToRate(ada, placed.id, RatingBody(stars: 5, comment: "Swift!"))
        try await insistingToRate(lee, placed.id, RatingBody(stars: 4))
        #expect(try await ada.client(RatingEndpoints.rating(lee.account.id)).average == 5)
        let comments = try await ada.client(RatingEndpoints.comments(lee.account.id)).items
        #expect(comments.map(\.comment) == ["Swift!"])
        #expect(try await lee.client(RatingEndpoints.rating(ada.account.id)).count == 1)
        #expect(try await ada.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery())) == nil)
        try await ratingIsChanged(by: ada, placed.id, of: lee)
        try await journeyIsMeasured(by: town.world.system)
    }

    /// All services of a platform in one process have one set of metrics.
    private func journeyIsMeasured(by system: any LocalSystem) async throws {
        for (service, series) in [
            ("orders", #"orders_ended_total{outcome="finished"}"#),
            ("orders", "orders_placed_total"), ("orders", "orders_tap_to_assigned_seconds_count"),
            ("orders", #"openvalet_sql_seconds_count{work="write"}"#),
            ("payments", #"payments_outcomes_total{outcome="succeeded",product="valet"}"#),
            ("payments", "payments_open_holds"),
            ("notifications", "notifications_dead_letters_waiting"),
            ("location", "openvalet_redis_seconds_count"),
            ("gateway", #"openvalet_peer_seconds_count{peer="location",outcome="answered"}"#),
        ] {
            let line = try await system.metrics(of: service).split(separator: "\n")
                .first { $0.hasPrefix("\(series) ") }
            let value = try #require(
                line.flatMap { Double($0.dropFirst(series.count + 1)) }, "\(series)")
            let isGauge = series.contains(/holds|waiting/)
            #expect(isGauge ? value >= 0 : value > 0, "\(series)")
        }
        let text = try await system.metrics(of: "orders")
        #expect(text.contains("\nopenvalet_bus_event_age_seconds_bucket{"))
        #expect(text.contains("# HELP http_request_duration_seconds "))
    }

    private func ratingIsChanged(
        by customer: Someone, _ order: OrderID, of valet: Someone
    ) async throws {
        try await customer.client(RatingEndpoints.rate(order, body: RatingBody(stars: 3)))
        let summary = try await customer.client(RatingEndpoints.rating(valet.account.id))
        #expect(summary == RatingSummary(average: 3, count: 1), "changed, not added")
    }

    @Test func aSavedVehicleAndASavedCardAreUsed() async throws {
        let pair = try await Pair.meet()
        let ada = pair.customer.client
        let vehicle = try await ada(AccountEndpoints.addVehicle(body: Someone.car))
        let card = try await ada(
            PaymentEndpoints.savePaymentMethod(body: PaymentTokenBody(token: "pm_card_mastercard")))
        let placed = try await ada(
            OrderEndpoints.placeOrder(
                body: PlaceOrderBody(dropOff: pair.town.center, vehicleId: vehicle.id)
            ).waiting(20))
        #expect(placed.vehicle?.id == vehicle.id)
        let code = try #require(placed.handoverCode)
        _ = try await pair.valet.client(
            OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        let parked = try await pair.park(placed.id)
        #expect(parked.vehicle?.id == vehicle.id, "the plate is the one that was announced")
        let back = try await pair.handBack(try await pair.recall(placed.id))
        let payment = try await ada.payWhenDue(back.id, PayBody(paymentMethodId: card.id))
        #expect(payment.last4 == "4444")
        _ = try await pair.customer.order(back.id, reaches: .finished)
    }
}

/// Rates a finished order: ratings may hear of its end a moment after the customer.
func insistingToRate(_ person: Someone, _ order: OrderID, _ rating: RatingBody) async throws {
    try await insisting(past: ["rating.not_finished", "rating.engagement_unknown"]) {
        try await person.client(RatingEndpoints.rate(order, body: rating))
    }
}
