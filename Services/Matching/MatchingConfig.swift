import Contracts
import Foundation
import Routing
import ServiceKit

/// The settings of matching.
struct MatchingConfig: Config {
    static let service = ServiceManifest.matching

    /// Orders asks again after a minute without an answer; patience must end well before that.
    static let longestPatienceSeconds = 45.0
    static let longestWindowSeconds = 10.0

    static let keys: [ConfigKey] =
        [
            ConfigKey("OPENVALET_LOCATION_URL", "Address of the location service."),
            ConfigKey(
                "OPENVALET_MATCHING_PATIENCE_SECONDS", default: "20",
                "How long to look for a valet before giving up, 0 to 45; 0 gives up at once."),
            ConfigKey(
                "OPENVALET_MATCHING_WINDOW_SECONDS", default: "2",
                "How long to collect requests that compete for valets, 0 to 10."),
        ] + RouterConfig.keys + MapsConfig.keys

    let locationURL: URL
    let rules: MatchingRules
    let router: RouterConfig

    init(_ values: ConfigValues) throws {
        locationURL = try values.url("OPENVALET_LOCATION_URL")
        rules = MatchingRules(
            patienceSeconds: try values.double(
                "OPENVALET_MATCHING_PATIENCE_SECONDS", in: 0...Self.longestPatienceSeconds),
            windowSeconds: try values.double(
                "OPENVALET_MATCHING_WINDOW_SECONDS", in: 0...Self.longestWindowSeconds))
        router = try RouterConfig(values)
    }
}
