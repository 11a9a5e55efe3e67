import Contracts
import Foundation
import ServiceKit

// Reports from Stripe on payments, refunds, disputes and payouts to the bank, whoever caused them.

extension StripeProvider {
    func refunds(of payment: PaymentID) async throws -> [ReportedRefund] {
        guard let intent = try await store.intent(payment)?.stripeID else { return [] }
        let api = api.begun()
        let all: [StripeRefund] = try await answered {
            try await pages(api, "/v1/refunds", [("payment_intent", intent)], by: \.id)
        }
        var found: [ReportedRefund] = []
        var uncaptured: Int?
        for (index, refund) in all.reversed().enumerated() {
            let ours = try await ours(refund)
            if index == 0, ours == nil {
                uncaptured = try await answered { try await rest(of: intent, api) }
            }
            if index == 0, refund.amount == uncaptured { continue }
            found.append(
                ReportedRefund(
                    reference: refund.id, refund: ours, amount: try refund.money,
                    outcome: refund.outcome))
        }
        return found
    }

    /// The part of a hold that was not captured, which Stripe lists as the payment's first refund; nil for none.
    func rest(of intent: String, _ api: StripeAPI) async throws -> Int? {
        let charges: StripeList<StripeCharge> = try await api.get(
            "/v1/charges", [("payment_intent", intent), ("limit", String(Self.page))])
        return charges.data.lazy.compactMap { charge -> Int? in
            guard charge.captured, let taken = charge.amount_captured, taken < charge.amount
            else { return nil }
            return charge.amount - taken
        }.first
    }

    func adopt(_ refund: String) async throws -> RefundID {
        try await store.adopt(refund, at: clock.now)
    }

    func dispute(_ reference: String) async throws -> ReportedDispute? {
        let dispute: StripeDispute? = try await answered {
            do {
                return try await api.begun().get("/v1/disputes/\(reference)")
            } catch let refusal as StripeRefusal where refusal.isMissing {
                return nil
            }
        }
        guard let dispute, let intent = dispute.payment_intent,
            let payment = try await store.payment(intent)
        else { return nil }
        return try dispute.report(of: payment)
    }

    func disputes(in span: Range<Date>, after: String?) async throws -> DisputePage {
        var query: [StripeField] = [
            ("created[gte]", String(Int(span.lowerBound.timeIntervalSince1970))),
            ("created[lt]", String(Int(span.upperBound.timeIntervalSince1970))),
            ("limit", String(Self.page)),
        ]
        if let after { query.append(("starting_after", after)) }
        let list: StripeList<StripeDispute> = try await answered { [query] in
            try await api.begun().get("/v1/disputes", query)
        }
        return DisputePage(
            references: list.data.map(\.id), next: list.has_more ? list.data.last?.id : nil)
    }

    func failedPayout(_ reference: String) async throws -> FailedPayout? {
        let payout: StripePayout? = try await answered {
            do {
                return try await api.begun().get("/v1/payouts/\(reference)")
            } catch let refusal as StripeRefusal where refusal.isMissing {
                return nil
            }
        }
        guard let payout, payout.status == "failed" else { return nil }
        return FailedPayout(
            amount: try StripeAmount(payout.amount, payout.currency).money,
            reason: payout.failure_code ?? payout.status)
    }

    /// All pages of a list, newest first.
    func pages<Item: Decodable & Sendable>(
        _ api: StripeAPI, _ path: String, _ query: [StripeField], by id: (Item) -> String
    ) async throws -> [Item] {
        var items: [Item] = []
        for _ in 1...Self.mostPages {
            let after = items.last.map { [("starting_after", id($0))] } ?? []
            let list: StripeList<Item> = try await api.get(
                path, query + [("limit", String(Self.page))] + after)
            items += list.data
            guard list.has_more, !list.data.isEmpty else { break }
        }
        return items
    }

    /// A refusal of a question says nothing of what was asked.
    private func answered<T>(_ ask: () async throws -> T) async throws -> T {
        do {
            return try await ask()
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused to show what it has")
            throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
        }
    }
}
