import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Transit

/// The start, the destination and the time of a journey.
struct TravelQuestion: Sendable {
    let from, to: Coordinate
    let mode: MobilityMode
    /// The vehicles that may be used if `mode` has a timetable.
    let ridden: Set<MobilityMode>
    let time: TransitQuery.Time
    let most: Int
    let language: Language

    /// Earliest arrival first, or latest departure.
    fileprivate func sorted<Way: Timed>(_ ways: [Way]) -> [Way] {
        switch time {
        case .departAt: ways.sorted { $0.arrivesAt < $1.arrivesAt }
        case .arriveBy: ways.sorted { $0.departsAt > $1.departsAt }
        }
    }
}

private protocol Timed {
    var departsAt: Date { get }
    var arrivesAt: Date { get }
}

extension Journey: Timed {}
extension TravelRoute: Timed {}

/// Routes from door to door, and areas within reach.
struct TravelPlanner: Sendable {
    /// Corners of a circle that approximates an isochrone.
    private static let corners = 48
    private static let mostCircles = 3_000

    let roads: Roads
    let timetables: Timetables

    /// The default for these modes: car, then bus or train, bicycle, wheelchair, else on foot.
    static func usual(of modes: Set<MobilityMode>) -> MobilityMode {
        [.car, .bus, .train, .bicycle, .wheelchair].first(where: modes.contains) ?? .walk
    }

    /// Earliest arrival first, or latest departure; if walking all the way is no slower, only on foot.
    func routes(_ question: TravelQuestion, within limits: ReachLimits) async -> [TravelRoute] {
        guard question.mode.isTransit else {
            let routes = await alongRoads(
                question, by: question.mode, most: question.most, within: limits)
            return question.sorted(routes)
        }
        var limits = limits
        limits.modes.formUnion(question.ridden)
        guard let transit = TransitReach(timetables.edition, roads: roads, limits) else {
            return []
        }
        async let walks = alongRoads(question, by: transit.walkMode, most: 1, within: limits)
        let journeys = await transit.journeys(question)
        var routes = await question.sorted(journeys).prefix(question.most).concurrentMap {
            [limits] journey in await route(of: journey, question, transit, limits)
        }
        let walk = await walks[0]
        if !walk.breaks.contains("maxWalkMeters"),
            journeys.allSatisfy({ $0.seconds >= walk.durationSeconds })
        {
            routes.append(walk)
        }
        return Array(question.sorted(routes).prefix(question.most))
    }

    private func alongRoads(
        _ question: TravelQuestion, by mode: MobilityMode, most: Int, within limits: ReachLimits
    ) async -> [TravelRoute] {
        await roads.ways(
            from: question.from, to: question.to, by: mode.travel ?? .foot, most: most
        ).map { route(along: $0, question, by: mode, within: limits) }
    }

    private func route(
        along way: WayAnswer, _ question: TravelQuestion, by mode: MobilityMode,
        within limits: ReachLimits
    ) -> TravelRoute {
        let seconds = TimeInterval(way.durationSeconds)
        let departsAt =
            switch question.time {
            case .departAt(let time): time
            case .arriveBy(let time): time.addingTimeInterval(-seconds)
            }
        let leg = TravelRoute.Leg(
            mode: mode, line: nil, headsign: nil,
            from: .init(name: nil, position: question.from),
            to: .init(name: nil, position: question.to), departsAt: departsAt,
            arrivesAt: departsAt.addingTimeInterval(seconds), distanceMeters: way.distanceMeters,
            stops: nil)
        var route = TravelRoute(
            mode: mode, line: way.geometry, distanceMeters: way.distanceMeters,
            departsAt: leg.departsAt, arrivesAt: leg.arrivesAt, transfers: 0, legs: [leg],
            steps: way.steps.map { StepWords.step($0, in: question.language) },
            isStraightLine: way.source == .straightLine)
        let meters = Int(way.distanceMeters.rounded())
        route.breaks = limits.breaks(
            MeasuredReach(
                reach: Reach(mode: mode, seconds: way.durationSeconds, meters: meters),
                walkMeters: mode.isOnFoot ? meters : 0))
        return route
    }

    /// A leg with its line and its steps.
    private struct Part {
        let leg: TravelRoute.Leg
        let points: [Coordinate]
        let steps: [TravelRoute.Step]
        var isStraightLine = false
    }

    private func route(
        of journey: Journey, _ question: TravelQuestion, _ transit: TransitReach,
        _ limits: ReachLimits
    ) async -> TravelRoute {
        let following = journey.legs.dropFirst().map(\.isSeated) + [false]
        let parts = await zip(journey.legs, following).concurrentMap { leg, staysSeated in
            switch leg {
            case .walk(let walk): await part(walk, question, transit)
            case .ride(let ride): Self.part(ride, staysSeated, in: question.language)
            }
        }
        let legs = parts.map(\.leg)
        let meters = legs.reduce(0) { $0 + $1.distanceMeters }
        var route = TravelRoute(
            mode: question.mode, line: LineString(parts.flatMap(\.points)), distanceMeters: meters,
            departsAt: journey.departsAt, arrivesAt: journey.arrivesAt,
            transfers: journey.transfers, legs: legs, steps: parts.flatMap(\.steps),
            isStraightLine: parts.contains(where: \.isStraightLine))
        let longestWalk = legs.filter(\.mode.isOnFoot).map(\.distanceMeters).max() ?? 0
        route.breaks = limits.breaks(
            MeasuredReach(
                reach: Reach(
                    mode: question.mode, seconds: route.durationSeconds,
                    meters: Int(meters.rounded())),
                walkMeters: Int(longestWalk.rounded())))
        return route
    }

