import Contracts
import Foundation
import ServiceKit

/// The settings of the gateway.
struct GatewayConfig: Config {
    static let service = ServiceManifest.gateway

    static let keys: [ConfigKey] =
        peers + limits + [
            ConfigKey(
                "OPENVALET_GATEWAY_TRUSTED_PROXIES", default: "",
                "Networks of your own proxies, for example 10.0.0.0/8,fd00::/8; only their"
                    + " X-Forwarded-For is trusted."),
            ConfigKey(
                "OPENVALET_GATEWAY_ORIGINS", default: "",
                "Web origins that may call from a browser (CORS), for example https://app.example.com."
            ),
            ConfigKey(
                "OPENVALET_GATEWAY_FORWARD_SECONDS", default: "10",
                "Time limit of a service's answer; Prefer: wait=N adds N, and a payment adds 25 s."),
        ]

    private static let peers: [ConfigKey] = Target.services.map { target in
        ConfigKey(target.key, "Address of the \(target.rawValue) service.")
    }

    private static let limits: [ConfigKey] = [
        ConfigKey(
            "OPENVALET_GATEWAY_STRICT_PER_MINUTE", default: "30",
            "Sign-ups, sign-ins and requests for codes per address and minute."),
        ConfigKey(
            "OPENVALET_GATEWAY_OPEN_PER_SECOND", default: "50",
            "Other requests without a token per address and second; bursts of twice as many."),
        ConfigKey(
            "OPENVALET_GATEWAY_PERSON_PER_SECOND", default: "50",
            "Requests per person and second; bursts of twice as many."),
        ConfigKey(
            "OPENVALET_GATEWAY_POSITIONS_PER_SECOND", default: "20",
            "PUT /v1/me/location per person and second; bursts of twice as many."),
        ConfigKey(
            "OPENVALET_GATEWAY_RECOGNITIONS_PER_MINUTE", default: "30",
            "Plate recognitions per valet and minute."),
        ConfigKey(
            "OPENVALET_GATEWAY_PLACES_PER_MINUTE", default: "60",
            "Searches for places per person and minute."),
        ConfigKey(
            "OPENVALET_GATEWAY_ADDRESS_PER_SECOND", default: "1000",
            "Requests per address, second and gateway, except positions; bursts of twice as many."),
        ConfigKey(
            "OPENVALET_GATEWAY_REFUSALS_PER_SECOND", default: "10",
            "Refused requests (wrong token, address or rights) per address and second; bursts of thirty"
                + " times as many. Beyond that, all its requests are refused."),
        ConfigKey(
            "OPENVALET_GATEWAY_WEBHOOKS_PER_SECOND", default: "100",
            "Events of the payment provider per address and second; bursts of ten times as many."),
        ConfigKey(
            "OPENVALET_GATEWAY_CONNECTIONS", default: "20000",
            "Open connections; fewer if the system allows fewer open files."),
        ConfigKey(
            "OPENVALET_GATEWAY_CONNECTIONS_PER_ADDRESS", default: "1000",
            "Open connections per address; your own proxies have no limit."),
        ConfigKey(
            "OPENVALET_GATEWAY_STREAMS", default: "10000", "Open live streams."),
        ConfigKey(
            "OPENVALET_GATEWAY_STREAMS_PER_PERSON", default: "8",
            "Open live streams per person."),
        ConfigKey(
            "OPENVALET_GATEWAY_STREAMS_PER_ADDRESS", default: "500",
            "Open live streams per address."),
    ]

    /// Highest number that a limit can be set to.
    private static let highest = 1_000_000

    var peers: [Target: URL]
    let rates: RateLimits
    let streams: LiveStreams.Limits
    let connections: (all: Int, perAddress: Int)
    let trustedProxies: [Network]
    let origins: Set<String>
    let forwardTimeout: Duration

    init(_ values: ConfigValues) throws {
        peers = try Dictionary(
            uniqueKeysWithValues: Target.services.map { ($0, try values.url($0.key)) })
        func rate(_ name: String, seconds: Int = 1, bursts: Int = 2) throws -> Rate {
            let number = try values.int("OPENVALET_GATEWAY_\(name)", in: 1...Self.highest)
            return Rate(perSecond: Double(number) / Double(seconds), burst: number * bursts)
        }
        rates = RateLimits(
            strict: try rate("STRICT_PER_MINUTE", seconds: 60, bursts: 1),
            open: try rate("OPEN_PER_SECOND"), person: try rate("PERSON_PER_SECOND"),
            positions: try rate("POSITIONS_PER_SECOND"),
            recognitions: try rate("RECOGNITIONS_PER_MINUTE", seconds: 60, bursts: 1),
            places: try rate("PLACES_PER_MINUTE", seconds: 60, bursts: 1),
            address: try rate("ADDRESS_PER_SECOND"),
            refusals: try rate("REFUSALS_PER_SECOND", bursts: 30),
            webhooks: try rate("WEBHOOKS_PER_SECOND", bursts: 10))
        connections = (
            all: try values.int("OPENVALET_GATEWAY_CONNECTIONS", in: 1...Self.highest),
            perAddress: try values.int(
                "OPENVALET_GATEWAY_CONNECTIONS_PER_ADDRESS", in: 1...Self.highest)
        )
        streams = LiveStreams.Limits(
            perPerson: try values.int("OPENVALET_GATEWAY_STREAMS_PER_PERSON", in: 1...Self.highest),
            all: try values.int("OPENVALET_GATEWAY_STREAMS", in: 1...Self.highest),
            perAddress: try values.int(
                "OPENVALET_GATEWAY_STREAMS_PER_ADDRESS", in: 1...Self.highest))
        trustedProxies = try Self.list(values, "OPENVALET_GATEWAY_TRUSTED_PROXIES").map { text in
            guard let network = Network(text) else {
                throw ConfigError("OPENVALET_GATEWAY_TRUSTED_PROXIES: \(text) is not a network")
            }
            return network
        }
        origins = Set(try Self.list(values, "OPENVALET_GATEWAY_ORIGINS"))
        for origin in origins where URL(string: origin)?.host == nil || origin.hasSuffix("/") {
            throw ConfigError("OPENVALET_GATEWAY_ORIGINS: \(origin) is not an origin")
        }
        forwardTimeout = try values.seconds("OPENVALET_GATEWAY_FORWARD_SECONDS", in: 0.1...300)
    }

    private static func list(_ values: ConfigValues, _ name: String) throws -> [String] {
        try values.optional(name)?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        } ?? []
    }
}
