import Geo

/// Trips with the same stops, none of which overtakes another. The paper calls patterns routes, which in GTFS are
/// something else (Delling, Pajor and Werneck, "Round-Based Public Transit Routing", ALENEX 2012).
struct PatternSet: Sendable {
    /// One trip at one time of the day; a trip with frequencies has many runs.
    struct Run: Sendable {
        /// Its index in the feed.
        let trip: Int32
        /// Seconds added to the feed's times.
        let shift: Int32
    }

    struct Pattern: Sendable {
        /// Index in `stops` and `flags`.
        let firstStop: Int32
        let length: Int32
        /// Index in `runs`.
        let firstRun: Int32
        let runCount: Int32
        /// Index in `arrivals` and `departures`, which have `length` times for each run.
        let firstTime: Int
        /// The raw value of a `TransitMode`.
        let mode: UInt8
        /// Whether passengers may stay seated before or after its trips.
        let isLinked: Bool

        /// The pattern's indices in `stops` and `flags`.
        var stops: Range<Int> { Int(firstStop)..<Int(firstStop + length) }
        /// The indices of all its runs' times in `arrivals` and `departures`.
        var times: Range<Int> { firstTime..<(firstTime + Int(runCount) * Int(length)) }
    }

    /// A stop's position in a pattern.
    struct Place: Sendable {
        let pattern: Int32
        let position: Int32
    }

    // Not a pair: Swift initialises a pair lazily, and checks that at each use.
    static let boards: UInt8 = 1
    static let alights: UInt8 = 2

    // Contiguous where searches use spans: those of `Array` need macOS 26.
    private(set) var patterns: [Pattern] = []
    private(set) var stops: ContiguousArray<Int32> = []
    private(set) var flags: ContiguousArray<UInt8> = []
    /// Sorted by departure within a pattern.
    private(set) var runs: [Run] = []
    private(set) var arrivals: ContiguousArray<Int32> = []
    private(set) var departures: ContiguousArray<Int32> = []
    /// The patterns of stop `s` are `places[offsets[s]..<offsets[s + 1]]`, with only its first position in each.
    private(set) var offsets: [Int32] = []
    private(set) var places: [Place] = []
    /// From the first departure to the last arrival.
    private(set) var times: ClosedRange<Int32> = 0...0

    var isEmpty: Bool { patterns.isEmpty }

    // MARK: Building

    /// A run with its times, unshifted; stops are the timetable's indices.
    struct Draft {
        let run: Run
        let mode: UInt8
        let stops: ArraySlice<Feed.StopTime>
        /// The number of the trip's group in `VehicleLinks`; 0 if it has no links. A search rides the earliest trip
        /// of a pattern, so trips that lead elsewhere for passengers who stay seated are other patterns.
        let group: Int32
    }

    private struct Key: Hashable {
        let mode: UInt8
        let group: Int32
        /// Each stop, with its flags.
        let stops: [Int64]
    }

    /// - Parameter stopOffset: Added to the stops' indices in the drafts.
    init(_ drafts: [Draft], stopOffset: Int, stopCount: Int) {
        var (groups, order): ([Key: Int], [[Int]]) = ([:], [])
        for (number, draft) in drafts.enumerated() {
            let key = Key(
                mode: draft.mode, group: draft.group,
                stops: draft.stops.map { Int64($0.stop) << 2 | Int64($0.flags) })
            let group = groups[key] ?? order.count
            if group == order.count {
                groups[key] = group
                order.append([])
            }
            order[group].append(number)
        }
        for group in order {
            for chain in Self.chains(group.map { drafts[$0] }) { append(chain, stopOffset) }
        }
        index(stopCount)
    }

    private init() {}

    /// Splits trips so that within each part none overtakes another.
    private static func chains(_ drafts: [Draft]) -> [[Draft]] {
        let sorted = drafts.sorted { a, b in
            let (first, second) = (a.firstDeparture, b.firstDeparture)
            if first != second { return first < second }
            let (third, fourth) = (a.lastArrival, b.lastArrival)
            return (third, a.run.trip, a.run.shift) < (fourth, b.run.trip, b.run.shift)
        }
        var chains: [[Draft]] = []
        for draft in sorted {
            let chain = chains.firstIndex { $0.last?.isNeverAfter(draft) == true }
            if let chain { chains[chain].append(draft) } else { chains.append([draft]) }
        }
        return chains
    }

