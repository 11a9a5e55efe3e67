import Foundation

/// A walk between the caller's place and a stop.
public struct StopAccess: Sendable, Hashable {
    /// Its index in the timetable.
    public var stop: Int
    public var seconds: Int

    public init(stop: Int, seconds: Int) {
        (self.stop, self.seconds) = (stop, seconds)
    }
}

/// Which modes may be used, and the maximum number of changes.
public struct RideRules: Sendable, Hashable {
    public static let mostTransfers = 15

    /// Nil if all modes are allowed.
    public var modes: Set<TransitMode>?
    public var maxTransfers: Int
    /// Only trips and stops that the feed marks as accessible by wheelchair.
    public var onlyWheelchair: Bool

    public init(
        modes: Set<TransitMode>? = nil, maxTransfers: Int = 5, onlyWheelchair: Bool = false
    ) {
        self.modes = modes
        self.maxTransfers = min(max(maxTransfers, 0), Self.mostTransfers)
        self.onlyWheelchair = onlyWheelchair
    }

    var rounds: Int { maxTransfers + 1 }
}

/// A search for journeys with at least one ride.
public struct TransitQuery: Sendable {
    public enum Time: Sendable, Hashable {
        case departAt(Date)
        case arriveBy(Date)
    }

    /// One week, so that every search ends.
    public static let mostSeconds = 604_800

    /// Walks from the start.
    public var access: [StopAccess]
    /// Walks to the destination.
    public var egress: [StopAccess]
    public var time: Time
    /// From `departAt` to the latest arrival, or from the earliest departure to `arriveBy`.
    public var maxSeconds: Int
    public var rules: RideRules

    public init(
        access: [StopAccess], egress: [StopAccess], time: Time, maxSeconds: Int = 86_400,
        rules: RideRules = RideRules()
    ) {
        (self.access, self.egress, self.time, self.rules) = (access, egress, time, rules)
        self.maxSeconds = min(max(maxSeconds, 0), Self.mostSeconds)
    }
}

/// A search for all stops that can be reached from a place.
public struct ReachQuery: Sendable {
    public var access: [StopAccess]
    public var departAt: Date
    public var maxSeconds: Int
    public var rules: RideRules

    public init(
        access: [StopAccess], departAt: Date, maxSeconds: Int, rules: RideRules = RideRules()
    ) {
        (self.access, self.departAt, self.rules) = (access, departAt, rules)
        self.maxSeconds = min(max(maxSeconds, 0), TransitQuery.mostSeconds)
    }
}

/// The earliest arrival at a stop.
public struct StopReach: Sendable, Hashable {
    public let stop: Int
    /// From `departAt` to the earliest arrival there.
    public let seconds: Int
    /// The fewest changes for that arrival.
    public let transfers: Int
    /// The stop of the first boarding.
    public let start: Int
    /// Metres from there: rides by straight lines from stop to stop, and the changes between them.
    public let meters: Double
}
