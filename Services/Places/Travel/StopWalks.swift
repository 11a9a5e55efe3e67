import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Synchronization
import Transit

/// A walk between a place and a stop.
struct StopWalk: Sendable, Hashable {
    /// Its index in the timetable.
    let stop: Int
    let seconds: Int
    let meters: Double
    let isStraightLine: Bool

    var access: StopAccess { StopAccess(stop: stop, seconds: seconds) }
}

/// Known walks along streets between vendors and the stops around them. A search would have to ask a router about
/// each vendor, so it uses straight lines; the walks are requested soon after.
///
/// Walks belong to one edition of timetables and roads. They expire after a day, because the router may still answer
/// from the previous roads for a moment, and because an external router doesn't announce new ones.
final class StopWalks: Sendable {
    struct Key: Hashable, Sendable {
        let place: Coordinate
        /// On foot or in a wheelchair.
        let mode: TravelMode
        /// Number of the `Timetables.Edition`.
        let edition: Int
    }

    /// How often missing walks are requested, and how many: one place at a time, so that
    /// searches get their turn at the router.
    static let interval: Duration = .seconds(1)
    static let mostLearned = 100
    /// The most stops around a place; the nearest count.
    private static let mostStops = 100
    private static let farthestMeters = 5_000.0
    private static let mostKnown = 20_000
    private static let (knownSeconds, vainSeconds) = (86_400.0, 60.0)

    private let roads: Roads
    private let timetables: Timetables
    private let clock: ServiceClock
    private let walks = BoundedCache<Key, [StopWalk]>(most: mostKnown, seconds: knownSeconds)
    /// Failed requests: no router answered, or it knows no streets there.
    private let vain = BoundedCache<Key, Bool>(most: mostKnown, seconds: vainSeconds)
    private let wanted = Mutex<Set<Key>>([])

    init(roads: Roads, timetables: Timetables, clock: ServiceClock) {
        (self.roads, self.timetables, self.clock) = (roads, timetables, clock)
    }

    /// Nil if unknown.
    func known(_ key: Key) -> [StopWalk]? { walks.value(of: key, at: clock.now)?.value }

    /// Remembers which of these walks are unknown.
    func want(_ keys: [Key]) {
        guard roads.hasRouter else { return }
        let now = clock.now
        let unknown = keys.filter { known($0) == nil && vain.value(of: $0, at: now) == nil }
        wanted.withLock { wanted in
            for key in unknown.prefix(Self.mostKnown - wanted.count) { wanted.insert(key) }
        }
    }

    /// Requests the walks that searches wanted.
    func learn() async {
        let edition = timetables.edition
        let keys = wanted.withLock { wanted in
            wanted = wanted.filter { $0.edition == edition?.number }
            let keys = wanted.prefix(Self.mostLearned)
            wanted.subtract(keys)
            return Array(keys)
        }
        guard let edition else { return }
        for key in keys where known(key) == nil { await learn(key, edition.timetable) }
    }

    /// Asks from the place to the stops, because that is one request; the way back on foot is equally long.
    private func learn(_ key: Key, _ timetable: Timetable) async {
        let near = timetable.stops(near: key.place, within: Self.farthestMeters).filter {
            key.mode != .wheelchair || timetable.stops[$0.stop].wheelchair == .yes
        }.prefix(Self.mostStops)
        let ends = near.map { timetable.stops[$0.stop].at }
        let (distances, source) = await roads.distances(from: key.place, to: ends, by: key.mode)
        guard source == .router || ends.isEmpty else {
            return vain.keep(true, of: key, at: clock.now)
        }
        let found = zip(near, distances).compactMap { stop, distance in
            distance.map { StopWalk(to: stop.stop, $0) }
        }
        walks.keep(found, of: key, at: clock.now)
    }
}

extension StopWalk {
    init(to stop: Int, _ distance: Distance) {
        self.init(
            stop: stop, seconds: Int(distance.seconds.rounded(.up)), meters: distance.meters,
            isStraightLine: distance.isStraightLine)
    }
}
