import Contracts
import Foundation

@testable import Payments

/// What moves money at the pretend Stripe without our asking: disputes, refunds in the dashboard, failures.
extension PretendStripe {
    struct Dispute: Sendable {
        let id: String
        let intent: String
        let amount: Int
        let currency: String
        let created: Int
        var status: String
        /// Amount and fee of each movement of the balance.
        var movements: [(amount: Int, fee: Int)] = []

        var keepsShares: Bool { !["won", "lost", "warning_closed"].contains(status) }
        var keepsRefunds: Bool { !status.hasPrefix("warning") && status != "won" }
    }

    /// The bank's fee for each dispute, in the smallest unit.
    static let disputeFee = 1_500

    private static func json(_ dispute: Dispute) -> String {
        let moved = dispute.movements.map {
            #"{"amount": \#($0.amount), "fee": \#($0.fee), "currency": "\#(dispute.currency)"}"#
        }.joined(separator: ", ")
        return """
            {"id": "\(dispute.id)", "object": "dispute", "amount": \(dispute.amount),
            "currency": "\(dispute.currency)", "status": "\(dispute.status)",
            "payment_intent": "\(dispute.intent)", "charge": "ch_\(dispute.intent)",
            "reason": "fraudulent", "created": \(dispute.created),
            "evidence_details": {"due_by": \(dispute.created + 604_800)},
            "balance_transactions": [\(moved)]}
            """
    }

    static func dispute(_ call: Call, _ parts: [String], _ state: State) -> (Int, String) {
        guard call.method == "GET" else { return (404, failure("url_invalid")) }
        guard parts.count == 3 else {
            let found = state.disputes.filter { isWithin($0.created, call) }
            return (200, list(found.map { ($0.id, json($0)) }, call))
        }
        return state.disputes.first { $0.id == parts[2] }.map { (200, json($0)) }
            ?? (404, failure("resource_missing"))
    }

    /// A payer contests a payment at their bank.
    func dispute(
        _ intent: String, _ amount: Int? = nil, status: String = "needs_response",
        takes: Bool = true
    ) -> String {
        let now = Int(clock.now.timeIntervalSince1970)
        return state.withLock { state in
            let known = state.intents.first { $0.id == intent }
            let id = "du_\(state.disputes.count + 1)"
            let amount = amount ?? known?.captured ?? 0
            state.disputes.append(
                Dispute(
                    id: id, intent: intent, amount: amount,
                    currency: known?.form["currency"] ?? "hkd", created: now, status: status,
                    movements: takes ? [(-amount, Self.disputeFee)] : []))
            return id
        }
    }

    /// The bank decides, or takes the money; a dispute that is won returns it, and the fee.
    func move(_ id: String, to status: String) {
        state.withLock { state in
            guard let index = state.disputes.firstIndex(where: { $0.id == id }) else { return }
            let amount = state.disputes[index].amount
            let taken = state.disputes[index].movements.count == 1
            state.disputes[index].status = status
            switch status {
            case "won" where taken:
                state.disputes[index].movements.append((amount, -Self.disputeFee))
            case "needs_response" where state.disputes[index].movements.isEmpty:
                state.disputes[index].movements.append((-amount, Self.disputeFee))
            default: break
            }
        }
    }

    /// A refund in the dashboard. Nil if it is more than what is left.
    func refundInDashboard(_ intent: String, _ amount: Int, of: String = "") -> String? {
        let now = Int(clock.now.timeIntervalSince1970)
        return state.withLock { state in
            guard let known = state.intents.first(where: { $0.id == intent }),
                amount > 0, amount <= (known.captured ?? 0) - Self.refunded(known, state)
            else { return nil }
            let id = "re_\(state.refunds.count + 1)"
            var form = ["payment_intent": intent, "amount": String(amount)]
            if !of.isEmpty { form["metadata[refund]"] = of }
            state.refunds.append(Refund(id: id, form: form, created: now))
            return id
        }
    }

    /// The payer's bank does not take a refund.
    func fail(refund id: String) {
        state.withLock { state in
            guard let index = state.refunds.firstIndex(where: { $0.id == id }) else { return }
            state.refunds[index].status = "failed"
        }
    }

    /// What is left on the balance in Stripe's units: charges less refunds, disputes with their fees, and transfers.
    var balance: Int {
        state.withLock { state in
            let charged = state.intents.reduce(0) { sum, intent in
                sum + (intent.captured ?? 0)
                    - (intent.captured == nil ? 0 : Self.refunded(intent, state))
            }
            let disputed = state.disputes.flatMap(\.movements).reduce(0) {
                $0 + $1.amount - $1.fee
            }
            let paidOut = state.transfers.reduce(0) { $0 + $1.amount - $1.reversed }
            return charged + disputed - paidOut
        }
    }
}
