import Client
import Contracts
import Foundation
import Support
import Testing

/// What operators did, and what is left of whoever is gone.
@Suite(.serialized) struct AuditTests {
    /// Waits until the log has a line of each action about its subject; answers with their reasons.
    private func lines(
        _ boss: OpenValetClient, _ wanted: [String: String]
    ) async throws -> [String: AuditEntry] {
        var found: [String: AuditEntry] = [:]
        let areThere = try await eventually {
            for (action, subject) in wanted {
                found[action] = try await boss(
                    NotificationEndpoints.audit(
                        asks: AuditQuery().with(\.action, action).with(\.subject, subject))
                ).items.first
            }
            return found.count == wanted.count
        }
        #expect(areThere, "\(found.keys) instead of \(wanted.keys)")
        return found
    }

    @Test func whatOperatorsDidIsInTheLog() async throws {
        let pair = try await Pair.meet()
        let boss = pair.town.world.boss
        let bossID = try await boss(AccountEndpoints.me()).id.as(OperatorID.self)
        for someone in [pair.customer, pair.valet] {
            try await refused("auth.role") {
                _ = try await someone.client(NotificationEndpoints.audit(asks: AuditQuery()))
            }
        }
        let (order, payment) = try await pair.finish()
        let refund = try await boss(
            PaymentEndpoints.refund(payment.id, body: InCurrency(RefundBody(reason: "a scratch"))))
        try await boss(
            AccountEndpoints.changeValet(pair.valet.valetID, body: ValetChange(suspended: true)))
        let next = try await pair.customer.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
        try await boss(
            OrderEndpoints.overrideOrder(
                next.id, body: OverrideBody(status: .cancelled, reason: "a test")))

        let found = try await lines(
            boss,
            [
                "orders.override": next.id.description,
                "payments.refund": payment.id.description,
                "accounts.suspend-valet": pair.valet.account.id.description,
            ])
        #expect(found.values.allSatisfy { $0.by == bossID })
        #expect(found["orders.override"]?.reason == "a test")
        #expect(found["payments.refund"]?.reason == "a scratch")
        #expect(refund.payment == payment.id && order.status == .finished)
        let mine = try await boss(
            NotificationEndpoints.audit(
                asks: AuditQuery().with(\.operator, bossID).page(limit: 200))
        ).items
        #expect(mine.map(\.id) == mine.map(\.id).sorted(by: >))
        #expect(
            try await boss(NotificationEndpoints.audit(asks: AuditQuery().with(\.operator, .new())))
                .items.isEmpty)
    }

    @Test func wordsOfWhoeverIsGoneAreGoneAndTheirStarsStay() async throws {
        let pair = try await Pair.meet()
        let world = pair.town.world
        let (order, _) = try await pair.finish()
        let ada = pair.customer
        try await insistingToRate(ada, order.id, RatingBody(stars: 4, comment: "Ada was here"))
        let said = try await pair.valet.client(RatingEndpoints.comments(pair.valet.account.id))
            .items
        #expect(said.map(\.comment) == ["Ada was here"])
        _ = try await ada.feed(has: "orders.finished")
        let export = String(decoding: try await ada.client.exportMe(), as: UTF8.self)
        #expect(export.contains("Ada was here"))
        #expect(export.contains(ada.account.phone))

        try await ada.client.deleteMe(password: ada.password)
        let isForgotten = try await eventually {
            try await pair.valet.client(RatingEndpoints.comments(pair.valet.account.id)).items
                .isEmpty
        }
        #expect(isForgotten)
        let rating = try await pair.valet.client(RatingEndpoints.rating(pair.valet.account.id))
        #expect(rating.count == 1 && rating.average == 4)
        let isSilent = try await eventually {
            try await world.boss(
                NotificationEndpoints.messages(
                    asks: MessagesQuery().with(\.phone, ada.account.phone))
            ).items.isEmpty
        }
        #expect(isSilent)
        try await refused("account.credentials_mismatch") {
            try await world.system.client().signIn(
                phone: ada.account.phone, password: ada.password)
        }
        // The valet's job can still be told, without the customer's name.
        let isNameless = try await eventually {
            try await world.boss(OrderEndpoints.order(order.id)).customer.firstName != "Ada"
        }
        #expect(isNameless)
        #expect(try await world.boss(OrderEndpoints.order(order.id)).ticket == order.ticket)
    }
}
