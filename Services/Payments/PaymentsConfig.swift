import ServiceKit

/// Payments reads only what every service reads; the stub is the one provider there is so far.
struct PaymentsConfig: Config {
    static let keys: [ConfigKey] = []

    init(_ values: ConfigValues) throws {}
}
