import Contracts
import Foundation
import ServiceKit

/// The settings of plates.
struct PlatesConfig: Config {
    static let service = ServiceManifest.plates

    static let keys: [ConfigKey] =
        [
            ConfigKey(
                "OPENVALET_PLATES_ALPR_URL",
                "OpenALPR-style recogniser, for example https://api.openalpr.com; plates calls its "
                    + "/v3/recognize_bytes."),
            ConfigKey(
                "OPENVALET_PLATES_ALPR_KEY", secret: true, "The recogniser's secret_key."),
            ConfigKey(
                "OPENVALET_PLATES_ALPR_COUNTRY", default: "gb",
                "The recogniser's code of the country whose plates to expect, or of one with similar plates."
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
