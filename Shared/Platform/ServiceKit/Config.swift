import Configuration
import Contracts
import EventBus
import Foundation

/// A setting that a service reads from its environment.
public struct ConfigKey: Sendable, Hashable {
    public let name: String
    /// The default; nil if the operator must give a value.
    public let standard: String?
    /// Never printed; may also be given as a file, `<name>_FILE`.
    public let isSecret: Bool
    /// Whether an empty value is a value; otherwise it means the default.
    public let mayBeEmpty: Bool
    /// A sentence for `--help`.
    public let meaning: String

    public init(
        _ name: String, default standard: String? = nil, secret: Bool = false,
        mayBeEmpty: Bool = false, _ meaning: String
    ) {
        self.name = name
        self.standard = standard
        self.isSecret = secret
        self.mayBeEmpty = mayBeEmpty
        self.meaning = meaning
    }

    /// A setting of debug builds only; a release build refuses it like any unknown setting.
    public static func forTests(
        _ name: String, default standard: String, _ meaning: String
    ) -> ConfigKey? {
        #if DEBUG
        ConfigKey(name, default: standard, "For tests: " + meaning)
        #else
        nil
        #endif
    }
}

/// A service's configuration: its settings with defaults and meanings.
public protocol Config: Sendable {
    static var service: ServiceManifest { get }
    /// The service's own settings.
    static var keys: [ConfigKey] { get }
    init(_ values: ConfigValues) throws
}

extension Config {
    /// The service's own settings and those that all services share.
    public static var allKeys: [ConfigKey] { CommonConfig.keys(service.parts) + keys }
}

/// Why a service does not start.
public struct ConfigError: Loggable, CustomStringConvertible, Equatable {
    public let description: String
    public init(_ description: String) { self.description = description }
}

/// Values from the environment, checked against the settings that the service has.
public struct ConfigValues: Sendable {
    /// Prefix of all our settings; an unknown one stops the start.
    public static let prefix = "OPENVALET_"

    private let keys: [String: ConfigKey]
    private let values: [String: String]
    private let reader: ConfigReader

    public init(_ environment: [String: String], keys: [ConfigKey]) throws {
        self.keys = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
        var values: [String: String] = [:]
        for (name, value) in environment where name.hasPrefix(Self.prefix) || self.keys[name] != nil
        {
            if self.keys[name] != nil {
                values[name] = value
            } else if let secret = Self.secret(of: name, in: self.keys) {
                values[secret] = try Self.content(of: value, for: name)
            } else {
                throw ConfigError("\(name) is not a setting of this service (see --help)")
            }
        }
        for key in keys where values[key.name, default: ""].isEmpty {
            if key.mayBeEmpty, values[key.name] != nil { continue }
            guard let standard = key.standard else {
                throw ConfigError("\(key.name) is missing: \(key.meaning)")
            }
            values[key.name] = standard
        }
        self.values = values
        let secrets = Set(keys.filter(\.isSecret).map(\.name))
        reader = ConfigReader(
            provider: EnvironmentVariablesProvider(
                environmentVariables: values, secretsSpecifier: .specific(secrets)))
    }

    private static func secret(of name: String, in keys: [String: ConfigKey]) -> String? {
        guard name.hasSuffix("_FILE") else { return nil }
        let secret = String(name.dropLast(5))
        return keys[secret]?.isSecret == true ? secret : nil
    }

    private static func content(of path: String, for name: String) throws -> String {
        guard let content = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ConfigError("\(name) names a file that can't be read")
        }
        return content.trimmingCharacters(in: .newlines)
    }

    private func path(_ name: String) throws -> Configuration.ConfigKey {
        guard keys[name] != nil else { throw ConfigError("\(name) is read but not declared") }
        return Configuration.ConfigKey(name.lowercased().split(separator: "_").map(String.init))
    }

    public func string(_ name: String) throws -> String {
        try reader.requiredString(forKey: path(name), isSecret: keys[name]?.isSecret ?? false)
    }

    /// Nil if the value is empty, for settings that are not set by default.
    public func optional(_ name: String) throws -> String? {
        _ = try path(name)
        return values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `yes` or `no`.
    public func bool(_ name: String) throws -> Bool {
        switch try string(name) {
        case "yes": true
        case "no": false
        default: throw ConfigError("\(name) has to be yes or no")
        }
    }

    public func int(_ name: String, in range: ClosedRange<Int>) throws -> Int {
        let value = try? reader.requiredInt(forKey: path(name))
        guard let value, range.contains(value) else {
            throw ConfigError("\(name) is not a whole number in \(range)")
        }
        return value
    }

    public func double(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        let value = try? reader.requiredDouble(forKey: path(name))
        guard let value, range.contains(value) else {
            throw ConfigError("\(name) is not a number in \(range)")
        }
        return value
    }

    /// A number of seconds, possibly fractional.
    public func seconds(
        _ name: String, in range: ClosedRange<Double> = 0...31_536_000
    ) throws -> Duration {
        .seconds(try double(name, in: range))
    }

    public func url(_ name: String) throws -> URL {
        let text = try string(name)
        guard let url = URL(string: text), let scheme = url.scheme, url.host != nil,
            ["http", "https"].contains(scheme)
        else { throw ConfigError("\(name) is not an http or https address") }
        return url
    }
}

/// Another service and its address.
public struct ServiceAddress: Sendable, Hashable {
    public let service: String
    public let url: URL

    public init(service: String, url: URL) {
        self.service = service
        self.url = url
    }
}

extension ConfigValues {
    /// Reads `orders=http://orders:8080`, several separated by commas; none without a value.
    public func services(_ key: String) throws -> [ServiceAddress] {
        try (optional(key) ?? "").split(separator: ",").map { part in
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let url = URL(string: String(pair[1])),
                ["http", "https"].contains(url.scheme), url.host != nil
            else { throw ConfigError("\(key) has to look like orders=http://orders:8080") }
            return ServiceAddress(service: String(pair[0]), url: url)
        }
    }
}
