import Foundation
import Routing

/// The rules for distances, costs and waiting times.
struct MatchingRules: Sendable, Hashable {
    /// The most candidates per request, nearest first.
    static let candidatesPerRequest = 10
    /// The most valets asked of location per request: the candidates, and those who withdrew from the leg.
    static let mostAsked = 100
    /// The search radius grows in these steps, each for the same share of the waiting time.
    static let radiusStepsMeters: [Double] = [800, 1_600, 3_000, 6_000]
    static let widestRadiusMeters = 6_000.0
    /// Factor on the straight-line time of a valet for whom the router finds no route. Such a valet is chosen last but
    /// not refused, since the router's map may have a gap.
    static let noWayFactor = 4.0

    /// The head start of a waiting request over newer ones: seconds of travel per second of waiting.
    static let waitingBonusPerSecond = 1.0
    static let largestWaitingBonusSeconds = 60.0
    /// An hour without a job is worth a minute of extra travel, so that work is shared.
    static let idleBonusPerSecond = 1.0 / 60
    static let largestIdleBonusSeconds = 60.0

    var patienceSeconds: Double
    /// How long to collect requests that share a candidate, in seconds from the oldest of them.
    var windowSeconds: Double
    /// While location does not answer, the extra time before the answer "nobody".
    var graceSeconds = 10.0
    /// How soon to look again for a request without a valet, since positions change without a signal.
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

    /// The cost of a pair in seconds; the solver minimises the sum.
    static func cost(
        travelSeconds: Double, idleSeconds: Double, waitedSeconds: Double
    ) -> Double {
        let idle = max(0, idleSeconds) * idleBonusPerSecond
        let waiting = max(0, waitedSeconds) * waitingBonusPerSecond
        return travelSeconds - min(idle, largestIdleBonusSeconds)
            - min(waiting, largestWaitingBonusSeconds)
    }
}
