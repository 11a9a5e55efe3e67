import Foundation

/// How the web apps show a card form: settings that payments and web share.
public struct CardFormConfig: Sendable, Hashable {
    public static let keys = [
        ConfigKey(
            "OPENVALET_PAYMENTS_PROVIDER", default: "stub",
            "Payment provider: `stub` (moves no money, for trying out) or `stripe`."),
        ConfigKey(
            "OPENVALET_PAYMENTS_STRIPE_JS", default: "https://js.stripe.com/v3/",
            "With `stripe`: the address of Stripe.js, from which browsers load the card form."),
    ]

    /// The provider's script, which browsers load; nil with the stub.
    public let script: URL?

    public init(script: URL?) { self.script = script }

    public init(_ values: ConfigValues) throws {
        let name = "OPENVALET_PAYMENTS_STRIPE_JS"
        let script = try values.url(name)
        switch try values.string("OPENVALET_PAYMENTS_PROVIDER") {
        case "stub": self.script = nil
        case "stripe":
            // The host goes into a header, so only letters, digits, dots and dashes are allowed.
            guard let host = script.host, host.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil else {
                throw ConfigError("\(name) has an invalid host")
            }
            guard script.scheme == "https" || Self.loopback.contains(host) else {
                throw ConfigError("\(name) has to be https: card numbers are typed into it")
            }
            self.script = script
        default: throw ConfigError("OPENVALET_PAYMENTS_PROVIDER is neither stub nor stripe")
        }
    }

    /// Hosts on this machine, which tests use without TLS.
    private static let loopback = ["127.0.0.1", "localhost"]

    /// Scheme, host and port, as in a Content-Security-Policy; nil with the stub.
    public var origin: String? {
        guard let script, let scheme = script.scheme, let host = script.host else { return nil }
        return "\(scheme)://\(host)" + (script.port.map { ":\($0)" } ?? "")
    }
}
