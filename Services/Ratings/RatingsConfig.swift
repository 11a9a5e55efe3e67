import Contracts
import ServiceKit

/// Ratings has the common settings only.
struct RatingsConfig: Config {
    static let service = ServiceManifest.ratings

    static let keys: [ConfigKey] = []

    init(_ values: ConfigValues) throws {}
}
