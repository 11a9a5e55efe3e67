import ArgumentParser
import Foundation

/// What `openvalet up` was told by its environment and its options.
struct UpSettings {
    /// Services in the order in which they stop last to first.
    static let services = [
        "accounts", "location", "orders", "matching", "payments", "ratings", "notifications",
        "gateway",
    ]

    let port: Int
    let data: String
    let logLevel: String
    /// Settings of single services, by service.
    let perService: [String: [String: String]]

    /// Read by `up` itself, or by `UpSecrets`.
    private static let own: Set<String> = [
        "OPENVALET_PORT", "OPENVALET_DATA", "OPENVALET_LOG_LEVEL", "OPENVALET_SERVICE_SECRET",
        "OPENVALET_SERVICE_SECRET_FILE", "OPENVALET_OPERATOR_PHONE",
        "OPENVALET_OPERATOR_PASSWORD", "OPENVALET_OPERATOR_PASSWORD_FILE",
    ]
    /// Addresses of others' services: `up` decides only where its own are.
    private static let outside: Set<String> = ["OPENVALET_PAYMENTS_STRIPE_URL"]
    /// Handed to every service.
    private static let common: Set<String> = ["OPENVALET_LOG_FORMAT", "OPENVALET_METRICS_TOKEN"]

    init(
        _ environment: [String: String], port: Int?, data: String?, logLevel: String
    ) throws {
        var perService: [String: [String: String]] = [:]
        for (name, value) in environment where name.hasPrefix("OPENVALET_") {
            guard !Self.own.contains(name) else { continue }
            if Self.common.contains(name) {
                for service in Self.services { perService[service, default: [:]][name] = value }
                continue
            }
            let owner = Self.services.first {
                name.hasPrefix("OPENVALET_\($0.uppercased())_")
                    && (!name.hasSuffix("_URL") || Self.outside.contains(name))
            }
            guard let owner else {
                throw ValidationError("\(name) is not a setting of openvalet up (see --help).")
            }
            perService[owner, default: [:]][name] = value
        }
        let text = environment["OPENVALET_PORT"] ?? "8080"
        guard let number = port ?? Int(text), (1...65_535).contains(number) else {
            throw ValidationError("The port has to be a number from 1 to 65535.")
        }
        self.port = number
        self.data = data ?? environment["OPENVALET_DATA"] ?? ".openvalet"
        self.logLevel = environment["OPENVALET_LOG_LEVEL"] ?? logLevel
        self.perService = perService
    }
}