    private func part(
        _ walk: JourneyWalk, _ question: TravelQuestion, _ transit: TransitReach
    ) async -> Part {
        func end(_ stop: Int?, _ door: Coordinate) -> TravelRoute.End {
            guard let stop = stop.map({ transit.timetable.stops[$0] }) else {
                return .init(name: nil, position: door)
            }
            return .init(name: stop.name, position: stop.at)
        }
        let (from, to) = (end(walk.from, question.from), end(walk.to, question.to))
        let way = await roads.way(
            from: from.position, to: to.position, by: transit.walkMode.travel ?? .foot)
        return Part(
            leg: .init(
                mode: transit.walkMode, line: nil, headsign: nil, from: from, to: to,
                departsAt: walk.departsAt, arrivesAt: walk.arrivesAt,
                distanceMeters: way.distanceMeters, stops: nil),
            points: way.geometry.coordinates.map {
                Coordinate(latitude: $0[1], longitude: $0[0])
            },
            steps: StepWords.walk(
                way, from: from.position, to: to.name, in: question.language),
            isStraightLine: way.source == .straightLine)
    }

    /// - Parameter staysSeated: Whether passengers stay seated at its end.
    private static func part(
        _ ride: JourneyRide, _ staysSeated: Bool, in language: Language
    ) -> Part {
        let meters = zip(ride.geometry, ride.geometry.dropFirst()).reduce(0) {
            $0 + Geo.distanceMeters($1.0, $1.1)
        }
        let (first, last) = (ride.calls[0], ride.calls[ride.calls.count - 1])
        return Part(
            leg: .init(
                mode: ride.line.mode.isBus ? .bus : .train, line: ride.line.name,
                headsign: ride.headsign.isEmpty ? nil : ride.headsign,
                from: .init(name: first.name, position: first.at),
                to: .init(name: last.name, position: last.at),
                departsAt: ride.departsAt, arrivesAt: ride.arrivesAt, distanceMeters: meters,
                stops: max(0, ride.calls.count - 2)),
            points: ride.geometry,
            steps: [StepWords.board(ride, meters: meters, in: language)]
                + (staysSeated ? [] : [StepWords.alight(ride, in: language)]))
    }

    /// The area within the time for each mode; on foot, no farther than the longest walk.
    func reachable(
        from point: Coordinate, within limits: ReachLimits, at time: Date
    ) async -> [ReachableAreas.Feature] {
        var features: [ReachableAreas.Feature] = []
        for mode in MobilityMode.allCases where limits.modes.contains(mode) {
            guard let travel = mode.travel else {
                if let feature = await ridden(from: point, by: mode, within: limits, at: time) {
                    features.append(feature)
                }
                continue
            }
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

    /// Circles around the stops within reach, limited by the remaining time and the longest walk.
    private func ridden(
        from point: Coordinate, by mode: MobilityMode, within limits: ReachLimits, at time: Date
    ) async -> ReachableAreas.Feature? {
        guard let transit = TransitReach(timetables.edition, roads: roads, limits) else {
            return nil
        }
        let walks = await transit.walks(
            from: point, by: mode, at: time, within: limits.maxSeconds
        ).sorted { $0.radiusMeters > $1.radiusMeters }.prefix(Self.mostCircles)
        let polygons = UnionOfCircles.polygons(of: Array(walks))
        guard !polygons.isEmpty else { return nil }
        return ReachableAreas.Feature(
            geometry: .multiPolygon(
                polygons.map { $0.map { $0.map { [$0.longitude, $0.latitude] } } }),
            properties: .init(mode: mode, seconds: limits.maxSeconds, isStraightLine: true))
    }

    private static func ring(around point: Coordinate, meters: Double) -> [[Double]] {
        (0...corners).map { corner in
            let bearing = Double(corner % corners) / Double(corners) * 360
            let at = Geo.destination(
                from: point, bearingDegrees: bearing, distanceMeters: meters)
            return [at.longitude, at.latitude]
        }
    }

    private static func circle(
        around point: Coordinate, by mode: TravelMode, seconds: Int
    ) -> AreaGeometry {
        let kilometer = 1_000.0
        let north = Geo.destination(from: point, bearingDegrees: 0, distanceMeters: kilometer)
        let pace = kilometer / StraightLine.route(from: point, to: north, by: mode).durationSeconds
        return .polygon([ring(around: point, meters: pace * Double(seconds))])
    }
}

extension TransitMode {
    fileprivate var isBus: Bool { self == .bus || self == .trolleybus || self == .taxi }
}
