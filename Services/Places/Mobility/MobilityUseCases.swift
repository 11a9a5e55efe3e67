import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

let mobilities = SettingTable<PersonID, Mobility>("mobility", of: "person", usual: Mobility())

/// How people travel, and how far.
struct MobilityUseCases: Sendable {
    static let migration = Migration(
        "mobility-1",
        """
        CREATE TABLE mobility (
            person TEXT NOT NULL PRIMARY KEY,
            body TEXT NOT NULL)
        """)

    let database: Database

    /// The person's mobility; the default if they never set it or are not signed in.
    func mobility(of person: PersonID?) async throws -> Mobility {
        guard let person else { return Mobility() }
        return try await database.read { try mobilities.value(of: person, in: $0) }
    }

    func put(_ given: Mobility, of person: PersonID) async throws -> Mobility {
        let mobility = try MobilityRules.checked(given)
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            try mobilities.put(mobility, of: person, in: transaction)
            return mobility
        }
    }

    /// Stores each valid field and reports each invalid one; throws if no field is valid.
    func change(_ given: MobilityChange, of person: PersonID) async throws -> MobilityChanged {
        guard !given.fields.isEmpty else {
            throw Refusal.invalid(nil, "Send at least one field.")
        }
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var mobility = try mobilities.value(of: person, in: transaction)
            var refused: [WrongField] = []
            for (name, value) in given.fields.sorted(by: { $0.key < $1.key }) {
                do {
                    mobility = try MobilityRules.changed(mobility, name, to: value)
                } catch let error as Refusal where Refusal.invalid ~= error {
                    let problem = error.problem
                    refused.append(
                        .init(field: problem.field ?? name, detail: problem.detail ?? problem.title)
                    )
                }
            }
            guard refused.count < given.fields.count else {
                throw Refusal.invalid(refused[0], among: refused)
            }
            try mobilities.put(mobility, of: person, in: transaction)
            return MobilityChanged(mobility: mobility, refused: refused)
        }
    }
}

/// The checks of a mobility.
enum MobilityRules {
    static let mostPasses = 20
    static let mostStops = 200
    static let walk = 0...20_000
    static let seconds = 60...7_200
    static let meters = 50...100_000
    static let radius = 100...50_000

    static func checked(_ given: Mobility) throws -> Mobility {
        var mobility = given
        guard !mobility.modes.set.isEmpty else {
            throw Refusal.invalid("modes", "Choose at least one way to travel.")
        }
        mobility.passes = try texts(given.passes, "passes", most: mostPasses)
        mobility.stops = try texts(given.stops, "stops", most: mostStops)
        _ = try Check.int(given.maxWalkMeters, "maxWalkMeters", in: walk)
        _ = try Check.int(given.maxSeconds, "maxSeconds", in: seconds)
        _ = try Check.int(given.maxMeters, "maxMeters", in: meters)
        _ = try Check.int(given.radiusMeters, "radiusMeters", in: radius)
        mobility.home = try given.home.map { try Check.place($0, "home") }
        return mobility
    }

    private static func texts(_ given: [String]?, _ field: String, most: Int) throws -> [String]? {
        guard let given else { return nil }
        guard given.count <= most else { throw Refusal.invalid(field, "Enter at most \(most).") }
        return try given.enumerated().map { index, text in
            try Check.text(text, "\(field)[\(index)]", 1...100)
        }
    }

    /// Changes one field; of `modes`, only the named ones.
    static func changed(
        _ mobility: Mobility, _ name: String, to value: JSONValue
    ) throws -> Mobility {
        var fields: [String: JSONValue] = try JSONValue(of: mobility).decoded()
        guard Self.names.contains(name) else {
            throw Refusal.invalid(name, "There is no such field.")
        }
        if case .object(let modes)? = fields["modes"], name == "modes",
            case .object(let given) = value
        {
            guard given.keys.allSatisfy({ MobilityMode(rawValue: $0) != nil }) else {
                throw Refusal.invalid("modes", "Use only \(MobilityMode.names).")
            }
            fields[name] = .object(modes.merging(given) { $1 })
        } else {
            fields[name] = value == .null ? nil : value
        }
        guard let given = try? JSONValue.object(fields).decoded(as: Mobility.self) else {
            throw Refusal.invalid(name, "This value has the wrong type.")
        }
        return try checked(given)
    }

    private static let names: Set<String> = [
        "modes", "passes", "maxWalkMeters", "stops", "acceptsStampsOnly", "maxSeconds",
        "maxMeters", "radiusMeters", "home",
    ]
}

extension MobilityMode {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
