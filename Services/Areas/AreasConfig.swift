import Contracts
import ServiceKit

/// Areas reads the common keys only.
struct AreasConfig: Config {
    static let service = ServiceManifest.areas

    static let keys: [ConfigKey] = []

    init(_ values: ConfigValues) throws {}
}
