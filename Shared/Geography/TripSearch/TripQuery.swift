import Foundation
import Geo

/// Constants of searches and fits.
public enum TripRules {
    public static let walkingMetersPerSecond = 1.4
    /// In a city, including turning off and stopping.
    public static let drivingMetersPerSecond = 8.3
    /// A second of waiting counts as half a second of walking.
    public static let waitingWeight = 0.5
    public static let mostDetourSeconds = 1_800
    public static let mostWalkMeters = 5_000.0
    public static let longestWindow: TimeInterval = 7 * 86_400
    public static let mostResults = 100

    /// The cost in seconds of a distance to the line: the passenger walks up to their limit, and the driver makes a
    /// detour for the rest, there and back. It grows with the distance.
    static func cost(meters: Double, walk: Double) -> Double {
        min(meters, walk) / walkingMetersPerSecond
            + 2 * max(0, meters - walk) / drivingMetersPerSecond
    }
}

/// A passenger's start, end and time.
public struct TripQuery: Hashable, Sendable {
    public let from: Coordinate
    public let to: Coordinate
    /// The window in which the driver may be at the pick-up.
    public let departAfter: Date
    public let departBefore: Date
    public let seats: Int
    /// At each end.
    public let maxWalkMeters: Double
    /// Limits the driver's detour; nil for all that the driver offers.
    public let maxDetourSeconds: Int?
    public let limit: Int
    public let excludedDrivers: Set<UUID>

    /// Limits numbers to those of `TripRules`, and shortens a window that is too long. Nil for places near a pole or
    /// off the globe, and for a window that ends before it begins.
    public init?(
        from: Coordinate, to: Coordinate, departAfter: Date, departBefore: Date, seats: Int = 1,
        maxWalkMeters: Double = 1_000, maxDetourSeconds: Int? = nil, limit: Int = 20,
        excludedDrivers: Set<UUID> = []
    ) {
        // The years of `Day`, without their last days.
        let years = -62_100_000_000.0...253_000_000_000.0
        guard from.isOnGlobe, to.isOnGlobe, abs(from.latitude) <= Way.mostLatitude,
            abs(to.latitude) <= Way.mostLatitude, departAfter <= departBefore,
            years.contains(departAfter.timeIntervalSince1970), !maxWalkMeters.isNaN
        else { return nil }
        self.from = from
        self.to = to
        self.departAfter = departAfter
        self.departBefore = min(
            departBefore, departAfter.addingTimeInterval(TripRules.longestWindow))
        self.seats = max(1, seats)
        self.maxWalkMeters = min(max(0, maxWalkMeters), TripRules.mostWalkMeters)
        self.maxDetourSeconds = maxDetourSeconds.map {
            min(max(0, $0), TripRules.mostDetourSeconds)
        }
        self.limit = min(max(1, limit), TripRules.mostResults)
        self.excludedDrivers = excludedDrivers
    }
}

/// A trip on one day that takes a passenger along.
public struct Fit: Hashable, Sendable {
    /// Where driver and passenger meet or part.
    public struct Meeting: Hashable, Sendable {
        public let point: Coordinate
        /// When the driver passes according to the route, before any detour for this passenger.
        public let at: Date
        public let walkMeters: Double
        /// Whole seconds along the route, rounded down for the pick-up and up for the drop-off.
        public let secondsAlong: Int
    }

    public let trip: UUID
    public let version: Int
    public let driver: UUID
    /// The day of departure.
    public let day: Day
    public let pickUp: Meeting
    public let dropOff: Meeting
    public let totalWalkMeters: Double
    public let detourSeconds: Double
    /// According to the route.
    public let rideSeconds: Double
    /// From the beginning of the window to the pick-up.
    public let waitSeconds: Double
    public let seatsLeft: Int
    /// Seconds: walking, weighted waiting, and detour. Lower is better.
    public let score: Double

    /// By score, then by time, then by id, so that no two are equal.
    public static func isBetter(_ a: Fit, _ b: Fit) -> Bool {
        if a.score != b.score { return a.score < b.score }
        if a.pickUp.at != b.pickUp.at { return a.pickUp.at < b.pickUp.at }
        if a.trip != b.trip { return isBefore(a.trip, b.trip) }
        return a.day < b.day
    }

    static func isBefore(_ a: UUID, _ b: UUID) -> Bool {
        withUnsafeBytes(of: a.uuid) { a in
            withUnsafeBytes(of: b.uuid) { b in a.lexicographicallyPrecedes(b) }
        }
    }
}
