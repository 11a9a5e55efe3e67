import ServiceKit

/// What plates reads besides the common keys.
struct PlatesConfig: Config {
    static let keys: [ConfigKey] = []

    init(_ values: ConfigValues) throws {}
}
