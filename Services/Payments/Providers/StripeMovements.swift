import Contracts
import Foundation
import ServiceKit

// Refunds, and Stripe's own movements.

extension StripeProvider {
    func refund(_ refund: Refund) async throws -> RefundOutcome {
        let api = api.begun()
        let known = try await store.begin(refund.id, at: clock.now)
        guard let intent = try await store.intent(refund.payment)?.stripeID else {
            return .failed("resource_missing")
        }
        guard let amount = StripeAmount(refund.amount) else { return .failed(Self.unsayable) }
        do {
            let answer = try await answer(to: refund, amount, known, of: intent, api)
            try await store.keep(answer.id, for: refund.id)
            return answer.outcome
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused a refund")
            return .failed(refusal.reason)
        }
    }

    /// Asks for a refund that was begun before, or begins it.
    private func answer(
        to refund: Refund, _ amount: StripeAmount, _ known: StripeStore.KnownRefund,
        of intent: String, _ api: StripeAPI
    ) async throws -> StripeRefund {
        if let id = known.stripeID { return try await api.get("/v1/refunds/\(id)") }
        if known.begunAt != nil,
            let found = try await find(refund.id, of: intent, api)
        {
            return found
        }
        return try await api.post(
            "/v1/refunds",
            [
                ("payment_intent", intent), ("amount", String(amount.value)),
                ("metadata[\(Self.refundKey)]", refund.id.description),
                ("metadata[\(Self.paymentKey)]", refund.payment.description),
            ], key: refund.id.description)
    }

    /// Stripe forgets a key after a day, but not the payment's refunds.
    private func find(
        _ refund: RefundID, of intent: String, _ api: StripeAPI
    ) async throws -> StripeRefund? {
        var query: [StripeField] = [("payment_intent", intent), ("limit", String(Self.page))]
        for _ in 1...Self.mostPages {
            let list: StripeList<StripeRefund> = try await api.get("/v1/refunds", query)
            let found = list.data.first { $0.metadata?[Self.refundKey] == refund.description }
            guard found == nil, list.has_more, let last = list.data.last else { return found }
            query = query.filter { $0.name != "starting_after" } + [("starting_after", last.id)]
        }
        return nil
    }

    /// Charges first, then refunds, then transfers to people; the cursor has the kind of the last one.
    func movements(in span: Range<Date>, after: String?) async throws -> MovementPage {
        let api = api.begun()
        let (kind, last) = Self.position(after)
        var query: [StripeField] = [
            ("created[gte]", String(Int(span.lowerBound.timeIntervalSince1970))),
            ("created[lt]", String(Int(span.upperBound.timeIntervalSince1970))),
            ("limit", String(Self.page)),
        ]
        if let last { query.append(("starting_after", last)) }
        do {
            if kind == Self.charges {
                let list: StripeList<StripeCharge> = try await api.get("/v1/charges", query)
                var items: [Movement] = []
                for charge in list.data {
                    if let movement = try await movement(charge) { items.append(movement) }
                }
                let next = list.has_more ? list.data.last.map { "\(Self.charges)\($0.id)" } : nil
                return MovementPage(items: items, next: next ?? Self.refunds)
            }
            if kind == Self.transfers { return try await transfers(query, api) }
            let list: StripeList<StripeRefund> = try await api.get("/v1/refunds", query)
            let next = list.has_more ? list.data.last.map { "\(Self.refunds)\($0.id)" } : nil
            var items: [Movement] = []
            for refund in list.data where refund.outcome == .succeeded {
                let movement = try await movement(refund)
                let isForeign = movement.cause == nil && movement.payment == nil
                if isForeign, try await isUncaptured(refund, api) { continue }
                items.append(movement)
            }
            return MovementPage(items: items, next: next ?? Self.transfers)
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe did not return its list")
            throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
        }
    }

    private func transfers(
        _ query: [StripeField], _ api: StripeAPI
    ) async throws -> MovementPage {
        do {
            let list: StripeList<StripeTransfer> = try await api.get("/v1/transfers", query)
            return MovementPage(
                items: try list.data.compactMap { try $0.movement },
                next: list.has_more ? list.data.last.map { "\(Self.transfers)\($0.id)" } : nil)
        } catch let refusal as StripeRefusal where refusal.isMissing {
            // Without Connect there are none.
            return MovementPage(items: [], next: nil)
        }
    }

    /// Stripe lists the released rest of a captured hold as a refund, although it was never charged.
    private func isUncaptured(_ refund: StripeRefund, _ api: StripeAPI) async throws -> Bool {
        guard let intent = refund.payment_intent,
            try await rest(of: intent, api) == refund.amount
        else { return false }
        let all: [StripeRefund] = try await pages(
            api, "/v1/refunds", [("payment_intent", intent)], by: \.id)
        return all.last?.id == refund.id
    }

    private static let charges = "charges:"
    private static let refunds = "refunds:"
    private static let transfers = "transfers:"

    private static func position(_ after: String?) -> (kind: String, last: String?) {
        guard let after else { return (charges, nil) }
        let kind = [refunds, transfers].first { after.hasPrefix($0) } ?? charges
        let last = after.dropFirst(kind.count)
        return (kind, last.isEmpty ? nil : String(last))
    }

    /// Nil for a charge that moved nothing.
    private func movement(_ charge: StripeCharge) async throws -> Movement? {
        guard let amount = try charge.taken else { return nil }
        var payment: PaymentID?
        if let intent = charge.payment_intent { payment = try await store.payment(intent) }
        payment = payment ?? charge.metadata?[Self.paymentKey].flatMap(PaymentID.init)
        return Movement(
            cause: payment.map { .payment($0) }, reference: charge.id, amount: amount)
    }

    private func movement(_ refund: StripeRefund) async throws -> Movement {
        let ours = try await ours(refund)
        let payment: PaymentID? =
            if let intent = refund.payment_intent { try await store.payment(intent) } else { nil }
        return Movement(
            cause: ours.map { .refund($0) }, reference: refund.id, amount: try refund.money,
            payment: payment)
    }

    /// Our id of a refund. Metadata counts only for a refund that still waits for Stripe's id.
    func ours(_ refund: StripeRefund) async throws -> RefundID? {
        if let known = try await store.refund(refund.id) { return known }
        guard let named = refund.metadata?[Self.refundKey].flatMap(RefundID.init),
            try await store.awaits(named)
        else { return nil }
        return named
    }

    func movement(of cause: Movement.Cause) async throws -> Movement? {
        let api = api.begun()
        do {
            switch cause {
            case .payment(let id):
                guard let intent = try await store.intent(id)?.stripeID else { return nil }
                let list: StripeList<StripeCharge> = try await api.get(
                    "/v1/charges", [("payment_intent", intent), ("limit", String(Self.page))])
                for charge in list.data {
                    if let movement = try await movement(charge) { return movement }
                }
                return nil
            case .refund(let id):
                guard let name = try await store.known(id) else { return nil }
                let refund: StripeRefund = try await api.get("/v1/refunds/\(name)")
                guard refund.outcome == .succeeded else { return nil }
                return Movement(cause: cause, reference: name, amount: try refund.money)
            case .payout(let id): return try await transfer(of: id, api)?.movement
            case .dispute(let id):
                guard let report = try await dispute(id), report.taken != 0 else { return nil }
                return Movement(
                    cause: cause, reference: id,
                    amount: Money(amount: report.taken, currency: report.amount.currency))
            }
        } catch let refusal as StripeRefusal {
            guard refusal.isMissing else {
                throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
            }
            return nil
        }
    }
}
