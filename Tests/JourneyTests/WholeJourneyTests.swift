import Client
import Contracts
import Foundation
import Support
import Testing

/// From the first tap to the stars, through the gateway, with every executable running.
@Suite(.serialized) struct WholeJourneyTests {
    @Test func aCustomerIsServedFromTheTapToTheStars() async throws {
        let city = try await City.shared.system()
        let ada = try await Someone.customer(of: city)
        let lee = try await Someone.valet(of: city, at: Spot.east(of: Spot.central, meters: 300))

        let placed = try await ada.client.placeOrder(
            PlaceOrderBody(dropOff: Spot.central, extras: [.wash]), waitSeconds: 20)
        #expect(placed.status == .droppingOff)
        #expect(placed.dropOffValet?.id == lee.account.id)
        #expect(placed.dropOffValet?.firstName == "Lee")
        let code = try #require(placed.handoverCode)

        let job = try #require(try await lee.client.currentOrder())
        #expect(job.id == placed.id)
        #expect(job.customer.firstName == "Ada")
        #expect(job.handoverCode == nil, "the code is for the customer's eyes")

        try await refused("order.wrong_code") {
            try await lee.client.collect(placed.id, code: code == "0000" ? "1111" : "0000")
        }
        let collected = try await lee.client.collect(placed.id, code: code)
        #expect(collected.status == .parking)
        let parked = try await lee.client.park(
            placed.id, ParkBody(at: Spot.garage, vehicle: Someone.car))
        #expect(parked.status == .parked)
        #expect(parked.parked?.keyTag == "K-17")
        #expect(parked.vehicle?.plate == "AB 1234")

        let quote = try await ada.client.quote(placed.id)
        #expect(quote.charge.amount > 0)
        #expect(quote.charge.currency == "HKD")

        try await ada.client.recall(placed.id, to: Spot.causewayBay)
        let returning = try await ada.order(placed.id, hasValetFor: .return)
        let newCode = try #require(returning.handoverCode)
        let driver = try #require(returning.returnValet)
        #expect(driver.id == lee.account.id)
        #expect(try await lee.client.retrieve(placed.id).status == .returningBack)
        let back = try await lee.client.handBack(placed.id, code: newCode)
        #expect(back.status == .waitingForPayment)

        let declined = try? await ada.client.pay(placed.id, PayBody(token: "pm_card_visa_chargeDeclined"))
        #expect(declined == nil)
        let payment = try await ada.client.pay(placed.id, PayBody(token: "pm_card_visa"))
        #expect(payment.status == .succeeded)
        #expect(payment.amount == back.charge)
        let finished = try await ada.order(placed.id, reaches: .finished)
        #expect(finished.endedAt != nil)

        _ = try await ada.client.rate(placed.id, RatingBody(stars: 5, comment: "Swift!"))
        _ = try await lee.client.rate(placed.id, RatingBody(stars: 4))
        #expect(try await ada.client.rating(of: lee.account.id).average == 5)
        #expect(try await lee.client.rating(of: ada.account.id).count == 1)
        #expect(try await ada.client.currentOrder() == nil)
        try await lee.goHome()
    }
}
