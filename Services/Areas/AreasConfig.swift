import Contracts
import ServiceKit

/// Areas has the common settings only.
struct AreasConfig: Config {
    static let service = ServiceManifest.areas

    static let keys: [ConfigKey] = []

    init(_ values: ConfigValues) throws {}
}
