import Contracts
import Crypto
import Foundation
import Logging
import ServiceKit

/// Payments by Stripe.
///
/// A payment takes three calls: create an intent with our payment's id as idempotency key, confirm it once its id is
/// stored, and capture what the bank approves. Only the last call moves money, and only while our row allows it: a
/// payment is given up in that row first. After lost answers, we find the intent again by asking for it.
struct StripeProvider: PaymentProvider {
    /// The metadata key by which payments and refunds are found again.
    static let paymentKey = "payment"
    static let billKey = "bill"
    static let refundKey = "refund"
    static let customerKey = "customer"
    /// The reason when an amount has more decimals than Stripe takes: it is never sent rounded.
    static let unsayable = "invalid_amount"
    /// Objects per page of a list; Stripe's own limit.
    static let page = 100
    /// The most pages that are searched for one payment or refund.
    static let mostPages = 10
    /// How far two clocks may differ, in seconds.
    static let clockDifference: TimeInterval = 3_600

    let api: StripeAPI
    let store: StripeStore
    let clock: ServiceClock
    let logger: Logger

    // MARK: Customers and cards

    func instrument(for token: PaymentToken) async throws -> Instrument? {
        try await known { api in
            try await method(token, api).instrument(as: token.isOneTime ? nil : token.text)
        } ?? nil
    }

    func keep(_ token: PaymentToken, for customer: PersonID) async throws -> KeepOutcome {
        let api = api.begun()
        do {
            let owner = try await self.customer(customer, api)
            let method = try await method(token, api)
            // A method that was set up with a SetupIntent is the customer's already.
            if method.customer == owner { return method.instrument().map { .kept($0) } ?? .unknown }
            guard method.customer == nil else { return .unknown }
            let reference = token.isOneTime ? method.id : token.text
            let kept: StripePaymentMethod = try await api.post(
                "/v1/payment_methods/\(reference)/attach", [("customer", owner)],
                key: "attach-\(reference)-\(owner)")
            return kept.instrument().map { .kept($0) } ?? .unknown
        } catch let refusal as StripeRefusal {
            if refusal.isDecline { return .declined(refusal.reason) }
            log(refusal, "a payment method could not be saved")
            return .unknown
        }
    }

    func beginSetup(for customer: PersonID) async throws -> String {
        let api = api.begun()
        do {
            let setup: StripeSetupIntent = try await api.post(
                "/v1/setup_intents",
                [
                    ("customer", try await self.customer(customer, api)), ("usage", "off_session"),
                    ("payment_method_types[]", "card"),
                ], key: "setup-\(UUID())")
            guard let secret = setup.client_secret else {
                throw ProviderUnavailable(detail: "stripe: a setup has no secret")
            }
            return secret
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused to set up a card")
            throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
        }
    }

    func saved(_ reference: String) async throws -> Instrument? {
        do {
            let method: StripePaymentMethod = try await api.begun().get(
                "/v1/payment_methods/\(reference)")
            return method.customer == nil ? nil : method.instrument()
        } catch let refusal as StripeRefusal where refusal.isMissing {
            return nil
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe could not say what became of a card")
            throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
        }
    }

    func release(_ reference: String) async throws {
        let _: StripePaymentMethod? = try await known { api in
            try await api.post(
                "/v1/payment_methods/\(reference)/detach", [], key: "detach-\(reference)")
        }
    }

    func forget(_ customer: PersonID) async throws {
        try await store.removeAccount(of: customer)
        guard let id = try await store.customer(customer) else { return }
        _ = try await known { try await $0.delete("/v1/customers/\(id)") }
        try await store.remove(customer)
    }

    /// Nil if Stripe refuses because the object is unknown or unusable.
    private func known<T>(_ call: (StripeAPI) async throws -> T) async throws -> T? {
        do {
            return try await call(api.begun())
        } catch let refusal as StripeRefusal {
            if !refusal.isMissing { log(refusal, "Stripe refused a request") }
            return nil
        }
    }

    /// Turns a one-time token into a payment method; a repeat returns the same one.
    private func method(
        _ token: PaymentToken, _ api: StripeAPI
    ) async throws -> StripePaymentMethod {
        guard token.isOneTime else { return try await api.get("/v1/payment_methods/\(token.text)") }
        let hash = SHA256.hash(data: Data(token.text.utf8)).hex
        return try await api.post(
            "/v1/payment_methods", [("type", "card"), ("card[token]", token.text)],
            key: "method-\(hash)")
    }

    /// The customer's id at Stripe, created with their first payment. It carries our id only, no name or phone number.
    private func customer(_ id: PersonID, _ api: StripeAPI) async throws -> String {
        if let known = try await store.customer(id) { return known }
        let made: StripeCustomer = try await api.post(
            "/v1/customers", [("metadata[\(Self.customerKey)]", id.description)],
            key: "customer-\(id)")
        return try await store.keep(made.id, for: id)
    }

