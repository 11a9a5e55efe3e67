import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Support
import Synchronization

@testable import Payments

/// Stripe's API as its documentation has it, as far as it is used here: idempotency keys, states of
/// intents, lists in pages. Notes every call, and fails when it is told to.
final class PretendStripe: Sendable {
    struct Call: Sendable {
        let method: String
        let path: String
        let form: [String: String]
        let key: String?
        let headers: HTTPFields

        var name: String { "\(method) \(path)" }
    }

    enum Fault: Sendable {
        case none
        /// It answers so, and does nothing.
        case refuses(Int, HTTPFields = [:])
        /// It does what it is asked, and answers so.
        case doesAndAnswers(Int)
        /// It does what it is asked, and nobody hears of it.
        case doesAndHangs

        /// How long a call may take in a test with this fault: long, unless it ends by that alone.
        var timeout: Duration {
            if case .doesAndHangs = self { PretendStripe.shortTimeout } else { StripeAPI.patience }
        }
    }

    struct Intent: Sendable {
        let id: String
        let form: [String: String]
        let created: Int
        var status = "requires_confirmation"
        /// In minor units; nil before it is captured.
        var captured: Int?
    }

    struct Transfer: Sendable {
        let id: String
        let form: [String: String]
        var amount: Int { form["amount"].flatMap { Int($0) } ?? 0 }
        /// In minor units; the whole when it is as much as the transfer.
        var reversed = 0
        var created = 0
        var destination: String { form["destination"] ?? "" }
    }

    struct Refund: Sendable {
        let id: String
        let form: [String: String]
        let created: Int
        var status = "succeeded"
        var amount: Int { form["amount"].flatMap { Int($0) } ?? 0 }
    }

    struct State: Sendable {
        var calls: [Call] = []
        /// Faults of the next calls, in their order.
        var faults: [Fault] = []
        /// Faults of all calls with these names.
        var faultsByName: [String: Fault] = [:]
        /// True once the test is over, so that nothing has to hang any longer.
        var isOver = false
        var customers: [String] = []
        var intents: [Intent] = []
        var refunds: [Refund] = []
        var transfers: [Transfer] = []
        var disputes: [Dispute] = []
        var payouts: [String: String] = [:]
        var connect = Connect()
        var answers: [String: (path: String, form: [String: String], status: Int, body: String)] =
            [:]
        var kept = 0
        var cards = Cards()
    }

    /// Objects of a page at most: fewer than are asked for, so that there are pages.
    static let page = 2
    /// How long a call may take that a test lets hang.
    static let shortTimeout: Duration = .seconds(1)

    let clock: TestClock
    let state = Mutex(State())

    init(clock: TestClock) { self.clock = clock }

    var calls: [Call] { state.withLock { $0.calls } }
    var intents: [Intent] { state.withLock { $0.intents } }
    var refunds: [Refund] { state.withLock { $0.refunds } }
    var captured: Int { intents.count { $0.status == "succeeded" } }

    func failNext(_ faults: Fault...) { state.withLock { $0.faults = faults } }

    /// The customer has done the further step.
    func authenticate() {
        state.withLock { state in
            for index in state.intents.indices
            where state.intents[index].status == "requires_action" {
                state.intents[index].status = "requires_capture"
            }
        }
    }

    /// What went to payees' accounts comes back, all of it or so much in all.
    func reverseTransfers(_ amount: Int? = nil) {
        state.withLock { state in
            for index in state.transfers.indices {
                state.transfers[index].reversed = amount ?? state.transfers[index].amount
            }
        }
    }

