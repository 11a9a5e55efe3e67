import Foundation
import Geo

/// One reading of a phone's position.
public struct PositionBody: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Radius of the 68 % circle.
    public var accuracyMeters: Double?
    /// Clockwise from true north, 0…360.
    public var headingDegrees: Double?
    public var speedMetersPerSecond: Double?
    /// The server's time of receipt when absent.
    public var recordedAt: Date?

    public init(
        latitude: Double, longitude: Double, accuracyMeters: Double? = nil,
        headingDegrees: Double? = nil, speedMetersPerSecond: Double? = nil, recordedAt: Date? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMeters = accuracyMeters
        self.headingDegrees = headingDegrees
        self.speedMetersPerSecond = speedMetersPerSecond
        self.recordedAt = recordedAt
    }

    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

public struct PositionsBody: Codable, Sendable {
    /// Largest number of points in one request.
    public static let most = 200

    public var points: [PositionBody]
    public init(points: [PositionBody]) { self.points = points }
}

public struct PositionsAnswer: Codable, Sendable, Hashable {
    public var accepted: Int
    public var ignored: Int

    public init(accepted: Int, ignored: Int) {
        self.accepted = accepted
        self.ignored = ignored
    }
}

/// Whether a valet can be given a job. `busy` follows from engagements and is never set by hand.
public enum ValetStatus: String, Codable, Sendable, CaseIterable {
    case available, busy, onBreak, offline
}

public struct AvailabilityBody: Codable, Sendable {
    public var status: ValetStatus
    public init(status: ValetStatus) { self.status = status }
}

/// An available valet as any customer may see one: rounded, without identity.
public struct NearbyValet: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    public var etaSeconds: Int

    public init(latitude: Double, longitude: Double, etaSeconds: Int) {
        self.latitude = latitude
        self.longitude = longitude
        self.etaSeconds = etaSeconds
    }
}

/// A position with its age: `isStale` after 60 s without a signal.
public struct TrackedPosition: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    public var headingDegrees: Double?
    public var ageSeconds: Double
    public var isStale: Bool

    public init(
        latitude: Double, longitude: Double, headingDegrees: Double? = nil, ageSeconds: Double,
        isStale: Bool
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.headingDegrees = headingDegrees
        self.ageSeconds = ageSeconds
        self.isStale = isStale
    }
}

/// Answer of `GET /v1/engagements/{id}/track`: by the names that the product gives what it shows; null where nothing is
/// known, or not for who asks.
public struct EngagementTrack: Codable, Sendable, Hashable {
    public var positions: [String: TrackedPosition?]

    public init(_ positions: [String: TrackedPosition?]) { self.positions = positions }

    public init(from decoder: any Decoder) throws {
        positions = try decoder.singleValueContainer().decode([String: TrackedPosition?].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(positions)
    }
}

extension EngagementTrack: Described {
    public static var parts: [any Decodable.Type] { [TrackedPosition.self] }
    public static var schema: JSONValue {
        let position = JSONValue.object([
            "anyOf": [.reference(to: TrackedPosition.self), .schema("null")]
        ])
        return .schema("object", ["additionalProperties": position])
    }
}

/// Gateway to location: positions of several people, gathered for a few milliseconds.
public struct PositionBatch: Codable, Sendable {
    /// Largest number of entries in one call.
    public static let most = 500

    public struct Entry: Codable, Sendable, Hashable {
        public var person: PersonID
        public var role: Role
        public var point: PositionBody
        public var receivedAt: Date

        public init(person: PersonID, role: Role, point: PositionBody, receivedAt: Date) {
            self.person = person
            self.role = role
            self.point = point
            self.receivedAt = receivedAt
        }
    }

    public var entries: [Entry]
    public init(entries: [Entry]) { self.entries = entries }
}

/// Location's answer to a `PositionBatch`: one outcome an entry, in the order of the entries.
public struct PositionBatchAnswer: Codable, Sendable {
    public struct Outcome: Codable, Sendable, Hashable {
        /// False for a point that was kept and marked, but does not count.
        public var accepted: Bool
        /// Set when the point can't be one: the field to name in 422 `location.invalid`.
        public var invalidField: String?
        public var detail: String?

