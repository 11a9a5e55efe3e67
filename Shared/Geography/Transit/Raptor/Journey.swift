import Foundation
import Geo

/// A journey by public transport, from door to door.
public struct Journey: Sendable, Hashable {
    public let legs: [JourneyLeg]
    public let departsAt: Date
    public let arrivesAt: Date

    public var rides: [JourneyRide] {
        legs.compactMap { if case .ride(let ride) = $0 { ride } else { nil } }
    }

    /// Without those at which passengers stay seated.
    public var transfers: Int { rides.count { !$0.isSeated } - 1 }
    public var seconds: Int { Int(arrivesAt.timeIntervalSince(departsAt)) }
}

public enum JourneyLeg: Sendable, Hashable {
    case walk(JourneyWalk)
    case ride(JourneyRide)

    /// Whether passengers stay seated from the leg before it.
    public var isSeated: Bool {
        if case .ride(let ride) = self { ride.isSeated } else { false }
    }
}

/// A walk to or from a stop, or between two.
public struct JourneyWalk: Sendable, Hashable {
    /// Indices in the timetable; nil at the ends, which the caller knows.
    public let from: Int?
    public let to: Int?
    public let departsAt: Date
    public let arrivesAt: Date
}

/// A ride in one vehicle.
public struct JourneyRide: Sendable, Hashable {
    public struct Call: Sendable, Hashable {
        /// Its index in the timetable.
        public let stop: Int
        public let name: String
        public let at: Coordinate
        public let platformCode: String
        public let arrivesAt: Date
        public let departsAt: Date
    }

    public struct Line: Sendable, Hashable {
        public let routeID: String
        public let shortName: String
        public let longName: String
        /// Six hexadecimal digits, or empty.
        public let color: String
        public let agency: String
        public let mode: TransitMode
    }

    public let feed: Int
    public let tripID: String
    /// The day of service of the trip.
    public let day: ServiceDay
    public let line: Line
    public let headsign: String
    /// From boarding to alighting.
    public let calls: [Call]
    public let geometry: [Coordinate]
    public let wheelchair: Feed.Wheelchair
    /// Whether its times come from realtime data rather than the timetable.
    public let isRealtime: Bool
    /// Whether passengers stay seated from the ride before it, since the same vehicle goes on as another trip.
    public let isSeated: Bool

    public var departsAt: Date { calls[0].departsAt }
    public var arrivesAt: Date { calls[calls.count - 1].arrivesAt }
}
