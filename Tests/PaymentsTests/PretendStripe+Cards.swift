import Foundation

/// Cards that are set up, replaced and detached, and payments in the payer's absence, as Stripe's
/// documentation has them: "SetupIntents", "PaymentMethod" and "Save details for future payments".
extension PretendStripe {
    struct Method: Sendable {
        var customer: String?
        var last4 = "4242"
        var month = 12
        var year = 2_030
        var wallet: String?
    }

    struct Cards: Sendable {
        /// Forms of the setups.
        var setups: [[String: String]] = []
        /// Methods that a form has set up, by id; their names begin with `pm_set`.
        var methods: [String: Method] = [:]
        /// Intents whose payer has to confirm them, and was not there.
        var needPayer: Set<String> = []
    }

    /// The card of a bank that wants every payment confirmed.
    static let confirmedCard = "pm_set_confirmed"

    /// The form has set a card up, or the bank has replaced it.
    func setUp(_ id: String, _ method: Method) {
        state.withLock { $0.cards.methods[id] = method }
    }

    /// Nil for what has nothing to do with such cards.
    static func performForCards(
        _ call: Call, _ parts: [String], _ state: inout State
    ) -> (Int, String)? {
        guard parts.count > 1 else { return nil }
        switch parts[1] {
        case "setup_intents":
            guard call.method == "POST", parts.count == 2, call.form["customer"] != nil,
                call.form["usage"] == "off_session"
            else { return refusal(400, "parameter_missing") }
            state.cards.setups.append(call.form)
            let id = "seti_\(state.cards.setups.count)"
            return (
                200,
                #"{"id": "\#(id)", "object": "setup_intent", "client_secret": "\#(id)_secret_x"}"#
            )
        case "payment_methods" where parts.count > 2 && parts[2].hasPrefix("pm_set"):
            return cardMethod(call, parts, &state)
        case "payment_intents" where parts.count > 2:
            return cardIntent(call, parts, &state)
        default: return nil
        }
    }

    private static func cardMethod(
        _ call: Call, _ parts: [String], _ state: inout State
    ) -> (Int, String) {
        guard let method = state.cards.methods[parts[2]] else {
            return refusal(404, "resource_missing")
        }
        switch parts.count > 3 ? parts[3] : "" {
        case "attach":
            // Stripe refuses a method that is somebody's already.
            guard method.customer == nil else { return refusal(400, "resource_already_attached") }
            state.cards.methods[parts[2]]?.customer = call.form["customer"]
        case "detach": state.cards.methods[parts[2]]?.customer = nil
        default: break
        }
        return (200, json(parts[2], state.cards.methods[parts[2]] ?? method))
    }

    private static func json(_ id: String, _ method: Method) -> String {
        let customer = method.customer.map { "\"\($0)\"" } ?? "null"
        let wallet = method.wallet.map { #"{"type": "\#($0)"}"# } ?? "null"
        return """
            {"id": "\(id)", "object": "payment_method", "type": "card", "customer": \(customer),
            "card": {"brand": "visa", "last4": "\(method.last4)", "exp_month": \(method.month),
            "exp_year": \(method.year), "wallet": \(wallet)}}
            """
    }

    /// An intent of a card that wants to be confirmed; nil for other cards.
    private static func cardIntent(
        _ call: Call, _ parts: [String], _ state: inout State
    ) -> (Int, String)? {
        guard let index = state.intents.firstIndex(where: { $0.id == parts[2] }),
            state.intents[index].form["payment_method"] == confirmedCard
        else { return nil }
        let (id, status) = (parts[2], state.intents[index].status)
        switch (parts.count > 3 ? parts[3] : "", status) {
        case ("confirm", "requires_confirmation") where call.form["off_session"] == "true":
            state.intents[index].status = "requires_payment_method"
            state.cards.needPayer.insert(id)
            return (
                402,
                """
                {"error": {"type": "card_error", "code": "authentication_required",
                "decline_code": "authentication_required", "message": "4242"}}
                """
            )
        case ("confirm", "requires_confirmation"):
            state.intents[index].status = "requires_action"
        case ("confirm", "requires_payment_method"):
            guard call.form["payment_method"] == confirmedCard, call.form["off_session"] == nil
            else { return refusal(400, "payment_intent_unexpected_state") }
            state.cards.needPayer.remove(id)
            state.intents[index].status = "requires_action"
        case ("", _): break
        default: return nil
        }
        let error =
            state.cards.needPayer.contains(id)
            ? #"{"code": "authentication_required", "payment_method": {"id": "\#(confirmedCard)"}}"#
            : "null"
        return (
            200,
            """
            {"id": "\(id)", "object": "payment_intent", "status": "\(state.intents[index].status)",
            "client_secret": "\(id)_secret", "cancellation_reason": null, "metadata": {},
            "last_payment_error": \(error)}
            """
        )
    }

    private static func refusal(_ status: Int, _ code: String) -> (Int, String) {
        (
            status,
            #"{"error": {"type": "invalid_request_error", "code": "\#(code)", "message": "4242"}}"#
        )
    }
}
