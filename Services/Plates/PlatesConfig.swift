import Contracts
import Foundation
import ServiceKit

/// What plates reads besides the common keys.
struct PlatesConfig: Config {
    static let service = ServiceManifest.plates

    static let keys: [ConfigKey] =
        [
            ConfigKey(
                "OPENVALET_PLATES_ALPR_URL",
                "An OpenALPR-style recogniser, as https://api.openalpr.com; /v3/recognize_bytes is "
                    + "called below it."),
            ConfigKey(
                "OPENVALET_PLATES_ALPR_KEY", secret: true, "The recogniser's secret_key."),
            ConfigKey(
                "OPENVALET_PLATES_ALPR_COUNTRY", default: "gb",
                "Whose plates to expect, by the recogniser's code: that whose plates look alike."
            ),
        ] + BlobsConfig.keys

    let alpr: AlprSettings
    let blobs: BlobsConfig

    init(_ values: ConfigValues) throws {
        alpr = AlprSettings(
            url: try values.url("OPENVALET_PLATES_ALPR_URL"),
            key: try values.string("OPENVALET_PLATES_ALPR_KEY"),
            country: try values.string("OPENVALET_PLATES_ALPR_COUNTRY"))
        blobs = try BlobsConfig(values)
    }
}
