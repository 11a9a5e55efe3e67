import Foundation
import Routing

/// What is near, what is dear and how long to look.
struct MatchingRules: Sendable, Hashable {
    /// Nearest valets that are considered for a request.
    static let candidatesPerRequest = 10
    /// Asked of location at most: those who withdrew from the leg come on top.
    static let mostAsked = 100
    /// Each step gets the same share of the patience.
    static let radiusStepsMeters: [Double] = [800, 1_600, 3_000, 6_000]
    static let widestRadiusMeters = 6_000.0
    /// Factor on the straight-line time of a valet from whom the router finds no route. Such a valet is taken
    /// last but not refused, since the router's map may have a gap.
    static let noWayFactor = 4.0

    /// A request that waits gains on newer ones by so many seconds of travel a second.
    static let waitingBonusPerSecond = 1.0
    static let largestWaitingBonusSeconds = 60.0
    /// A valet without a job for an hour is worth a minute's longer way: work is shared.
    static let idleBonusPerSecond = 1.0 / 60
    static let largestIdleBonusSeconds = 60.0

    var patienceSeconds: Double
    /// Requests that share a candidate are gathered so long, counted from the oldest of them.
    var windowSeconds: Double
    /// While location does not answer, "nobody" is said only so long after the patience.
    var graceSeconds = 10.0
    /// How soon requests are looked at again that found nobody: positions change without a signal.
    var retry: Duration = .seconds(1)

    func radiusMeters(waitedSeconds: Double) -> Double {
        guard waitedSeconds < patienceSeconds else { return Self.widestRadiusMeters }
        let share = max(0, waitedSeconds) / patienceSeconds
        let step = Int(share * Double(Self.radiusStepsMeters.count))
        return Self.radiusStepsMeters[min(step, Self.radiusStepsMeters.count - 1)]
    }

    static func travelSeconds(_ distanceMeters: Double) -> Double {
        StraightLine.seconds(meters: distanceMeters)
    }

    /// Seconds: what the solver minimises the sum of.
    static func cost(
        travelSeconds: Double, idleSeconds: Double, waitedSeconds: Double
    ) -> Double {
        let idle = max(0, idleSeconds) * idleBonusPerSecond
        let waiting = max(0, waitedSeconds) * waitingBonusPerSecond
        return travelSeconds - min(idle, largestIdleBonusSeconds)
            - min(waiting, largestWaitingBonusSeconds)
    }
}
