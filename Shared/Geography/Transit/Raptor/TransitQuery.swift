import Foundation

/// A walk between where somebody is and a stop.
public struct StopAccess: Sendable, Hashable {
    /// Its place in the timetable.
    public var stop: Int
    public var seconds: Int

    public init(stop: Int, seconds: Int) {
        (self.stop, self.seconds) = (stop, seconds)
    }
}

/// What may be ridden, and how often one may change.
public struct RideRules: Sendable, Hashable {
    public static let mostTransfers = 15

    /// Nil: all.
    public var modes: Set<TransitMode>?
    public var maxTransfers: Int
    /// Only trips and stops of which the feed says that one gets in with a wheelchair.
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

/// A search for journeys that ride at least once.
public struct TransitQuery: Sendable {
    public enum Time: Sendable, Hashable {
        case departAt(Date)
        case arriveBy(Date)
    }

    /// A week: whatever somebody asks for, a search ends.
    public static let mostSeconds = 604_800

    /// From where somebody is.
    public var access: [StopAccess]
    /// To where they want to be.
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

/// A search for all stops that one reaches from a place.
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

/// Where and when one gets out.
public struct StopReach: Sendable, Hashable {
    public let stop: Int
    /// From `departAt` until one gets out there at the earliest.
    public let seconds: Int
    /// As few as that needs.
    public let transfers: Int
    /// Where one gets in first.
    public let start: Int
    /// From there: what is ridden as from stop to stop, and the changes between.
    public let meters: Double
}
