import ArgumentParser
import Contracts
import Foundation
import ServiceKit
import Store

/// The settings of `openvalet up`, from its environment and options.
struct UpSettings {
    let port: Int
    /// Port for the apps of GetALift; nil: the one that is built into them, if it is free.
    let getaliftPort: Int?
    let data: String
    let logLevel: String
    /// Settings of each service, by its name.
    let perService: [String: [String: String]]
    /// Whether to add a simulated city.
    let isDemo: Bool
    /// The clock, which the services have, too.
    let clock: ServiceClock
    /// Nil when it is not installed.
    let valhalla: ValhallaPrograms?

    /// Read by `up` itself, or by `UpSecrets`.
    private static let own: Set<String> = [
        "OPENVALET_PORT", "OPENVALET_DATA", ServiceUser.key, "OPENVALET_LOG_LEVEL",
        "OPENVALET_SERVICE_SECRET",
        "OPENVALET_SERVICE_SECRET_FILE", "OPENVALET_OPERATOR_PHONE",
        "OPENVALET_OPERATOR_PASSWORD", "OPENVALET_OPERATOR_PASSWORD_FILE", ValhallaPrograms.key,
        Self.getaliftPortKey,
    ]
    private static let getaliftPortKey = "OPENVALET_GETALIFT_PORT"
    /// Settings that `up` chooses for its services and for the stub of a recogniser.
    private static let chosen: Set<String> = Set([
        "OPENVALET_HOST", "OPENVALET_KAFKA_SHARE", "OPENVALET_KAFKA_INSTANCE",
        "OPENVALET_SUPERVISED", "OPENVALET_ALPR_STUB_KEY", "OPENVALET_ALPR_STUB_KEY_FILE",
    ]).union(allServices.flatMap { $0.addresses { _ in "" }.keys }.filter { $0.hasSuffix("_URL") })
    /// The setting without which a stub of a recogniser is started.
    private static let recogniser = "OPENVALET_PLATES_ALPR_URL"
    private static let databaseKey = "OPENVALET_DATABASE"

    /// Whether the stub replaces a recogniser of plates.
    var needsRecogniserStub: Bool { perService["plates"]?[Self.recogniser] == nil }

    init(
        _ environment: [String: String], port: Int?, data: String?, database: String? = nil,
        logLevel: String, isDemo: Bool = false
    ) throws {
        var perService: [String: [String: String]] = [:]
        for (name, value) in environment where name.hasPrefix(ConfigValues.prefix) {
            guard !Self.own.contains(name) else { continue }
            for service in try Self.readers(of: name) {
                perService[service, default: [:]][name] = value
            }
        }
        if let database {
            for service in allServices.map(\.name) {
                perService[service, default: [:]][Self.databaseKey] = try Self.checked(database)
                perService[service]?["\(Self.databaseKey)_FILE"] = nil
            }
        }
        let text = environment["OPENVALET_PORT"] ?? "8080"
        guard let number = port ?? Int(text), (1...65_535).contains(number) else {
            throw ValidationError("The port has to be a number from 1 to 65535.")
        }
        self.port = number
        getaliftPort = try environment[Self.getaliftPortKey].map { text in
            guard let number = Int(text), (1...65_535).contains(number) else {
                throw ValidationError("\(Self.getaliftPortKey) has to be from 1 to 65535.")
            }
            return number
        }
        self.data = data ?? environment["OPENVALET_DATA"] ?? ".openvalet"
        self.logLevel = environment["OPENVALET_LOG_LEVEL"] ?? logLevel
        if isDemo {
            perService["gateway", default: [:]].merge(Demo.gatewaySettings) { given, _ in given }
        }
        self.perService = perService
        self.isDemo = isDemo
        clock = try .configured { environment[$0] }
        valhalla = ValhallaPrograms(environment)
    }

    /// The environment without empty values. They stand for the default, as in the services, unless a setting may be
    /// empty.
    static func given(_ environment: [String: String]) -> [String: String] {
        let mayBeEmpty = ServiceCommand.programs.flatMap(\.keys).filter(\.mayBeEmpty).map(\.name)
        return environment.filter { name, value in !value.isEmpty || mayBeEmpty.contains(name) }
    }

    /// The services whose `--help` names the setting. Throws if there are none, or if `up` chooses the value.
    private static func readers(of name: String) throws -> [String] {
        guard !chosen.contains(name) else {
            throw ValidationError("\(name) is chosen by openvalet up itself.")
        }
        let readers = ServiceCommand.programs.filter { program in
            program.keys.contains { name == $0.name || $0.isSecret && name == "\($0.name)_FILE" }
        }
        guard !readers.isEmpty else {
            let meant = Self.nearest(to: name).map { "Did you mean \($0)?" } ?? "See --help."
            throw ValidationError("\(name) is not a setting of openvalet up. \(meant)")
        }
        return readers.map(\.service.name)
    }

    /// Most missing or extra characters of a name that counts as misspelt; a wrong character counts twice.
    private static let mostEdits = 3

    /// The setting for which the name is probably a misspelling.
    private static func nearest(to name: String) -> String? {
        let known = own.union(ServiceCommand.programs.flatMap(\.keys).map(\.name))
            .subtracting(chosen)
        return known.map { (name: $0, edits: $0.difference(from: name).count) }
            .filter { $0.edits <= mostEdits }
            .min { ($0.edits, $0.name) < ($1.edits, $1.name) }?.name
    }

    /// Throws unless this is an address of PostgreSQL without a password: everybody on the machine sees arguments.
    private static func checked(_ database: String) throws -> String {
        guard let address = PostgresAddress(database) else {
            throw ValidationError("--database has to be a postgres:// address.")
        }
        guard !address.hasPassword else {
            throw ValidationError(
                "--database can't have a password, which others could see. Set \(databaseKey) or "
                    + "\(databaseKey)_FILE instead.")
        }
        return database
    }
}
