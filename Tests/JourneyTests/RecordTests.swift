import Client
import Contracts
import Foundation
import Support
import Testing

/// What is kept of an order: the record of custody, what is due, and alerts.
@Suite(.serialized) struct RecordTests {
    /// The next order with its valet, once orders has heard of the payment and location that the
    /// valet is free.
    private func placeAgain(_ pair: Pair) async throws -> OrderView {
        var order: OrderView?
        let isPlaced = try await eventually {
            try await pair.valet.stand(at: pair.town.east(200))
            do {
                order = try await pair.customer.client(
                    OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center))
                        .waiting(20))
                return order?.status == .droppingOff
            } catch let error as ClientError where error.code == "payment.due" {
                return false
            }
        }
        #expect(isPlaced)
        return try #require(order)
    }

    private func refusedForDue(_ pair: Pair) async throws -> Problem? {
        let problem = try await refused("payment.due") {
            _ = try await pair.customer.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
        }
        #expect(problem?.status == 409)
        return problem
    }

    @Test func theRecordOfCustodyIsWholeAndWhatIsDueComesFirst() async throws {
        let pair = try await Pair.meet(.strict)
        let ada = pair.customer.client
        let back = try await pair.handBack()

        let entries = try await ada(OrderEndpoints.custody(back.id)).items
        #expect(entries.map(\.kind) == [.collected, .parked, .retrieved, .returned])
        #expect(entries.map(\.holder) == [.valet, .lot, .valet, .customer])
        #expect(Set(entries.map(\.by)) == [pair.valet.account.id])
        #expect(entries.first?.previousHash == CustodyEntry.firstHash)
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.hash == $1.previousHash })
        let ofValet = try await pair.valet.client(OrderEndpoints.custody(back.id)).items
        #expect(ofValet.map(\.hash) == entries.map(\.hash))
        #expect(ofValet.allSatisfy { $0.place == nil }, "their leg is over")
        let verified = try await pair.town.world.boss(OrderEndpoints.verifyCustody(back.id))
        #expect(verified.isIntact)
        #expect(verified.entries == 4)
        #expect(verified.lastHash == entries.last?.hash)
        let stranger = try await pair.town.customer()
        try await refused("order.unknown") {
            _ = try await stranger.client(OrderEndpoints.custody(back.id))
        }

        let bill = try await refusedForDue(pair)
        #expect(bill?.orderId == back.id)
        #expect(bill?.amount == back.charge)
        try await ada.payWhenDue(back.id, PayBody(token: "pm_card_visa"))

        let second = try await placeAgain(pair)
        let cancelled = try await ada(OrderEndpoints.cancel(second.id, body: ReasonBody()))
        let fee = try await refusedForDue(pair)
        #expect(fee?.orderId == second.id)
        #expect(fee?.amount == cancelled.charge)
        try await ada.payWhenDue(second.id, PayBody(token: "pm_card_visa"))
        #expect(try await placeAgain(pair).id != second.id)
    }

    @Test func anOrderThatStaysTooLongIsAnAlertUntilItGoesOn() async throws {
        let system = try await TestPlatform.start(["OPENVALET_ORDERS_LIMIT_PARKING_SECONDS": "1"])
        defer { system.stop() }
        let world = try await World(system)
        let pair = try await Pair.meet(in: world)
        let order = try await pair.collect()
        var alert: Alert?
        let isRaised = try await eventually {
            alert = try await world.boss(
                OrderEndpoints.alerts(asks: AlertsQuery().with(\.status, .open))
            ).items.first
            return alert != nil
        }
        #expect(isRaised)
        let raised = try #require(alert)
        #expect(raised.order == order.id)
        #expect(raised.status == .parking)
        let acknowledged = try await world.boss(OrderEndpoints.acknowledgeAlert(raised.id))
        #expect(acknowledged.acknowledgedBy != nil)
        #expect(try await world.boss(OrderEndpoints.acknowledgeAlert(raised.id)) == acknowledged)
        #expect(
            try await world.boss(OrderEndpoints.alerts(asks: AlertsQuery().with(\.status, .open)))
                .items.isEmpty)
        try await refused("auth.role") {
            _ = try await pair.valet.client(OrderEndpoints.alerts(asks: AlertsQuery()))
        }
        _ = try await pair.park(order.id)
        let resolved = try await world.boss(
            OrderEndpoints.alerts(asks: AlertsQuery().with(\.status, .resolved))
        ).items
        #expect(resolved.map(\.id) == [raised.id])
        #expect(resolved.first?.acknowledgedAt == acknowledged.acknowledgedAt)
    }
}
