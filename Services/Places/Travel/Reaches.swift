import Contracts
import Foundation
import Geo
import Routing

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

    /// Of each end, a reach a mode that leads there; of modes without a timetable those that may keep to the limits, or
    /// all.
    func measure(
        from start: Coordinate, to ends: [Coordinate], _ limits: ReachLimits, at time: Date,
        asksOfAll: Bool
    ) async -> [[MeasuredReach]] {
        var found = [[MeasuredReach]](repeating: [], count: ends.count)
        guard !ends.isEmpty else { return found }
        let modes = limits.modes
        if let transit = TransitReach(timetables.edition, roads: roads, limits) {
            let ways = await transit.measure(from: start, to: ends, by: modes, at: time, walks)
            for (index, way) in ways.enumerated() {
                if let way { found[index].append(way) }
            }
        }
        for mode in modes.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let travel = mode.travel else { continue }
            let asked = ends.indices.filter {
                asksOfAll || limits.mayAllow(Geo.distanceMeters(start, ends[$0]), by: mode)
            }
            guard !asked.isEmpty else { continue }
            let (distances, _) = await roads.distances(
                from: start, to: asked.map { ends[$0] }, by: travel)
            for (index, distance) in zip(asked, distances) {
                guard let distance else { continue }
                let reach = Reach(
                    mode: mode, seconds: Int(distance.seconds.rounded(.up)),
                    meters: Int(distance.meters.rounded(.up)),
                    isStraightLine: distance.isStraightLine)
                found[index].append(
                    MeasuredReach(reach: reach, walkMeters: mode.isOnFoot ? reach.meters : 0))
            }
        }
        return found
    }
}