    /// Patient unless told otherwise: a busy machine is slow.
    func run<T: Sendable>(
        timeout: Duration = StripeAPI.patience,
        _ body: (PaymentsConfig.Stripe) async throws -> T
    ) async throws -> T {
        let router = Router(context: BasicRequestContext.self)
        for method in [HTTPRequest.Method.get, .post, .delete] {
            router.on("/**", method: method) { request, _ in try await self.answer(request) }
        }
        return try await withServer(router) { port in
            defer { state.withLock { $0.isOver = true } }
            let url = URL(string: "http://127.0.0.1:\(port)")!
            return try await body(
                .init(
                    url: url, key: "sk_test_pretend", webhookSecret: "whsec_pretend",
                    timeout: timeout))
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 100_000)
        let query = request.method == .get ? request.uri.query ?? "" : String(buffer: body)
        let call = Call(
            method: request.method.rawValue, path: request.uri.path, form: Self.fields(query),
            key: request.headers[HTTPField.Name("Idempotency-Key")!], headers: request.headers)
        let now = Int(clock.now.timeIntervalSince1970)
        let (fault, status, text) = state.withLock { state in
            state.calls.append(call)
            let next = state.faults.isEmpty ? .none : state.faults.removeFirst()
            let fault = state.faultsByName[call.name] ?? next
            if case .refuses(let status, _) = fault { return (fault, status, "{}") }
            let (status, text) = Self.once(call, now, &state)
            return (fault, status, text)
        }
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[HTTPField.Name("Request-Id")!] = "req_1"
        switch fault {
        case .none: break
        case .refuses(_, let more): headers.append(contentsOf: more)
        case .doesAndAnswers(let status):
            return Response(status: .init(code: status), headers: headers)
        case .doesAndHangs: _ = try? await eventually { state.withLock(\.isOver) }
        }
        return Response(
            status: .init(code: status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    private static func fields(_ text: String) -> [String: String] {
        Dictionary(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1).map {
                    String($0).removingPercentEncoding ?? ""
                }
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }
        ) { $1 }
    }

    /// The same key gets the same answer; with another request it is refused.
    private static func once(_ call: Call, _ now: Int, _ state: inout State) -> (Int, String) {
        guard call.method == "POST" else { return perform(call, now, &state) }
        guard let key = call.key else { return (400, failure("key_missing")) }
        if let known = state.answers[key] {
            guard known.form == call.form, known.path == call.path else {
                return (400, failure("idempotency", type: "idempotency_error"))
            }
            return (known.status, known.body)
        }
        let (status, body) = perform(call, now, &state)
        state.answers[key] = (call.path, call.form, status, body)
        return (status, body)
    }

    static func failure(
        _ code: String, type: String = "invalid_request_error", decline: String? = nil
    ) -> String {
        let extra = decline.map { #", "decline_code": "\#($0)""# } ?? ""
        return #"{"error": {"type": "\#(type)", "code": "\#(code)", "message": "4242"\#(extra)}}"#
    }

    private static func perform(_ call: Call, _ now: Int, _ state: inout State) -> (Int, String) {
        let parts = call.path.split(separator: "/").map(String.init)
        if let refusal = refusal(of: call, parts, state) { return refusal }
        if let answer = performForCards(call, parts, &state) { return answer }
        switch (call.method, parts.dropFirst().first ?? "", parts.count) {
        case ("POST", "customers", 2):
            state.customers.append("cus_\(state.customers.count + 1)")
            return (200, #"{"id": "\#(state.customers.last ?? "")"}"#)
        case ("DELETE", "customers", 3):
            state.customers.removeAll { $0 == parts[2] }
            return (200, #"{"id": "\#(parts[2])", "deleted": true}"#)
        case (_, "payment_methods", _): return method(call, parts, &state)
        case ("POST", "payment_intents", 2):
            let id = "pi_\(state.intents.count + 1)"
            state.intents.append(Intent(id: id, form: call.form, created: now))
            return (200, json(state.intents[state.intents.count - 1]))
        case ("GET", "payment_intents", 2):
            let found = state.intents.filter { $0.form["customer"] == call.form["customer"] }
            return (200, list(found.map { ($0.id, json($0)) }, call))
        case (_, "payment_intents", _): return intent(call, parts, now, &state)
        case ("POST", "refunds", 2):
            let id = "re_\(state.refunds.count + 1)"
            state.refunds.append(Refund(id: id, form: call.form, created: now))
            return (200, json(state.refunds[state.refunds.count - 1], state))
        case ("GET", "refunds", 2):
            let found = state.refunds.filter { refund in
                call.form["payment_intent"].map { $0 == refund.form["payment_intent"] }
                    ?? isWithin(refund.created, call)
            }
            return (200, list(found.map { ($0.id, json($0, state)) }, call))
        case ("GET", "refunds", 3):
            return state.refunds.first { $0.id == parts[2] }.map { (200, json($0, state)) }
                ?? (404, failure("resource_missing"))
        case (_, "disputes", _): return dispute(call, parts, state)
        case ("GET", "payouts", 3) where call.headers[HTTPField.Name("Stripe-Account")!] == nil:
            return state.payouts[parts[2]].map { (200, $0) } ?? (404, failure("resource_missing"))
        case ("POST", "transfers", 2):
            if let code = state.connect.refusal(of: call.form["destination"]) {
                return (400, failure(code))
            }
            state.transfers.append(
                Transfer(
                    id: "tr_\(state.transfers.count + 1)", form: call.form, created: now))
            return (200, json(state.transfers[state.transfers.count - 1]))
        case ("GET", "transfers", 2):
            let found = state.transfers.filter { transfer in
                call.form["transfer_group"].map { $0 == transfer.form["transfer_group"] }
                    ?? isWithin(transfer.created, call)
            }
            return (200, list(found.map { ($0.id, json($0)) }, call))
        case ("GET", "charges", 2):
            let found = state.intents.filter { intent in
                intent.status == "succeeded"
                    && (call.form["payment_intent"].map { $0 == intent.id }
                        ?? isWithin(intent.created, call))
            }
            return (200, list(found.map { ("ch_\($0.id)", charge($0)) }, call))
        default: return connect(call, parts, now, &state)
        }
    }

    private static let cards = [
        "pm_card_visa": "4242", "pm_card_visa_chargeDeclined": "0002",
        "pm_card_authenticationRequired": "3155", "pm_of_token": "1111",
    ]

    private static func method(
        _ call: Call, _ parts: [String], _ state: inout State
    ) -> (Int, String) {
        func card(_ id: String, _ last4: String) -> (Int, String) {
            (200, #"{"id": "\#(id)", "card": {"brand": "visa", "last4": "\#(last4)"}}"#)
        }
        if parts.count == 2 { return card("pm_of_token", "1111") }
        guard let last4 = cards[parts[2]] ?? (parts[2].hasPrefix("pm_kept") ? "4242" : nil) else {
            return (404, failure("resource_missing"))
        }
        guard parts.last == "attach" else { return card(parts[2], last4) }
        guard last4 != "0002" else {
            return (402, failure("card_declined", type: "card_error", decline: "lost_card"))
        }
        state.kept += 1
        return card("pm_kept_\(state.kept)", last4)
    }

    private static func intent(
        _ call: Call, _ parts: [String], _ now: Int, _ state: inout State
    ) -> (Int, String) {
        guard let index = state.intents.firstIndex(where: { $0.id == parts[2] }) else {
            return (404, failure("resource_missing"))
        }
        let status = state.intents[index].status
        switch (parts.count > 3 ? parts[3] : "", status) {
        case ("", _): break
        case ("confirm", "requires_confirmation"):
            switch state.intents[index].form["payment_method"] {
            case "pm_card_visa_chargeDeclined":
                state.intents[index].status = "requires_payment_method"
                return (
                    402,
                    failure("card_declined", type: "card_error", decline: "insufficient_funds")
                )
            case "pm_card_authenticationRequired":
                state.intents[index].status = "requires_action"
            default: state.intents[index].status = "requires_capture"
            }
        case ("capture", "requires_capture"):
            let most = Int(state.intents[index].form["amount"] ?? "") ?? 0
            let amount = Int(call.form["amount_to_capture"] ?? "") ?? most
            guard amount <= most else { return (400, failure("amount_too_large")) }
            (state.intents[index].status, state.intents[index].captured) = ("succeeded", amount)
            if amount < most {
                let rest = ["amount": String(most - amount), "payment_intent": parts[2]]
                state.refunds.append(
                    Refund(id: "re_\(state.refunds.count + 1)", form: rest, created: now))
            }
        case ("cancel", "succeeded"), ("cancel", "canceled"), ("confirm", _), ("capture", _):
            return (400, failure("payment_intent_unexpected_state"))
        case ("cancel", _): state.intents[index].status = "canceled"
        default: return (404, failure("url_invalid"))
        }
        return (200, json(state.intents[index]))
    }

    static func isWithin(_ created: Int, _ call: Call) -> Bool {
        let from = call.form["created[gte]"].flatMap(Int.init) ?? 0
        return created >= from && created < call.form["created[lt]"].flatMap(Int.init) ?? .max
    }

    static func metadata(_ form: [String: String]) -> String {
        let pairs = form.filter { $0.key.hasPrefix("metadata[") }.map { key, value in
            #""\#(key.dropFirst(9).dropLast())": "\#(value)""#
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    private static func json(_ intent: Intent) -> String {
        """
        {"id": "\(intent.id)", "object": "payment_intent", "status": "\(intent.status)",
        "client_secret": "\(intent.id)_secret", "cancellation_reason": null,
        "last_payment_error": null, "metadata": \(metadata(intent.form))}
        """
    }

    private static func charge(_ intent: Intent) -> String {
        let (amount, currency) = (intent.form["amount"] ?? "0", intent.form["currency"] ?? "")
        return """
            {"id": "ch_\(intent.id)", "amount": \(amount), "amount_captured": \(intent.captured ?? 0),
            "currency": "\(currency)", "captured": true, "status": "succeeded",
            "payment_intent": "\(intent.id)", "metadata": \(metadata(intent.form))}
            """
    }

    static func json(_ transfer: Transfer) -> String {
        """
        {"id": "\(transfer.id)", "object": "transfer", "amount": \(transfer.amount),
        "currency": "\(transfer.form["currency"] ?? "")", "amount_reversed": \(transfer.reversed),
        "reversed": \(transfer.reversed == transfer.amount), "metadata": \(metadata(transfer.form))}
        """
    }

    private static func json(_ refund: Refund, _ state: State) -> String {
        let intent = state.intents.first { $0.id == refund.form["payment_intent"] }
        let failure = refund.status == "failed" ? #""expired_or_canceled_card""# : "null"
        return """
            {"id": "\(refund.id)", "object": "refund", "status": "\(refund.status)",
            "currency": "\(intent?.form["currency"] ?? "hkd")",
            "amount": \(refund.form["amount"] ?? "0"), "failure_reason": \(failure),
            "payment_intent": "\(refund.form["payment_intent"] ?? "")",
            "metadata": \(metadata(refund.form))}
            """
    }

    static func list(_ items: [(id: String, json: String)], _ call: Call) -> String {
        var rest = Array(items.reversed())[...]
        if let after = call.form["starting_after"] {
            rest = rest.drop { $0.id != after }.dropFirst()
        }
        let page = rest.prefix(Self.page).map(\.json).joined(separator: ", ")
        return #"{"data": [\#(page)], "has_more": \#(rest.count > Self.page)}"#
    }
}