    private mutating func append(_ chain: [Draft], _ stopOffset: Int) {
        guard let first = chain.first else { return }
        patterns.append(
            Pattern(
                firstStop: Int32(stops.count), length: Int32(first.stops.count),
                firstRun: Int32(runs.count), runCount: Int32(chain.count),
                firstTime: arrivals.count, mode: first.mode, isLinked: first.group != 0))
        for (place, stop) in first.stops.enumerated() {
            stops.append(stop.stop + Int32(stopOffset))
            // Nobody boards at the last stop or alights at the first one.
            let isLast = place == first.stops.count - 1
            let useful = (isLast ? 0 : Self.boards) | (place == 0 ? 0 : Self.alights)
            flags.append(stop.flags & useful)
        }
        for draft in chain {
            runs.append(draft.run)
            for stop in draft.stops {
                arrivals.append(stop.arrival + draft.run.shift)
                departures.append(stop.departure + draft.run.shift)
            }
        }
    }

    private mutating func index(_ stopCount: Int) {
        if let first = departures.min(), let last = arrivals.max() {
            times = first...max(first, last)
        }
        var firsts: [(stop: Int32, place: Place)] = []
        var seen = [Int32](repeating: -1, count: stopCount)
        for (number, pattern) in patterns.enumerated() {
            for position in 0..<pattern.length {
                let stop = stops[Int(pattern.firstStop + position)]
                guard seen[Int(stop)] != Int32(number) else { continue }
                seen[Int(stop)] = Int32(number)
                firsts.append((stop, Place(pattern: Int32(number), position: position)))
            }
        }
        offsets = [Int32](repeating: 0, count: stopCount + 1)
        for first in firsts { offsets[Int(first.stop) + 1] += 1 }
        for stop in 0..<stopCount { offsets[stop + 1] += offsets[stop] }
        var next = offsets
        places = [Place](repeating: Place(pattern: 0, position: 0), count: firsts.count)
        for first in firsts {
            places[Int(next[Int(first.stop)])] = first.place
            next[Int(first.stop)] += 1
        }
    }

    // MARK: Lengths

    /// By index in `stops`: metres from the first stop of its pattern, by straight lines from stop to stop.
    func meters(between stops: [TransitStop]) -> [Float] {
        var meters = [Float](repeating: 0, count: self.stops.count)
        for pattern in patterns {
            let first = Int(pattern.firstStop)
            for place in (first + 1)..<max(first + 1, first + Int(pattern.length)) {
                let (here, there) = (Int(self.stops[place - 1]), Int(self.stops[place]))
                meters[place] =
                    meters[place - 1]
                    + Float(Geo.distanceMeters(stops[here].at, stops[there].at))
            }
        }
        return meters
    }

    // MARK: Backwards

    /// The same with time reversed: a trip runs from its last stop to its first, and boarding and alighting are
    /// swapped. The earliest arrival in it is the latest departure.
    var reversed: PatternSet {
        var other = PatternSet()
        other.patterns = patterns
        other.stops = stops
        other.flags = flags
        other.runs = runs
        other.arrivals = departures
        other.departures = arrivals
        for pattern in patterns {
            let length = Int(pattern.length)
            for position in 0..<length {
                let here = Int(pattern.firstStop) + position
                let there = Int(pattern.firstStop) + length - 1 - position
                other.stops[here] = stops[there]
                other.flags[here] = (flags[there] & 1) << 1 | flags[there] >> 1
            }
            for run in 0..<Int(pattern.runCount) {
                let back = Int(pattern.runCount) - 1 - run
                other.runs[Int(pattern.firstRun) + run] = runs[Int(pattern.firstRun) + back]
                for position in 0..<length {
                    let here = pattern.firstTime + run * length + position
                    let there = pattern.firstTime + back * length + length - 1 - position
                    other.arrivals[here] = -departures[there]
                    other.departures[here] = -arrivals[there]
                }
            }
        }
        other.index(offsets.count - 1)
        return other
    }
}

extension Feed.StopTime {
    fileprivate var flags: UInt8 {
        (canBoard ? PatternSet.boards : 0) | (canAlight ? PatternSet.alights : 0)
    }
}

extension PatternSet.Draft {
    fileprivate var firstDeparture: Int32 { (stops.first?.departure ?? 0) + run.shift }
    fileprivate var lastArrival: Int32 { (stops.last?.arrival ?? 0) + run.shift }

    /// Whether it is as early as the other, or earlier, at every stop.
    fileprivate func isNeverAfter(_ other: Self) -> Bool {
        let shift = other.run.shift - run.shift
        return zip(stops, other.stops).allSatisfy { a, b in
            a.arrival <= b.arrival + shift && a.departure <= b.departure + shift
        }
    }
}
