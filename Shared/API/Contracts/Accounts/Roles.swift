/// A role of an account, from the least privileged to the most: `customer`, `valet`, `operator`.
public enum Role: String, Codable, Sendable, CaseIterable {
    /// Given to everyone who signs up.
    case customer
    /// Granted by an operator.
    case valet
    case `operator`
}

/// A person's roles, at least one; on the wire a list, sorted by name.
public struct Roles: Codable, Sendable, Hashable {
    private let sorted: [Open<Role>]

    /// Nil if there is none.
    private init?(_ roles: some Sequence<Open<Role>>) {
        sorted = Set(roles).sorted { $0.rawValue < $1.rawValue }
        if sorted.isEmpty { return nil }
    }

    public init(_ role: Role) { sorted = [.known(role)] }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let roles = Self(try container.decode([Open<Role>].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no role")
        }
        self = roles
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sorted)
    }

    public func contains(_ role: Role) -> Bool { sorted.contains(.known(role)) }

    public func adding(_ role: Role) -> Roles { Roles(sorted + [.known(role)]) ?? self }

    /// Nil if no role is left.
    public func removing(_ role: Role) -> Roles? { Roles(sorted.filter { $0 != role }) }

    /// The most privileged.
    public var highest: Open<Role> {
        Role.allCases.last(where: contains).map(Open.known) ?? sorted[0]
    }
}

extension Roles: Sequence {
    public func makeIterator() -> [Open<Role>].Iterator { sorted.makeIterator() }
}

extension Roles: ExpressibleByArrayLiteral {
    /// For sets written in the source; an empty one stops the program at once.
    public init(arrayLiteral roles: Role...) {
        precondition(!roles.isEmpty, "no role")
        self = Roles(roles.map(Open.known)) ?? Roles(roles[0])
    }
}

extension Roles: Described {
    public static var schema: JSONValue {
        .schema("array", ["items": .reference(to: Role.self)])
    }
    public static var parts: [any Decodable.Type] { [Role.self] }
    public static var sample: JSONValue { ["customer"] }
}
