/// What an account is for, from the least privileged to the most.
public enum Role: String, Codable, Sendable, CaseIterable {
    /// Whoever signs up.
    case customer
    /// Granted by an operator.
    case valet
    case `operator`
}

/// All that somebody is at once; never nothing. On the wire a list, sorted by name.
public struct Roles: Codable, Sendable, Hashable {
    private let sorted: [Open<Role>]

    /// Nil for nothing.
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

    /// Nil when nothing is left.
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
    /// For sets that stand in the source; an empty one stops the program at once.
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
