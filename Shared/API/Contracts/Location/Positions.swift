import Foundation
import Geo

/// One reading of a phone's position.
public struct PositionBody: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Radius of the 68 % circle, in metres.
    public var accuracyMeters: Double?
    /// Clockwise from true north. Negative if unknown, as iOS reports it.
    public var headingDegrees: Double?
    /// Negative if unknown, as iOS reports it.
    public var speedMetersPerSecond: Double?
    /// Defaults to the time at which the server receives it. A clock that is ahead is corrected by that time.
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

/// Positions that were recorded over some time, in any order.
public struct PositionsBody: Codable, Sendable {
    /// Largest number of points in one request.
    public static let most = 200

    public var points: [PositionBody] { readings.compactMap { try? $0.get() } }
    /// Each element of the list: a point, or why it can't be read.
    public let readings: [Result<PositionBody, DecodingError>]

    public init(points: [PositionBody]) { readings = points.map { .success($0) } }
}

extension PositionsBody {
    private enum CodingKeys: CodingKey { case points }
    /// Takes the place of an element that can't be read.
    private struct Skipped: Decodable { init(from decoder: any Decoder) {} }

    public init(from decoder: any Decoder) throws {
        readings = try Self.readings(of: decoder.container(keyedBy: CodingKeys.self))
    }

    private static func readings(
        of fields: KeyedDecodingContainer<CodingKeys>
    ) throws -> [Result<PositionBody, DecodingError>] {
        do {
            return try fields.decode([PositionBody].self, forKey: .points).map { .success($0) }
        } catch is DecodingError {
            // Found again below, one by one.
        }
        var list = try fields.nestedUnkeyedContainer(forKey: .points)
        var readings: [Result<PositionBody, DecodingError>] = []
        while !list.isAtEnd {
            do {
                readings.append(.success(try list.decode(PositionBody.self)))
            } catch let error as DecodingError {
                readings.append(.failure(error))
                _ = try list.decode(Skipped.self)
            }
        }
        return readings
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(points, forKey: .points)
    }
}

/// How many positions were accepted and how many were ignored.
public struct PositionsAnswer: Codable, Sendable, Hashable {
    /// An impossible position. It is not stored.
    public struct Refused: Codable, Sendable, Hashable {
        /// Path of the invalid field, for example `points[3].latitude`.
        public var field: String
        public var detail: String

        public init(field: String, detail: String) { (self.field, self.detail) = (field, detail) }
    }

    /// Number of positions that count.
    public var accepted: Int
    /// Number of positions that do not count: those in `refused`, and those that are stored with a mark, for example
    /// because they are too old, too inaccurate or repeated.
    public var ignored: Int
    /// Sending these again is pointless.
    public var refused: [Refused]

    public init(accepted: Int, ignored: Int, refused: [Refused] = []) {
        self.accepted = accepted
        self.ignored = ignored
        self.refused = refused
    }
}

/// Whether a valet can be given a job. `busy` follows from the valet's orders and can't be set by
/// hand; `onBreak` means on shift without being offered jobs.
public enum ValetStatus: String, Codable, Sendable, CaseIterable {
    case available, busy, onBreak, offline
}

/// A valet's status. It can be set to `available`, to `onBreak` (on shift, but not offered jobs) or
/// to `offline` (off shift), but not to `busy`.
public struct AvailabilityBody: Codable, Sendable {
    public var status: ValetStatus
    public init(status: ValetStatus) { self.status = status }
}

/// An available valet as any customer may see one: the position is rounded, and nothing identifies
/// the valet.
public struct NearbyValet: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Estimated time to the point of the search.
    public var etaSeconds: Int

    public init(latitude: Double, longitude: Double, etaSeconds: Int) {
        self.latitude = latitude
        self.longitude = longitude
        self.etaSeconds = etaSeconds
    }
}

