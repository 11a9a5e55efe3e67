import Contracts
import Foundation
import ServiceKit

/// Which company moves the money, and how it is reached.
struct PaymentsConfig: Config {
    static let service = ServiceManifest.payments

    static let keys = [
        ConfigKey(
            "OPENVALET_PAYMENTS_PROVIDER", default: "stub",
            "Who moves the money: `stub` (nobody, for trying out) or `stripe`."),
        ConfigKey(
            "OPENVALET_PAYMENTS_STRIPE_URL", default: "https://api.stripe.com",
            "Stripe's API."),
        ConfigKey(
            "OPENVALET_PAYMENTS_STRIPE_KEY", default: "", secret: true,
            "With `stripe`: the secret or restricted key of the account."),
        ConfigKey(
            "OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET", default: "", secret: true,
            "With `stripe`: the signing secret of the webhook endpoint."),
        ConfigKey(
            "OPENVALET_PAYMENTS_BILLERS", default: "",
            "Services that say what is owed, asked when it is not known here: "
                + "`orders=http://orders:8080`, several with commas."),
        ConfigKey(
            "OPENVALET_PAYMENTS_HISTORY", default: "no",
            "With `stub`, yes: other services may hand in payments of the past, as a demo begins with."
        ),
    ]

    struct Stripe: Sendable {
        let url: URL
        let key: String
        let webhookSecret: String
        /// How long one call may take.
        var timeout = StripeAPI.timeout
    }

    /// Nil for the stub.
    let stripe: Stripe?

    /// Services that answer `InternalEndpoints.bill`.
    let billers: [ServiceAddress]

    /// Never with a provider who moves money.
    let takesHistory: Bool

    static let stub = PaymentsConfig(stripe: nil)

    init(stripe: Stripe?, billers: [ServiceAddress] = [], takesHistory: Bool = false) {
        self.stripe = stripe
        self.billers = billers
        self.takesHistory = takesHistory
    }

    init(_ values: ConfigValues) throws {
        let url = try values.url("OPENVALET_PAYMENTS_STRIPE_URL")
        let key = try values.optional("OPENVALET_PAYMENTS_STRIPE_KEY")
        let secret = try values.optional("OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET")
        billers = try values.services("OPENVALET_PAYMENTS_BILLERS")
        let isDemo = try values.bool("OPENVALET_PAYMENTS_HISTORY")
        switch try values.string("OPENVALET_PAYMENTS_PROVIDER") {
        case "stub":
            (stripe, takesHistory) = (nil, isDemo)
        case "stripe":
            guard let key else { throw ConfigError("OPENVALET_PAYMENTS_STRIPE_KEY is missing") }
            guard let secret else {
                throw ConfigError("OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET is missing")
            }
            guard url.scheme == "https" || ["127.0.0.1", "localhost"].contains(url.host) else {
                throw ConfigError(
                    "OPENVALET_PAYMENTS_STRIPE_URL has to be https: the key goes there")
            }
            guard !isDemo else {
                throw ConfigError("OPENVALET_PAYMENTS_HISTORY goes with the stub only")
            }
            stripe = Stripe(url: url, key: key, webhookSecret: secret)
            takesHistory = false
        default:
            throw ConfigError("OPENVALET_PAYMENTS_PROVIDER is neither stub nor stripe")
        }
    }
}