    // MARK: Payments

    func charge(_ charge: Charge) async throws -> ChargeOutcome {
        guard let amount = StripeAmount(charge.amount) else { return .declined(Self.unsayable) }
        let api = api.begun()
        guard let known = try await store.begin(charge, at: clock.now) else {
            throw ProviderUnavailable(detail: "stripe: the payment can't be kept")
        }
        if let reason = known.givenUp { return .cancelled(reason) }
        do {
            let intent: StripeIntent
            if let id = known.stripeID {
                intent = try await api.get("/v1/payment_intents/\(id)")
            } else {
                intent = try await create(charge, amount, api)
                guard try await store.keep(intent.id, for: charge.id) else {
                    return try await cancel(charge.id, because: .superseded)
                }
            }
            let payer: Presence = charge.isOffSession ? .absent : .unknown
            return try await proceed(intent, isHold: charge.isHold, payer, api)
        } catch let refusal as StripeRefusal {
            return try await end(charge.id, after: refusal)
        }
    }

    private func create(
        _ charge: Charge, _ amount: StripeAmount, _ api: StripeAPI
    ) async throws -> StripeIntent {
        let customer = try await customer(charge.payer, api)
        return try await api.post(
            "/v1/payment_intents",
            amount.fields + [
                ("customer", customer),
                ("payment_method", charge.reference),
                ("payment_method_types[]", "card"),
                ("capture_method", "manual"),
                ("metadata[\(Self.paymentKey)]", charge.id.description),
                ("metadata[\(Self.billKey)]", charge.bill.description),
            ], key: charge.id.description)
    }

    /// Brings an intent as far as possible without the customer.
    private func proceed(
        _ known: StripeIntent, isHold: Bool, _ payer: Presence, _ api: StripeAPI
    ) async throws -> ChargeOutcome {
        var intent = known
        let id = known.id
        if intent.outcome == nil {
            do {
                intent = try await api.post(
                    "/v1/payment_intents/\(id)/confirm",
                    payer == .absent ? [("off_session", "true")] : [], key: "confirm-\(id)")
            } catch let refusal as StripeRefusal where payer == .absent && refusal.needsPayer {
                return .requiresAction(clientSecret: known.client_secret ?? "")
            }
        } else if intent.needsPayer, payer == .present {
            intent = try await confirmAgain(intent, api)
        }
        if intent.outcome == .authorized, !isHold {
            intent = try await api.post(
                "/v1/payment_intents/\(id)/capture", [], key: "capture-\(id)")
        }
        let outcome = intent.outcome ?? .pending
        if case .declined(let reason) = outcome, let payment = try await store.payment(id) {
            try await decline(payment, reason)
        }
        return outcome
    }

    /// Confirms what was charged in the payer's absence, with the same card, now that they are there.
    private func confirmAgain(
        _ intent: StripeIntent, _ api: StripeAPI
    ) async throws -> StripeIntent {
        let card = intent.last_payment_error?.payment_method?.id
        return try await api.post(
            "/v1/payment_intents/\(intent.id)/confirm",
            card.map { [("payment_method", $0)] } ?? [], key: "confirm-present-\(intent.id)")
    }

    /// Whether the payer can take a further step.
    private enum Presence { case absent, present, unknown }

    /// The outcome of a refused call: a declined card, or an intent in an unexpected state.
    private func end(
        _ payment: PaymentID, after refusal: StripeRefusal
    ) async throws -> ChargeOutcome {
        if refusal.isDecline {
            try await decline(payment, refusal.reason)
            return .declined(refusal.reason)
        }
        log(refusal, "Stripe refused a payment")
        let known = try await store.giveUp(payment, because: refusal.reason, at: clock.now)
        guard let id = known?.stripeID else { return .declined(refusal.reason) }
        switch try await close(id, api.begun()) {
        case .cancelled: return .declined(refusal.reason)
        case let outcome: return outcome
        }
    }

    /// Stripe keeps a declined intent open for another card. Here, another card is another payment,
    /// so the intent is cancelled. If that fails, it is still never captured.
    private func decline(_ payment: PaymentID, _ reason: String) async throws {
        let known = try await store.giveUp(payment, because: reason, at: clock.now)
        guard let id = known?.stripeID else { return }
        do {
            _ = try await close(id, api.begun())
        } catch let error as ProviderUnavailable {
            logger.info("a declined payment is still open", metadata: ["error": "\(error.detail)"])
        }
    }

