import Contracts
import Foundation
import ServiceKit

/// Every key that getalift reads.
struct GetaliftConfig: Config {
    static let service = ServiceManifest.getalift

    static let keys = [
        ConfigKey("OPENVALET_GATEWAY_URL", "Where the gateway is, whose API it asks."),
        ConfigKey(
            "OPENVALET_GETALIFT_TIME_ZONE", default: "Europe/Malta",
            "IANA name of the clocks that its apps' dates are of: they have no offset."),
        ConfigKey(
            "OPENVALET_GETALIFT_COUNTRY_CODE", default: "356",
            "Of phone numbers of eight digits that come without one."),
    ]

    let gatewayURL: URL
    let clocks: WallClock
    let countryCode: String

    init(_ values: ConfigValues) throws {
        gatewayURL = try values.url("OPENVALET_GATEWAY_URL")
        guard let zone = TimeZone(identifier: try values.string("OPENVALET_GETALIFT_TIME_ZONE"))
        else { throw ConfigError("OPENVALET_GETALIFT_TIME_ZONE is no IANA name") }
        clocks = WallClock(zone)
        countryCode = try values.string("OPENVALET_GETALIFT_COUNTRY_CODE")
        guard (1...3).contains(countryCode.utf8.count),
            countryCode.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw ConfigError("OPENVALET_GETALIFT_COUNTRY_CODE is no country code") }
    }
}
