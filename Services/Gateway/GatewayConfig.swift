import Contracts
import Foundation
import ServiceKit

/// What the gateway reads from its environment.
struct GatewayConfig: Config {
    static let service = ServiceManifest.gateway

    static let keys: [ConfigKey] =
        peers + limits + [
            ConfigKey(
                "OPENVALET_GATEWAY_TRUSTED_PROXIES", default: "",
                "Networks of our own proxies, as in 10.0.0.0/8,fd00::/8: only their"
                    + " X-Forwarded-For is believed."),
            ConfigKey(
                "OPENVALET_GATEWAY_ORIGINS", default: "",
                "Web origins that may call from a browser (CORS), as in https://app.example.com."),
            ConfigKey(
                "OPENVALET_GATEWAY_FORWARD_SECONDS", default: "10",
                "How long a service may take; Prefer: wait=N comes on top, and 25 s for a payment."),
        ]

    private static let peers: [ConfigKey] = Target.services.map { target in
        ConfigKey(target.key, "Address of the \(target.rawValue) service.")
    }

    private static let limits: [ConfigKey] = [
        ConfigKey(
            "OPENVALET_GATEWAY_STRICT_PER_MINUTE", default: "30",
            "Sign-ups, sign-ins and codes that an address may ask for in a minute."),
        ConfigKey(
            "OPENVALET_GATEWAY_OPEN_PER_SECOND", default: "50",
            "Other requests of an address without a token, a second; twice as many at once."),
        ConfigKey(
            "OPENVALET_GATEWAY_PERSON_PER_SECOND", default: "50",
            "Requests of a person, a second; twice as many at once."),
        ConfigKey(
            "OPENVALET_GATEWAY_POSITIONS_PER_SECOND", default: "20",
            "PUT /v1/me/location of a person, a second; twice as many at once."),
        ConfigKey(
            "OPENVALET_GATEWAY_RECOGNITIONS_PER_MINUTE", default: "30",
            "Plates that a valet may have recognised in a minute."),
        ConfigKey(
            "OPENVALET_GATEWAY_PLACES_PER_MINUTE", default: "60",
            "Places that a person may look for in a minute."),
        ConfigKey(
            "OPENVALET_GATEWAY_ADDRESS_PER_SECOND", default: "1000",
            "Requests of an address but for positions, a second and gateway; twice as many at once."
        ),
        ConfigKey(
            "OPENVALET_GATEWAY_REFUSALS_PER_SECOND", default: "10",
            "Refused requests (no such token, address or right) of an address, a second; thirty times as"
                + " many at once. Beyond, all of its requests are."),
        ConfigKey(
            "OPENVALET_GATEWAY_WEBHOOKS_PER_SECOND", default: "100",
            "Events of the payment provider from an address, a second; ten times as many at once."),
        ConfigKey(
            "OPENVALET_GATEWAY_CONNECTIONS", default: "20000",
            "Connections that are open at once; fewer where the system allows fewer open files."),
        ConfigKey(
            "OPENVALET_GATEWAY_CONNECTIONS_PER_ADDRESS", default: "1000",
            "Connections that an address may have open at once; our own proxies have no limit."),
        ConfigKey(
            "OPENVALET_GATEWAY_STREAMS", default: "10000", "Live streams that are open at once."),
        ConfigKey(
            "OPENVALET_GATEWAY_STREAMS_PER_PERSON", default: "8",
            "Live streams that a person may have open at once."),
        ConfigKey(
            "OPENVALET_GATEWAY_STREAMS_PER_ADDRESS", default: "500",
            "Live streams that an address may have open at once."),
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