    func resume(_ payment: PaymentID, isHold: Bool) async throws -> ChargeOutcome {
        guard let known = try await store.intent(payment) else {
            return .declined("resource_missing")
        }
        if known.givenUp != nil { return try await cancel(payment, because: .superseded) }
        guard let id = known.stripeID else { return .pending }
        let api = api.begun()
        do {
            let intent: StripeIntent = try await api.get("/v1/payment_intents/\(id)")
            return try await proceed(intent, isHold: isHold, .present, api)
        } catch let refusal as StripeRefusal {
            return try await end(payment, after: refusal)
        }
    }

    /// The key contains only the payment: once captured, another amount changes nothing.
    func capture(_ payment: PaymentID, _ amount: Money) async throws -> ChargeOutcome {
        guard let known = try await store.intent(payment), let id = known.stripeID else {
            return .declined("resource_missing")
        }
        guard let part = StripeAmount(amount) else { return .declined(Self.unsayable) }
        if known.givenUp != nil { return try await cancel(payment, because: .superseded) }
        let api = api.begun()
        do {
            let intent: StripeIntent = try await api.post(
                "/v1/payment_intents/\(id)/capture",
                [("amount_to_capture", String(part.value))], key: "capture-\(id)")
            return intent.outcome ?? .pending
        } catch let refusal as StripeRefusal {
            // It was captured or released before: ask for its status.
            log(refusal, "Stripe refused to capture a hold")
            return try await status(of: payment) ?? .declined(refusal.reason)
        }
    }

    func status(of payment: PaymentID) async throws -> ChargeOutcome? {
        guard let known = try await store.intent(payment) else { return nil }
        guard let intent = try await intent(known, api.begun()) else {
            return known.givenUp.map { .cancelled($0) }
        }
        if case .cancelled(let reason) = intent.outcome {
            return .cancelled(known.givenUp ?? reason)
        }
        return intent.outcome
    }

    /// Nil if Stripe has none.
    private func intent(
        _ known: StripeStore.Intent, _ api: StripeAPI
    ) async throws -> StripeIntent? {
        do {
            return try await find(known, api)
        } catch let refusal as StripeRefusal {
            if refusal.isMissing { return nil }
            log(refusal, "Stripe could not say how a payment ended")
            throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
        }
    }

    /// The intent. If its id was lost before it could be stored, it is found in the customer's list. Nothing can have
    /// been confirmed without the id, so no second intent is created.
    private func find(
        _ known: StripeStore.Intent, _ api: StripeAPI
    ) async throws -> StripeIntent? {
        if let id = known.stripeID { return try await api.get("/v1/payment_intents/\(id)") }
        guard let payer = known.payer, let owner = try await store.customer(payer) else {
            return nil
        }
        let since = known.createdAt.addingTimeInterval(-Self.clockDifference)
        var query: [StripeField] = [
            ("customer", owner), ("created[gte]", String(Int(since.timeIntervalSince1970))),
            ("limit", String(Self.page)),
        ]
        for _ in 1...Self.mostPages {
            let list: StripeList<StripeIntent> = try await api.get("/v1/payment_intents", query)
            let found = list.data.first {
                $0.metadata?[Self.paymentKey] == known.payment.description
            }
            if let found {
                _ = try await store.keep(found.id, for: known.payment)
                return found
            }
            guard list.has_more, let last = list.data.last else { return nil }
            query = query.filter { $0.name != "starting_after" } + [("starting_after", last.id)]
        }
        return nil
    }

    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome {
        // Our row first: nobody confirms the intent from now on, even if the call fails.
        let known = try await store.giveUp(payment, because: reason.rawValue, at: clock.now)
        let why = known?.givenUp ?? reason.rawValue
        let api = api.begun()
        guard let known, let intent = try await intent(known, api) else { return .cancelled(why) }
        switch try await close(intent.id, api) {
        case .cancelled: return .cancelled(why)
        case let outcome: return outcome
        }
    }

    /// Cancels at Stripe; if it is too late, returns the actual outcome.
    private func close(_ id: String, _ api: StripeAPI) async throws -> ChargeOutcome {
        let intent: StripeIntent
        do {
            intent = try await api.post(
                "/v1/payment_intents/\(id)/cancel", [], key: "cancel-\(id)")
        } catch is StripeRefusal {
            // It can't be cancelled any more: ask for its status.
            do {
                intent = try await api.get("/v1/payment_intents/\(id)")
            } catch let refusal as StripeRefusal {
                throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
            }
        }
        return intent.outcome ?? .pending
    }

    func log(_ refusal: StripeRefusal, _ message: Logger.Message) {
        logger.error(
            message,
            metadata: [
                "status": "\(refusal.status)", "type": "\(refusal.type ?? "-")",
                "code": "\(refusal.code ?? "-")", "parameter": "\(refusal.parameter ?? "-")",
                "request": "\(refusal.request)",
            ])
    }
}

extension PaymentToken {
    /// Stripe accepts a `tok_…` once; a `pm_…` is already a payment method.
    var isOneTime: Bool { text.hasPrefix("tok_") }
}
