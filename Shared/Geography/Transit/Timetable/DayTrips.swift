import Foundation
import Synchronization

/// The runs of a pattern set on one day of service.
struct DayTrips: Sendable {
    /// Seconds since 1970 from which the day's times count; negated for a reversed set.
    let start: Int
    /// The runs of pattern `p` are `runs[offsets[p]..<offsets[p + 1]]`.
    let offsets: [Int32]
    /// Indices within the pattern, ascending.
    let runs: ContiguousArray<Int32>

    init(_ set: PatternSet, start: Int, where isRunning: (PatternSet.Run) -> Bool) {
        self.start = start
        var (offsets, runs): ([Int32], ContiguousArray<Int32>) = ([0], [])
        offsets.reserveCapacity(set.patterns.count + 1)
        for pattern in set.patterns {
            for run in 0..<pattern.runCount where isRunning(set.runs[Int(pattern.firstRun + run)]) {
                runs.append(run)
            }
            offsets.append(Int32(runs.count))
        }
        (self.offsets, self.runs) = (offsets, runs)
    }

    private init(start: Int, offsets: [Int32], runs: ContiguousArray<Int32>) {
        (self.start, self.offsets, self.runs) = (start, offsets, runs)
    }

    /// The indices in `runs` of a pattern's runs.
    func places(of pattern: Int) -> Range<Int> {
        Int(offsets[pattern])..<Int(offsets[pattern + 1])
    }

    /// The same for the reversed set.
    func reversed(_ set: PatternSet) -> DayTrips {
        var turned = runs
        for (number, pattern) in set.patterns.enumerated() {
            let places = places(of: number)
            for (place, back) in zip(places, places.reversed()) {
                turned[back] = pattern.runCount - 1 - runs[place]
            }
        }
        return DayTrips(start: -start, offsets: offsets, runs: turned)
    }
}

/// Caches the trips of days: finding them takes milliseconds.
final class DayShelf: Sendable {
    struct Key: Hashable {
        let layer: Int
        let day: ServiceDay
        let onlyWheelchair: Bool
    }

    struct Both: Sendable {
        let forward: DayTrips
        let reversed: DayTrips
        let links: RunLinks
    }

    /// Maximum number of days; beyond it all are discarded.
    private static let most = 64

    private let known = Mutex<[Key: Both]>([:])

    /// The trips for a key, made if unknown. Concurrent callers may each make them, which does no harm.
    func trips(_ key: Key, make: () -> Both) -> Both {
        if let both = known.withLock({ $0[key] }) { return both }
        let both = make()
        known.withLock { known in
            if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
            known[key] = both
        }
        return both
    }
}
