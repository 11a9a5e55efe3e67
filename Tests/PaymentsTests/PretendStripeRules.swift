import Contracts
import Foundation
import HTTPTypes

@testable import Payments

/// What Stripe refuses by its public description of the API: versions, unknown parameters, and amounts.
extension PretendStripe {
    /// The parameters of each call that changes something.
    private static let parameters: [String: Set<String>] = [
        "customers": [],
        "payment_intents": [
            "amount", "currency", "customer", "payment_method", "payment_method_types[]",
            "capture_method", "setup_future_usage",
        ],
        "setup_intents": ["customer", "usage", "payment_method_types[]"],
        "refunds": ["payment_intent", "amount"],
        "transfers": ["amount", "currency", "destination", "transfer_group"],
        "payment_methods": ["type", "card[token]"],
        "accounts": ["type", "country", "capabilities[transfers][requested]"],
        "account_links": [
            "account", "type", "return_url", "refresh_url", "collection_options[fields]",
        ],
        "login_links": [], "reversals": [],
        "confirm": ["off_session", "payment_method"], "cancel": [],
        "capture": ["amount_to_capture"],
        "attach": ["customer"], "detach": [],
    ]

    /// Least charges by currency in Stripe's units (Stripe, minimum charge amounts).
    private static let least = [
        "usd": 50, "aed": 200, "aud": 50, "bgn": 100, "brl": 50, "cad": 50, "chf": 50,
        "czk": 1_500, "dkk": 250, "eur": 50, "gbp": 30, "hkd": 400, "huf": 17_500, "inr": 50,
        "jpy": 50, "mxn": 1_000, "myr": 200, "nok": 300, "nzd": 50, "pln": 200, "ron": 200,
        "sek": 300, "sgd": 50, "thb": 1_000,
    ]

    /// Currencies whose amounts have to be multiples (Stripe, special cases).
    private static let steps = [
        "isk": 100, "ugx": 100, "bhd": 10, "jod": 10, "kwd": 10, "omr": 10, "tnd": 10,
    ]

    /// Nil if the call may be carried out.
    static func refusal(
        of call: Call, _ parts: [String], _ state: State
    ) -> (Int, String)? {
        guard call.headers[HTTPField.Name("Stripe-Version")!] == StripeAPI.version else {
            return (400, failure("version_invalid"))
        }
        guard call.method == "POST" else { return nil }
        let action = parts.count > 3 ? parts[3] : parts.count > 1 ? parts[1] : ""
        let known = parameters[action] ?? []
        guard call.form.keys.allSatisfy({ known.contains($0) || $0.hasPrefix("metadata[") }) else {
            return (400, failure("parameter_unknown"))
        }
        switch (action, parts.count) {
        case ("payment_intents", 2): return refusal(ofCharge: call.form)
        case ("transfers", 2): return isWhole(call.form) ? nil : (400, failure("invalid_amount"))
        case ("refunds", 2): return refusal(ofRefund: call.form, state)
        default: return nil
        }
    }

    private static func isWhole(_ form: [String: String]) -> Bool {
        let amount = form["amount"].flatMap { Int($0) } ?? 0
        return amount > 0 && amount.isMultiple(of: steps[form["currency"] ?? ""] ?? 1)
    }

    private static func refusal(ofCharge form: [String: String]) -> (Int, String)? {
        guard isWhole(form) else { return (400, failure("invalid_amount")) }
        let amount = form["amount"].flatMap { Int($0) } ?? 0
        guard amount >= least[form["currency"] ?? ""] ?? 1 else {
            return (400, failure("amount_too_small"))
        }
        return nil
    }

    private static func refusal(
        ofRefund form: [String: String], _ state: State
    ) -> (Int, String)? {
        guard let intent = state.intents.first(where: { $0.id == form["payment_intent"] }) else {
            return (404, failure("resource_missing"))
        }
        if state.disputes.contains(where: { $0.intent == intent.id && $0.keepsRefunds }) {
            return (400, failure("charge_disputed"))
        }
        let rest = (intent.captured ?? 0) - refunded(intent, state)
        let amount = form["amount"].flatMap { Int($0) } ?? rest
        guard amount <= rest else { return (400, failure("charge_already_refunded")) }
        return nil
    }

    /// What was refunded of a captured amount, in Stripe's units; the rest of a hold does not count.
    static func refunded(_ intent: Intent, _ state: State) -> Int {
        let held = intent.form["amount"].flatMap { Int($0) } ?? 0
        let released = held - (intent.captured ?? held)
        let sum = state.refunds.filter {
            $0.form["payment_intent"] == intent.id && $0.status != "failed"
        }.reduce(0) { $0 + $1.amount }
        return sum - released
    }
}
