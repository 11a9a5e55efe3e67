/// A kind of thing that its owner can tell whole at any age: an event has its present value, and the newest version
/// replaces all others.
public enum StateKind: String, Codable, Sendable, CaseIterable {
    case areas
    /// Accounts, including those that are deleted.
    case people
    case vehicles, blocks
    /// Engagements that are open.
    case engagements
    /// Bills of which something may still be due.
    case bills
    /// The last availability of valets who are on shift, which orders keeps for location.
    case shifts
    /// Orders whose vehicle is parked, for the spaces that valets use in car parks.
    case parkedVehicles

    /// Whether a replay publishes it. The events of others have more meanings than the present state, so they are told
    /// to the service that asks, and to nobody else.
    public var isPublished: Bool { ![.shifts, .parkedVehicles].contains(self) }
}

/// Things of which owners and copies count the same: a kind, or the part of it that some services copy.
public enum StateSet: String, Codable, Sendable, CaseIterable {
    case areas, people, valets, deletedPeople, vehicles, blocks, engagements
    /// All bills that ever were: payments keeps them, and so do their products.
    case bills
    /// Valets who are on shift.
    case shifts
    /// Orders whose vehicle is parked in one of our car parks.
    case parkedVehicles

    /// The kind that has these things.
    public var kind: StateKind {
        switch self {
        case .areas: .areas
        case .people, .valets, .deletedPeople: .people
        case .vehicles: .vehicles
        case .blocks: .blocks
        case .engagements: .engagements
        case .bills: .bills
        case .shifts: .shifts
        case .parkedVehicles: .parkedVehicles
        }
    }

    /// Whether an owner and a whole copy have the same versions. Others count changes that nobody is told.
    public var hasVersions: Bool {
        switch self {
        case .areas, .people, .valets, .vehicles: true
        case .deletedPeople, .blocks, .engagements, .bills, .shifts, .parkedVehicles: false
        }
    }
}

/// A thing in a set.
public struct StateMark: Sendable, Hashable {
    public let set: StateSet
    public let id: String
    public let version: Int

    public init(_ set: StateSet, _ id: some CustomStringConvertible, version: Int) {
        (self.set, self.id, self.version) = (set, id.description, version)
    }
}

/// An event with the whole present value of a thing. Its owner can publish it again at any age; readers ignore a
/// version that they have.
public protocol StateEvent: Event {
    /// The thing in each set to which it belongs; none if nobody's copy of it can be compared.
    var marks: [StateMark] { get }
}

/// `?kind=&after=`
public struct StateQuery: Query {
    public var kind: StateKind
    public var after: String?

    public init(_ kind: StateKind, after: String? = nil) { (self.kind, self.after) = (kind, after) }

    public static let fields: [String: QueryField] = [
        "kind": "Return things of this kind.",
        "after": "The `next` of the page before.",
    ]
}

extension StateKind {
    /// The events that tell things of this kind.
    public var events: [any StateEvent.Type] {
        switch self {
        case .areas: [ServiceAreaChanged.self]
        case .people: [AccountChanged.self, AccountDeleted.self]
        case .vehicles: [VehicleChanged.self]
        case .blocks: [PersonBlocked.self]
        case .engagements: [EngagementChanged.self]
        case .bills: [BillChanged.self]
        case .shifts: [AvailabilityChanged.self]
        case .parkedVehicles: [VehicleParked.self]
        }
    }
}

/// An event as a service tells it on request, with its body as JSON.
public struct ToldEvent: Codable, Sendable, Hashable {
    public var type: String
    public var key: String
    public var body: String

    public init(type: String, key: String, body: String) {
        (self.type, self.key, self.body) = (type, key, body)
    }

    public init(_ event: some Event) throws {
        (type, key) = (Swift.type(of: event).type, event.key)
        body = try Wire.json(event)
    }
}

/// The number of things of a set at one service, and a digest of their ids and versions in any order.
public struct StateCount: Codable, Sendable, Hashable {
    public var set: Open<StateSet>
    public var count: Int
    /// 16 hexadecimal digits. Digests of parts of a set combine by exclusive or.
    public var digest: String
    /// What the copies are for, if the service has several of the set; absent for its first.
    public var use: String?

    public init(_ set: StateSet, count: Int, digest: String, use: String? = nil) {
        (self.set, self.count, self.digest, self.use) = (.known(set), count, digest, use)
    }

    /// Whether it counts the same things in the same versions.
    public func counts(theSameAs other: StateCount) -> Bool {
        (set, count, digest) == (other.set, other.count, other.digest)
    }
}

/// What a service owns, and what it has copies of.
public struct StateReport: Codable, Sendable, Hashable {
    public var owned: [StateCount]
    public var copied: [StateCount]

    public init(owned: [StateCount], copied: [StateCount]) {
        (self.owned, self.copied) = (owned, copied)
    }
}
