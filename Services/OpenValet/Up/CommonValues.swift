import ServiceKit

extension ConfigValues {
    /// Some of the settings that every service has, from an environment with others.
    init(common names: [String], in environment: [String: String]) throws {
        let keys = CommonConfig.keys([.redis]).filter { names.contains($0.name) }
        try self.init(
            environment.filter { name, _ in names.contains { name == $0 || name == "\($0)_FILE" } },
            keys: keys)
    }
}
