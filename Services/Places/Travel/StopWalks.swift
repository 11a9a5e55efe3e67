import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Synchronization
import Transit

/// A walk between a place and a stop.
struct StopWalk: Sendable, Hashable {
    /// Its place in the timetable.
    let stop: Int
    let seconds: Int
    let meters: Double
    let isStraightLine: Bool

    var access: StopAccess { StopAccess(stop: stop, seconds: seconds) }
}

/// Walks along streets between vendors and the stops around them, as far as they are known: a search would have to ask
/// a router about each vendor, so it goes by the straight line, and they are asked about soon after.
///
/// What is known is of one edition of timetables and roads. It lasts for a day, since the router may answer for a
/// moment by the roads of before, and since nobody tells when those of another's router change.
final class StopWalks: Sendable {
    struct Key: Hashable, Sendable {
        let place: Coordinate
        /// On foot or in a wheelchair.
        let mode: TravelMode
        /// Of `Timetables.Edition`.
        let edition: Int
    }

    /// How often those are asked about that searches wanted, and how many of them: one place at a time, so that
    /// searches have their turns at the router.
    static let interval: Duration = .seconds(1)
    static let mostLearned = 100
    /// Around a place, the nearest.
    private static let mostStops = 100
    private static let farthestMeters = 5_000.0
    private static let mostKnown = 20_000
    private static let (knownSeconds, vainSeconds) = (86_400.0, 60.0)

    private let roads: Roads
    private let timetables: Timetables
    private let clock: ServiceClock
    private let walks = BoundedCache<Key, [StopWalk]>(most: mostKnown, seconds: knownSeconds)
    /// Asked about in vain: no router answered, or it knows no streets there.
    private let vain = BoundedCache<Key, Bool>(most: mostKnown, seconds: vainSeconds)
    private let wanted = Mutex<Set<Key>>([])

    init(roads: Roads, timetables: Timetables, clock: ServiceClock) {
        (self.roads, self.timetables, self.clock) = (roads, timetables, clock)
    }

    /// Nil for what is not known.
    func known(_ key: Key) -> [StopWalk]? { walks.value(of: key, at: clock.now)?.value }

    /// Keeps in mind what is not known of those.
    func want(_ keys: [Key]) {
        guard roads.hasRouter else { return }
        let now = clock.now
        let unknown = keys.filter { known($0) == nil && vain.value(of: $0, at: now) == nil }
        wanted.withLock { wanted in
            for key in unknown.prefix(Self.mostKnown - wanted.count) { wanted.insert(key) }
        }
    }

    /// Asks about what searches wanted.
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

    /// From the place to the stops, since that is one question; on foot the way back is as long.
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
