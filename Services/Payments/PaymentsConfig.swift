import Contracts
import Foundation
import ServiceKit

/// The settings of payments.
struct PaymentsConfig: Config {
    static let service = ServiceManifest.payments

    static let keys =
        CardFormConfig.keys + [
            ConfigKey(
                "OPENVALET_PAYMENTS_STRIPE_URL", default: "https://api.stripe.com",
                "Address of Stripe's API."),
            ConfigKey(
                "OPENVALET_PAYMENTS_STRIPE_KEY", default: "", secret: true,
                "With `stripe`: your account's secret key, or a restricted one."),
            ConfigKey(
                "OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY", default: "",
                "With `stripe`: your account's publishable key, with which the apps show a card form."
            ),
            ConfigKey(
                "OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET", default: "", secret: true,
                "With `stripe`: the signing secret of the webhook endpoint."),
            ConfigKey(
                "OPENVALET_PAYMENTS_STRIPE_CONNECT_SECRET", default: "", secret: true,
                "With `stripe`: the signing secret of the webhook endpoint for connected accounts."),
            ConfigKey(
                "OPENVALET_PAYMENTS_APP_URL", default: appAddress,
                "Address of the apps, to which the payment provider's pages return."),
            ConfigKey(
                "OPENVALET_PAYMENTS_BILLERS", default: "",
                "Services to ask for a bill that is not known here, separated by commas: "
                    + "`orders=http://orders:8080`."),
            ConfigKey(
                "OPENVALET_PAYMENTS_HISTORY", default: "no",
                "yes, with `stub` only: accepts past payments from other services, with which a demo begins."
            ),
        ]

    struct Stripe: Sendable {
        let url: URL
        let key: String
        let webhookSecret: String
        /// Given to every browser.
        var publishableKey = ""
        /// The address of Stripe.js.
        var script: URL?
        /// Nil if events of connected accounts come to no endpoint of their own.
        var connectSecret: String?
        /// How long one call may take.
        var timeout = StripeAPI.timeout
    }

    /// Nil for the stub.
    let stripe: Stripe?

    /// Services that answer `InternalEndpoints.bill`.
    let billers: [ServiceAddress]

    /// Whether it accepts past payments; never with a provider that moves money.
    let takesHistory: Bool

    /// Where people open the apps.
    let appAddress: String

    static let stub = PaymentsConfig(stripe: nil)
    static let appAddress = "http://localhost:8080"

    init(
        stripe: Stripe?, billers: [ServiceAddress] = [], takesHistory: Bool = false,
        appAddress: String = Self.appAddress
    ) {
        self.appAddress = appAddress
        self.stripe = stripe
        self.billers = billers
        self.takesHistory = takesHistory
    }

    init(_ values: ConfigValues) throws {
        let url = try values.url("OPENVALET_PAYMENTS_STRIPE_URL")
        let key = try values.optional("OPENVALET_PAYMENTS_STRIPE_KEY")
        let secret = try values.optional("OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET")
        let publishableKey = try values.optional("OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY")
        let form = try CardFormConfig(values)
        let connectSecret = try values.optional("OPENVALET_PAYMENTS_STRIPE_CONNECT_SECRET")
        let app = try values.url("OPENVALET_PAYMENTS_APP_URL")
        appAddress = app.absoluteString
        billers = try values.services("OPENVALET_PAYMENTS_BILLERS")
        let isDemo = try values.bool("OPENVALET_PAYMENTS_HISTORY")
        guard let script = form.script else {
            (stripe, takesHistory) = (nil, isDemo)
            return
        }
        guard let key else { throw ConfigError("OPENVALET_PAYMENTS_STRIPE_KEY is missing") }
        guard let secret else {
            throw ConfigError("OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET is missing")
        }
        guard Self.isSafe(url) else {
            throw ConfigError(
                "OPENVALET_PAYMENTS_STRIPE_URL has to be https: the key is sent there")
        }
        guard Self.isSafe(app) else {
            throw ConfigError(
                "OPENVALET_PAYMENTS_APP_URL has to be https: Stripe's pages lead there")
        }
        guard !isDemo else {
            throw ConfigError("OPENVALET_PAYMENTS_HISTORY works with the stub only")
        }
        stripe = Stripe(
            url: url, key: key, webhookSecret: secret,
            publishableKey: try Self.publishable(publishableKey), script: script,
            connectSecret: connectSecret)
        takesHistory = false
    }

    /// Whether what is sent there stays on this machine, or nobody else can read it.
    private static func isSafe(_ url: URL) -> Bool {
        url.scheme == "https" || ["127.0.0.1", "localhost"].contains(url.host)
    }

    /// Everybody can read this key, so another one is refused; the error does not repeat it.
    private static func publishable(_ key: String?) throws -> String {
        let name = "OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY"
        guard let key else { throw ConfigError("\(name) is missing") }
        guard key.wholeMatch(of: /pk_[A-Za-z0-9_]{1,250}/) != nil else {
            throw ConfigError("\(name) has to be the publishable key, which begins with pk_")
        }
        return key
    }
}
