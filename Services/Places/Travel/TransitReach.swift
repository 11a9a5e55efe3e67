import Contracts
import Foundation
import Geo
import Routing
import Transit

/// What buses and trains bring within reach, with the walks to and from their stops.
struct TransitReach: Sendable {
    /// Stops that somebody walks to, the nearest.
    static let mostStops = 50

    let timetable: Timetable
    let roads: Roads
    /// On foot, or in a wheelchair: then only stops and trips that say that one gets in.
    let isWheelchair: Bool
    let maxWalkMeters: Int
    /// By their names; nil for all.
    let stops: Set<String>?

    init?(_ timetable: Timetable?, roads: Roads, _ limits: ReachLimits) {
        guard let timetable, limits.modes.contains(where: \.isTransit) else { return nil }
        (self.timetable, self.roads) = (timetable, roads)
        isWheelchair = limits.modes.contains(.wheelchair) && !limits.modes.contains(.walk)
        (maxWalkMeters, stops) = (limits.maxWalkMeters, limits.stops)
    }

    private var walk: TravelMode { isWheelchair ? .wheelchair : .foot }
    var walkMode: MobilityMode { isWheelchair ? .wheelchair : .walk }

    /// Metres a second along streets.
    private var pace: Double {
        isWheelchair
            ? StraightLine.wheelingMetersPerSecond : StraightLine.walkingMetersPerSecond
    }

    func rules(_ modes: Set<MobilityMode>) -> RideRules {
        var ridden: Set<TransitMode> = [.ferry, .other]
        if modes.contains(.bus) { ridden.formUnion([.bus, .trolleybus, .taxi]) }
        if modes.contains(.train) {
            ridden.formUnion([
                .rail, .subway, .tram, .monorail, .funicular, .cableTram, .aerialLift,
            ])
        }
        return RideRules(modes: ridden, onlyWheelchair: isWheelchair)
    }

    /// The stops within the walk, along streets while a router answers.
    func access(around point: Coordinate) async -> [StopAccess] {
        let near = timetable.stops(
            near: point, within: Double(maxWalkMeters) / StraightLine.detourFactor
        ).filter { stops?.contains(timetable.stops[$0.stop].name) ?? true }.prefix(Self.mostStops)
        let ends = near.map { timetable.stops[$0.stop].at }
        guard !ends.isEmpty else { return [] }
        let (distances, _) = await roads.distances(from: point, to: ends, by: walk)
        return zip(near, distances).compactMap { stop, distance in
            guard let distance, distance.meters <= Double(maxWalkMeters) else { return nil }
            return StopAccess(stop: stop.stop, seconds: Int(distance.seconds.rounded(.up)))
        }
    }

    /// Where and when one gets out, from a place.
    func reached(
        from access: [StopAccess], by modes: Set<MobilityMode>, at time: Date, within seconds: Int
    ) -> [Int: StopReach] {
        let query = ReachQuery(
            access: access, departAt: time, maxSeconds: seconds, rules: rules(modes))
        return Dictionary(
            uniqueKeysWithValues: timetable.reach(query).map { ($0.stop, $0) })
    }

    /// The quickest way to each end by what is ridden, its last walk as the crow flies.
    func measure(
        from start: Coordinate, to ends: [Coordinate], by modes: Set<MobilityMode>, at time: Date,
        within seconds: Int
    ) async -> [MeasuredReach?] {
        let access = await access(around: start)
        guard !access.isEmpty else { return ends.map { _ in nil } }
        let reached = reached(from: access, by: modes, at: time, within: seconds)
        // Whoever may ride both is told of the train only where the bus alone is slower.
        let byBus =
            modes.isSuperset(of: [.bus, .train])
            ? self.reached(from: access, by: [.bus], at: time, within: seconds) : reached
        return ends.map { end in
            let ways = timetable.stops(
                near: end, within: Double(maxWalkMeters) / StraightLine.detourFactor
            ).compactMap { stop, straight -> (reach: StopReach, meters: Double, seconds: Int)? in
                guard let reach = reached[stop] else { return nil }
                let meters = straight * StraightLine.detourFactor
                return (reach, meters, reach.seconds + Int((meters / pace).rounded(.up)))
            }
            guard let best = ways.min(by: { $0.seconds < $1.seconds }) else { return nil }
            let isBus =
                modes.contains(.bus)
                && byBus[best.reach.stop]?.seconds == best.reach.seconds
            let meters = Geo.distanceMeters(start, end) * StraightLine.detourFactor
            return MeasuredReach(
                reach: Reach(
                    mode: isBus ? .bus : .train, seconds: best.seconds,
                    meters: Int(meters.rounded(.up)), transfers: best.reach.transfers),
                walkMeters: Int(best.meters.rounded(.up)))
        }
    }

    /// How far one gets on foot from each stop in the time that is left, in metres of a straight line.
    func walks(
        from point: Coordinate, by mode: MobilityMode, at time: Date, within seconds: Int
    ) async -> [(at: Coordinate, meters: Double)] {
        let access = await access(around: point)
        return reached(from: access, by: [mode], at: time, within: seconds).values.map { reach in
            let left = min(Double(seconds - reach.seconds) * pace, Double(maxWalkMeters))
            return (timetable.stops[reach.stop].at, left / StraightLine.detourFactor)
        }
    }

    func journeys(_ question: TravelQuestion) async -> [Journey] {
        let access = await access(around: question.from)
        let egress = await self.access(around: question.to)
        guard !access.isEmpty, !egress.isEmpty else { return [] }
        return timetable.journeys(
            TransitQuery(
                access: access, egress: egress, time: question.time,
                rules: rules(question.ridden)))
    }
}
