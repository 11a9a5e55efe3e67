import Contracts
import ServiceKit

/// Ratings reads the common keys only.
struct RatingsConfig: Config {
    static let service = ServiceManifest.ratings

    static let keys: [ConfigKey] = []

    init(_ values: ConfigValues) throws {}
}