/// A position with its age.
public struct TrackedPosition: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Clockwise from true north; absent if unknown.
    public var headingDegrees: Double?
    public var ageSeconds: Double
    /// Whether there was no signal for 60 s. The position of a thing that does not move is never
    /// stale.
    ///
    /// The time is the default of `OPENVALET_LOCATION_SILENCE_SECONDS`.
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

/// Positions of an engagement's people and things, by the names that the product gives them. A
/// position is null where it is unknown, or where the reader may not see it.
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

/// Positions of several people, which the gateway collects for a few milliseconds and sends to
/// location.
public struct PositionBatch: Codable, Sendable {
    /// Largest number of entries in one call.
    public static let most = 500

    /// One position of one person.
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

/// Location's answer to a `PositionBatch`: one outcome for each entry, in the same order.
public struct PositionBatchAnswer: Codable, Sendable {
    /// The outcome for one position.
    public struct Outcome: Codable, Sendable, Hashable {
        /// False for a point that is stored with a mark but does not count.
        public var accepted: Bool
        /// The field to name in 422 `location.invalid`, if the point is invalid.
        public var invalidField: String?
        public var detail: String?

        public init(accepted: Bool, invalidField: String? = nil, detail: String? = nil) {
            self.accepted = accepted
            self.invalidField = invalidField
            self.detail = detail
        }

        /// Why the point is refused; nil if it is valid. The path of its fields begins with `prefix`.
        public func refusal(prefix: String = "") -> Refusal? {
            invalidField.map {
                .positionInvalid(prefix + $0, detail ?? Refusal.positionInvalid.problem.title)
            }
        }
    }

    public var outcomes: [Outcome]
    public init(outcomes: [Outcome]) { self.outcomes = outcomes }
}

/// Matching's question to location: the nearest available valets of several points at once.
public struct CandidateQuery: Codable, Sendable {
    /// A point at which an engagement needs a valet.
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
    /// Largest number of valets for each point; the nearest are chosen.
    public var limit: Int

    public init(area: ServiceAreaID, points: [Point], limit: Int) {
        self.area = area
        self.points = points
        self.limit = limit
    }
}

/// Location's answer to a `CandidateQuery`.
public struct CandidateAnswer: Codable, Sendable {
    /// An available valet near one of the points.
    public struct Candidate: Codable, Sendable, Hashable {
        public var valet: ValetID
        public var at: Coordinate
        public var distanceMeters: Double
        /// Time since the valet last had a job.
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

    /// The valets found for one engagement.
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

/// The gateway's question to location: where are these valets?
public struct WhereaboutsQuery: Codable, Sendable {
    /// Largest number of valets in one call.
    public static let most = 200

    public var valets: [ValetID]
    public init(valets: [ValetID]) { self.valets = valets }
}

/// Location's answer to a `WhereaboutsQuery`. People who aren't known as valets are left out.
public struct WhereaboutsAnswer: Codable, Sendable {
    public var items: [ValetWhereabouts]
    public init(items: [ValetWhereabouts]) { self.items = items }
}

/// A valet's status and position, with which the gateway completes the operators' list of accounts.
public struct ValetWhereabouts: Codable, Sendable, Hashable {
    public var valet: ValetID
    public var status: Open<ValetStatus>
    public var position: TrackedPosition?

    public init(valet: ValetID, status: ValetStatus, position: TrackedPosition?) {
        self.valet = valet
        self.status = .known(status)
        self.position = position
    }
}

/// Any service's question to location: where were these people last?
public struct LastPositionsQuery: Codable, Sendable {
    /// Largest number of people in one call.
    public static let most = 200

    public var people: [PersonID]
    public init(people: [PersonID]) { self.people = people }
}

/// Location's answer to a `LastPositionsQuery`. People without a valid position are left out.
public struct LastPositionsAnswer: Codable, Sendable {
    public var items: [LastPosition]
    public init(items: [LastPosition]) { self.items = items }
}

/// A person's newest valid position, however old.
public struct LastPosition: Codable, Sendable, Hashable {
    public var person: PersonID
    public var latitude: Double
    public var longitude: Double
    /// Radius of the 68 % circle, in metres.
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