        public init(accepted: Bool, invalidField: String? = nil, detail: String? = nil) {
            self.accepted = accepted
            self.invalidField = invalidField
            self.detail = detail
        }
    }

    public var outcomes: [Outcome]
    public init(outcomes: [Outcome]) { self.outcomes = outcomes }
}

/// Matching to location: the nearest available valets of several points at once.
public struct CandidateQuery: Codable, Sendable {
    public struct Point: Codable, Sendable, Hashable {
        public var engagement: EngagementID
        public var at: Coordinate
        public var radiusMeters: Double

        public init(engagement: EngagementID, at: Coordinate, radiusMeters: Double) {
            self.engagement = engagement
            self.at = at
            self.radiusMeters = radiusMeters
        }
    }

    public var area: ServiceAreaID
    public var points: [Point]
    /// Nearest so many of each point.
    public var limit: Int

    public init(area: ServiceAreaID, points: [Point], limit: Int) {
        self.area = area
        self.points = points
        self.limit = limit
    }
}

public struct CandidateAnswer: Codable, Sendable {
    public struct Candidate: Codable, Sendable, Hashable {
        public var valet: ValetID
        public var at: Coordinate
        public var distanceMeters: Double
        /// Since the valet has had nothing to do.
        public var idleSeconds: Double

        public init(
            valet: ValetID, at: Coordinate, distanceMeters: Double, idleSeconds: Double
        ) {
            self.valet = valet
            self.at = at
            self.distanceMeters = distanceMeters
            self.idleSeconds = idleSeconds
        }
    }

    public struct Found: Codable, Sendable {
        public var engagement: EngagementID
        public var candidates: [Candidate]

        public init(engagement: EngagementID, candidates: [Candidate]) {
            self.engagement = engagement
            self.candidates = candidates
        }
    }

    public var found: [Found]
    public init(found: [Found]) { self.found = found }
}

/// Gateway to location: where are these valets?
public struct WhereaboutsQuery: Codable, Sendable {
    /// Largest number of valets in one call.
    public static let most = 200

    public var valets: [ValetID]
    public init(valets: [ValetID]) { self.valets = valets }
}

/// Location's answer to a `WhereaboutsQuery`; who is not known as a valet is left out.
public struct WhereaboutsAnswer: Codable, Sendable {
    public var items: [ValetWhereabouts]
    public init(items: [ValetWhereabouts]) { self.items = items }
}

/// A valet's whereabouts, by which the gateway completes accounts' list for operators.
public struct ValetWhereabouts: Codable, Sendable, Hashable {
    public var valet: ValetID
    public var status: ValetStatus
    public var position: TrackedPosition?

    public init(valet: ValetID, status: ValetStatus, position: TrackedPosition?) {
        self.valet = valet
        self.status = status
        self.position = position
    }
}

/// Any service to location: where were these people last?
public struct LastPositionsQuery: Codable, Sendable {
    /// Largest number of people in one call.
    public static let most = 200

    public var people: [PersonID]
    public init(people: [PersonID]) { self.people = people }
}

/// Location's answer to a `LastPositionsQuery`; who has no position that counts is left out.
public struct LastPositionsAnswer: Codable, Sendable {
    public var items: [LastPosition]
    public init(items: [LastPosition]) { self.items = items }
}

/// The newest position of somebody that counts, however old.
public struct LastPosition: Codable, Sendable, Hashable {
    public var person: PersonID
    public var latitude: Double
    public var longitude: Double
    /// Radius of the 68 % circle.
    public var accuracyMeters: Double?
    public var recordedAt: Date

    public init(
        person: PersonID, latitude: Double, longitude: Double, accuracyMeters: Double? = nil,
        recordedAt: Date
    ) {
        self.person = person
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMeters = accuracyMeters
        self.recordedAt = recordedAt
    }

    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}
