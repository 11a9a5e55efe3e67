import Contracts
import Foundation
import Geo
import Routing
import ServiceKit

/// A person's limits for one route.
struct ReachLimits: Sendable, Hashable {
    var modes: Set<MobilityMode>
    var maxWalkMeters: Int
    var maxSeconds: Int
    var maxMeters: Int
    /// Names of the stops that the person can use; nil for all.
    var stops: Set<String>?

    init(_ mobility: Mobility) {
        stops = mobility.stops.map(Set.init)
        modes = mobility.modes.set
        (maxWalkMeters, maxSeconds) = (mobility.maxWalkMeters, mobility.maxSeconds)
        maxMeters = mobility.maxMeters
    }

    func allow(_ reach: MeasuredReach) -> Bool { breaks(reach).isEmpty }

    /// Whether a route of this straight-line distance can keep to the limits; no route is shorter.
    fileprivate func mayAllow(_ meters: Double, by mode: MobilityMode) -> Bool {
        meters <= Double(mode.isOnFoot ? min(maxMeters, maxWalkMeters) : maxMeters)
    }

    /// The mobility's fields whose limits a route exceeds.
    func breaks(_ reach: MeasuredReach) -> [String] {
        var names: [String] = []
        if reach.walkMeters > maxWalkMeters { names.append("maxWalkMeters") }
        if reach.reach.seconds > maxSeconds { names.append("maxSeconds") }
        if reach.reach.meters > maxMeters { names.append("maxMeters") }
        return names
    }
}

/// A route with the values that limits apply to.
struct MeasuredReach: Sendable, Hashable {
    var reach: Reach
    /// The longest single stretch on foot or in a wheelchair.
    var walkMeters: Int
}

extension MobilityMode {
    /// The router's name of the mode; nil for modes with a timetable.
    var travel: TravelMode? {
        switch self {
        case .car: .car
        case .bicycle: .bicycle
        case .walk: .foot
        case .wheelchair: .wheelchair
        case .bus, .train: nil
        }
    }

    var isOnFoot: Bool { self == .walk || self == .wheelchair }
}

/// Distances of places from a person, by each mode of travel.
struct Reaches: Sendable {
    let roads: Roads
    let timetables: Timetables
    let walks: StopWalks

    /// For each end, one reach per mode that leads there; modes without a timetable only if it may keep to the limits.
    func measure(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits, at time: Date
    ) async -> [[MeasuredReach]] {
        async let ridden = ridden(from: start, to: ends, limits, at: time)
        let along = await alongRoads(from: start, to: ends, limits, within: true)
        return Self.ofEach(ends, [await ridden] + along)
    }

    /// For each end, the reaches that `measure` leaves out because they can't keep to the limits.
    func measureBeyond(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits
    ) async -> [[MeasuredReach]] {
        Self.ofEach(ends, await alongRoads(from: start, to: ends, limits, within: false))
    }

    private static func ofEach(
        _ ends: [Coordinate], _ ways: [[MeasuredReach?]]
    ) -> [[MeasuredReach]] {
        ends.indices.map { index in ways.compactMap { $0[index] } }
    }

    /// For each end, the quickest by bus or train.
    func ridden(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits, at time: Date
    ) async -> [MeasuredReach?] {
        await TransitReach(timetables.edition, roads: roads, limits)?
            .measure(from: start, to: ends, by: limits.modes, at: time, walks)
            ?? ends.map { _ in nil }
    }

    /// One row per mode without a timetable, for the ends where it can keep to the limits, or for the others.
    private func alongRoads(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits, within: Bool
    ) async -> [[MeasuredReach?]] {
        let modes = limits.modes.filter { !$0.isTransit }.sorted { $0.rawValue < $1.rawValue }
        return await modes.concurrentMap { mode in
            let asked = ends.indices.filter {
                limits.mayAllow(Geo.distanceMeters(start, ends[$0]), by: mode) == within
            }
            return await alongRoads(from: start, to: ends, asked, by: mode)
        }
    }

    /// One value per end; nil for those not in `asked`.
    private func alongRoads(
        from start: Coordinate, to ends: [Coordinate], _ asked: [Int], by mode: MobilityMode
    ) async -> [MeasuredReach?] {
        var found = [MeasuredReach?](repeating: nil, count: ends.count)
        guard let travel = mode.travel, !asked.isEmpty else { return found }
        let (distances, _) = await roads.distances(
            from: start, to: asked.map { ends[$0] }, by: travel)
        for (index, distance) in zip(asked, distances) {
            guard let distance else { continue }
            let reach = Reach(
                mode: mode, seconds: Int(distance.seconds.rounded(.up)),
                meters: Int(distance.meters.rounded(.up)), isStraightLine: distance.isStraightLine
            )
            found[index] = MeasuredReach(reach: reach, walkMeters: mode.isOnFoot ? reach.meters : 0)
        }
        return found
    }
}
