import Contracts
import Foundation
import Geo
import Routing
import Transit

/// Places within reach by bus and train, including the walks to and from stops.
struct TransitReach: Sendable {
    /// The most stops within walking distance, for one route and for searches of hundreds of places; the nearest count.
    private static let (mostStops, fewStops) = (150, 50)
    /// The longest time considered, in seconds; anyone farther away is ignored.
    private static let longest = 7_200

    let timetable: Timetable
    /// The number of the timetable's edition.
    private let edition: Int
    let roads: Roads
    /// In a wheelchair, only stops and trips marked as accessible count.
    let isWheelchair: Bool
    let maxWalkMeters: Int
    /// Names of usable stops; nil for all.
    let stops: Set<String>?

    init?(_ edition: Timetables.Edition?, roads: Roads, _ limits: ReachLimits) {
        guard let edition, limits.modes.contains(where: \.isTransit) else { return nil }
        (timetable, self.edition, self.roads) = (edition.timetable, edition.number, roads)
        isWheelchair = limits.modes.contains(.wheelchair) && !limits.modes.contains(.walk)
        (maxWalkMeters, stops) = (limits.maxWalkMeters, limits.stops)
    }

    private var walk: TravelMode { isWheelchair ? .wheelchair : .foot }
    var walkMode: MobilityMode { isWheelchair ? .wheelchair : .walk }

    /// Metres per second along streets.
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

    /// The stops within walking distance, along streets if a router answers; at the start, only stops that the person
    /// can use.
    private func access(
        around point: Coordinate, isStart: Bool = true, most: Int = mostStops
    ) async -> [StopWalk] {
        let near = stops(around: point).filter {
            !isStart || stops?.contains(timetable.stops[$0.stop].name) ?? true
        }.prefix(most)
        let ends = near.map { timetable.stops[$0.stop].at }
        guard !ends.isEmpty else { return [] }
        let (distances, _) = await roads.distances(from: point, to: ends, by: walk)
        return zip(near, distances).compactMap { stop, distance in
            guard let distance, distance.meters <= Double(maxWalkMeters) else { return nil }
            return StopWalk(to: stop.stop, distance)
        }
    }

    /// The nearest first, by straight lines; a walk along streets is never shorter.
    private func stops(around point: Coordinate) -> [(stop: Int, meters: Double)] {
        timetable.stops(near: point, within: Double(maxWalkMeters))
    }

    /// The arrival time at each stop of the timetable from a place.
    private func reached(
        from access: [StopWalk], by modes: Set<MobilityMode>, at time: Date, within seconds: Int
    ) -> [StopReach?] {
        let query = ReachQuery(
            access: access.map(\.access), departAt: time, maxSeconds: seconds,
            rules: rules(modes))
        return timetable.reach(query).reduce(
            into: [StopReach?](repeating: nil, count: timetable.stops.count)
        ) { $0[$1.stop] = $1 }
    }

    // MARK: Vendors

    /// A ride with its walks.
    private struct Ridden {
        let walk: StopWalk
        let reach: StopReach

        var seconds: Int { reach.seconds + walk.seconds }
    }

    /// The quickest ride to each end, with its last walk along streets if known.
    func measure(
        from start: Coordinate, to ends: [Coordinate], by modes: Set<MobilityMode>, at time: Date,
        _ walks: StopWalks
    ) async -> [MeasuredReach?] {
        let access = await access(around: start, most: Self.fewStops)
        guard !access.isEmpty else { return ends.map { _ in nil } }
        let reached = reached(from: access, by: modes, at: time, within: Self.longest)
        // If both modes are allowed, the answer is a train only where the bus alone is slower.
        let byBus =
            modes.isSuperset(of: [.bus, .train])
            ? self.reached(from: access, by: [.bus], at: time, within: Self.longest) : reached
        let keys = ends.map { StopWalks.Key(place: $0, mode: walk, edition: edition) }
        let ways = keys.map { quickest(to: $0, walks, reached) }
        walks.want(zip(keys, ways).compactMap { $1?.walk.isStraightLine == true ? $0 : nil })
        let starts = Dictionary(access.map { ($0.stop, $0) }) { first, _ in first }
        return ways.map { way in
            guard let way, let first = starts[way.reach.start] else { return nil }
            let isBus =
                modes.contains(.bus) && byBus[way.reach.stop]?.seconds == way.reach.seconds
            let meters = first.meters + way.reach.meters + way.walk.meters
            return MeasuredReach(
                reach: Reach(
                    mode: isBus ? .bus : .train, seconds: way.seconds,
                    meters: Int(meters.rounded(.up)), transfers: way.reach.transfers,
                    isStraightLine: first.isStraightLine || way.walk.isStraightLine),
                walkMeters: Int(max(first.meters, way.walk.meters).rounded(.up)))
        }
    }

    private func quickest(
        to end: StopWalks.Key, _ walks: StopWalks, _ reached: [StopReach?]
    ) -> Ridden? {
        let walks =
            walks.known(end)
            ?? stops(around: end.place).map { stop, meters in
                let meters = meters * StraightLine.detourFactor
                return StopWalk(
                    to: stop,
                    Distance(seconds: meters / pace, meters: meters, isStraightLine: true))
            }
        return walks.lazy.filter { $0.meters <= Double(maxWalkMeters) }.compactMap { walk in
            reached[walk.stop].map { Ridden(walk: walk, reach: $0) }
        }.min { $0.seconds < $1.seconds }
    }

    // MARK: Routes

    /// The walking range from each stop in the remaining time.
    func walks(
        from point: Coordinate, by mode: MobilityMode, at time: Date, within seconds: Int
    ) async -> [UnionOfCircles.Circle] {
        let access = await access(around: point)
        return reached(from: access, by: [mode], at: time, within: seconds).compactMap { $0 }.map {
            reach in
            let left = min(Double(seconds - reach.seconds) * pace, Double(maxWalkMeters))
            return .init(
                center: timetable.stops[reach.stop].at,
                radiusMeters: left / StraightLine.detourFactor)
        }
    }

    func journeys(_ question: TravelQuestion) async -> [Journey] {
        async let begins = access(around: question.from)
        async let ends = access(around: question.to, isStart: false)
        let (access, egress) = (await begins, await ends)
        guard !access.isEmpty, !egress.isEmpty else { return [] }
        return timetable.journeys(
            TransitQuery(
                access: access.map(\.access), egress: egress.map(\.access), time: question.time,
                rules: rules(question.ridden)))
    }
}
