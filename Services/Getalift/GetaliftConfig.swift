import Contracts
import Foundation
import ServiceKit

/// The settings of getalift.
struct GetaliftConfig: Config {
    static let service = ServiceManifest.getalift

    static let keys = [
        ConfigKey("OPENVALET_GATEWAY_URL", "Address of the gateway, whose API getalift calls."),
        ConfigKey(
            "OPENVALET_GETALIFT_TIME_ZONE", default: "Europe/Malta",
            "IANA time zone of dates in the apps, which have no offset."),
        ConfigKey(
            "OPENVALET_GETALIFT_COUNTRY_CODE", default: "356",
            "Country code of phone numbers of eight digits without one."),
    ]

    let gatewayURL: URL
    let clocks: WallClock
    let countryCode: String

    init(_ values: ConfigValues) throws {
        gatewayURL = try values.url("OPENVALET_GATEWAY_URL")
        guard let zone = TimeZone(identifier: try values.string("OPENVALET_GETALIFT_TIME_ZONE"))
        else { throw ConfigError("OPENVALET_GETALIFT_TIME_ZONE is not an IANA name") }
        clocks = WallClock(zone)
        countryCode = try values.string("OPENVALET_GETALIFT_COUNTRY_CODE")
        guard (1...3).contains(countryCode.utf8.count),
            countryCode.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw ConfigError("OPENVALET_GETALIFT_COUNTRY_CODE is not a country code") }
    }
}
