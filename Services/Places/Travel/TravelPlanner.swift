import Contracts
import Foundation
import Geo
import Routing
import ServiceKit

/// From where to where somebody wants to get, and when.
struct TravelQuestion: Sendable {
    enum Time: Sendable, Hashable { case departAt(Date), arriveBy(Date) }

    let from, to: Coordinate
    let mode: MobilityMode
    let time: Time
    let most: Int
    let language: Language
}

/// Ways from door to door, and all that is within reach.
struct TravelPlanner: Sendable {
    /// Corners of a circle that stands for an isochrone.
    private static let corners = 48

    let roads: Roads

    /// The usual of who has these: a car, then a bus or a train, a bicycle, a wheelchair, else on foot.
    static func usual(of modes: Set<MobilityMode>) -> MobilityMode {
        [.car, .bus, .train, .bicycle, .wheelchair].first(where: modes.contains) ?? .walk
    }

    func routes(_ question: TravelQuestion, within limits: ReachLimits) async -> [TravelRoute] {
        guard let travel = question.mode.travel else { return [] }
        let way = await roads.way(from: question.from, to: question.to, by: travel)
        let seconds = TimeInterval(way.durationSeconds)
        let departsAt =
            switch question.time {
            case .departAt(let time): time
            case .arriveBy(let time): time.addingTimeInterval(-seconds)
            }
        let leg = TravelRoute.Leg(
            mode: question.mode, line: nil, headsign: nil,
            from: .init(name: nil, position: question.from),
            to: .init(name: nil, position: question.to), departsAt: departsAt,
            arrivesAt: departsAt.addingTimeInterval(seconds), distanceMeters: way.distanceMeters,
            stops: nil)
        var route = TravelRoute(
            mode: question.mode, line: way.geometry, distanceMeters: way.distanceMeters,
            departsAt: leg.departsAt, arrivesAt: leg.arrivesAt, transfers: 0, legs: [leg],
            steps: way.steps.map { StepWords.step($0, in: question.language) },
            isStraightLine: way.source == .straightLine)
        let meters = Int(way.distanceMeters.rounded())
        route.breaks = limits.breaks(
            MeasuredReach(
                reach: Reach(mode: question.mode, seconds: way.durationSeconds, meters: meters),
                walkMeters: question.mode.isOnFoot ? meters : 0))
        return [route]
    }

    /// What is within the time by each mode; on foot, no farther than the walk.
    func reachable(
        from point: Coordinate, within limits: ReachLimits
    ) async -> [ReachableAreas.Feature] {
        var features: [ReachableAreas.Feature] = []
        for mode in MobilityMode.allCases where limits.modes.contains(mode) {
            guard let travel = mode.travel else { continue }
            var seconds = limits.maxSeconds
            if mode.isOnFoot {
                let pace =
                    mode == .walk
                    ? StraightLine.walkingMetersPerSecond : StraightLine.wheelingMetersPerSecond
                seconds = min(seconds, Int(Double(limits.maxWalkMeters) / pace))
            }
            guard seconds > 0 else { continue }
            let area = await roads.isochrone(around: point, by: travel, seconds: seconds)
            features.append(
                ReachableAreas.Feature(
                    geometry: area ?? Self.circle(around: point, by: travel, seconds: seconds),
                    properties: .init(
                        mode: mode, seconds: seconds, isStraightLine: area == nil)))
        }
        return features
    }

    private static func circle(
        around point: Coordinate, by mode: TravelMode, seconds: Int
    ) -> AreaGeometry {
        let kilometer = 1_000.0
        let north = Geo.destination(from: point, bearingDegrees: 0, distanceMeters: kilometer)
        let pace = kilometer / StraightLine.route(from: point, to: north, by: mode).durationSeconds
        let ring = (0...corners).map { corner in
            let bearing = Double(corner % corners) / Double(corners) * 360
            let at = Geo.destination(
                from: point, bearingDegrees: bearing, distanceMeters: pace * Double(seconds))
            return [at.longitude, at.latitude]
        }
        return .polygon([ring])
    }
}
