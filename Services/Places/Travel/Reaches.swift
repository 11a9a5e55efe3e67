import Contracts
import Foundation
import Geo
import Routing
import ServiceKit

/// What somebody may spend on a way.
struct ReachLimits: Sendable, Hashable {
    var modes: Set<MobilityMode>
    var maxWalkMeters: Int
    var maxSeconds: Int
    var maxMeters: Int
    /// Stops that somebody can get to, by their names; nil for all.
    var stops: Set<String>?

    init(_ mobility: Mobility) {
        stops = mobility.stops.map(Set.init)
        modes = mobility.modes.set
        (maxWalkMeters, maxSeconds) = (mobility.maxWalkMeters, mobility.maxSeconds)
        maxMeters = mobility.maxMeters
    }

    func allow(_ reach: MeasuredReach) -> Bool { breaks(reach).isEmpty }

    /// Whether a way of so many metres as the crow flies may keep to them: none is shorter.
    fileprivate func mayAllow(_ meters: Double, by mode: MobilityMode) -> Bool {
        meters <= Double(mode.isOnFoot ? min(maxMeters, maxWalkMeters) : maxMeters)
    }

    /// Fields of the mobility that a way does not keep to.
    func breaks(_ reach: MeasuredReach) -> [String] {
        var names: [String] = []
        if reach.walkMeters > maxWalkMeters { names.append("maxWalkMeters") }
        if reach.reach.seconds > maxSeconds { names.append("maxSeconds") }
        if reach.reach.meters > maxMeters { names.append("maxMeters") }
        return names
    }
}

/// A way with what limits count of it.
struct MeasuredReach: Sendable, Hashable {
    var reach: Reach
    /// On foot or in a wheelchair, in one go at most.
    var walkMeters: Int
}

extension MobilityMode {
    /// What the router calls it; nil of what goes by a timetable.
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

/// How far places are from somebody, by each way to get along.
struct Reaches: Sendable {
    let roads: Roads
    let timetables: Timetables
    let walks: StopWalks

    /// Of each end, a reach a mode that leads there; of modes without a timetable those that may keep to the limits.
    func measure(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits, at time: Date
    ) async -> [[MeasuredReach]] {
        async let ridden = ridden(from: start, to: ends, limits, at: time)
        let along = await alongRoads(from: start, to: ends, limits, within: true)
        return Self.ofEach(ends, [await ridden] + along)
    }

    /// Of each end, the reaches that `measure` leaves out, since they can't keep to the limits.
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

    /// Of each end, the quickest by bus or train.
    func ridden(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits, at time: Date
    ) async -> [MeasuredReach?] {
        await TransitReach(timetables.edition, roads: roads, limits)?
            .measure(from: start, to: ends, by: limits.modes, at: time, walks)
            ?? ends.map { _ in nil }
    }

    /// A row a mode without a timetable: of each end, if it may keep to the limits there, or of each that can't.
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

    /// Of each end; nil of those that are not asked about.
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
