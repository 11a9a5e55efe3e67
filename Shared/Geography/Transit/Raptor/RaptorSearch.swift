/// One forward search: times are seconds from the requested moment. A backward search is the same on reversed data.
struct RaptorSearch {
    /// A pattern set on one day.
    struct Layer {
        /// Its index in the timetable.
        let number: Int
        let patterns: PatternSet
        let trips: DayTrips
        /// The start of the day, relative to the requested moment.
        let start: Int32
    }

    let layers: [Layer]
    let footpaths: Footpaths
    let access: [StopAccess]
    let egress: [StopAccess]
    /// Arrivals must be earlier.
    let bound: Int32
    let rounds: Int
    let modes: ModeMask
    /// By stop; nil if all are allowed.
    let isAllowed: [Bool]?
    let stopCount: Int

    func isOpen(_ stop: Int) -> Bool { isAllowed?[stop] ?? true }
}

/// The labels of RAPTOR (Delling, Pajor and Werneck 2012). Reuse it to save allocations.
///
/// A stop has two labels per round, since there is at most one footpath between two rides: when a passenger alights
/// there, and when they are ready to board.
public struct RaptorScratch: Sendable {
    static let never = Int32.max

    /// Alighting from a vehicle.
    struct Ride {
        var time: Int32 = never
        var layer: Int32 = 0
        var pattern: Int32 = 0
        /// Its index in the pattern.
        var run: Int32 = 0
        var board: Int32 = 0
        var alight: Int32 = 0
    }

    /// Ready to board at this time, by the footpath from that stop.
    struct Ready {
        var time: Int32 = never
        var from: Int32 = 0
    }

    /// The end of a journey with as many rides as its round.
    struct Arrival {
        let round: Int
        let stop: Int
    }

    private var stopCount = 0
    /// By round and stop: round r is at `r * stopCount + stop`.
    private(set) var rides: [Ride] = []
    private(set) var ready: [Ready] = []
    private var bestRide: [Int32] = []
    private var bestReady: [Int32] = []
    private var egress: [Int32] = []
    private(set) var touched: [Int] = []
    /// Stops that became ready in the previous round, and stops of arrival in this one.
    private var marked: [Int32] = []
    private var arrived: [Int32] = []
    /// The first marked stop of each pattern.
    private var firsts: [Int32] = []
    private var queue: [Int32] = []
    private var bound = never
    /// One for each round that improved the arrival, fewest rides first.
    private(set) var arrivals: [Arrival] = []

    public init() {}

    func ride(_ round: Int, _ stop: Int) -> Ride { rides[round * stopCount + stop] }
    func ready(_ round: Int, _ stop: Int) -> Ready { ready[round * stopCount + stop] }

    /// The earliest arrival at a stop, and the fewest rides for it.
    func earliest(_ stop: Int, rounds: Int) -> (seconds: Int32, rides: Int)? {
        let time = bestRide[stop]
        guard time != Self.never else { return nil }
        return (1...rounds).first { ride($0, stop).time == time }.map { (time, $0) }
    }

    /// Stops that were reached by a ride, each once.
    var reached: [Int] { touched.filter { bestRide[$0] != Self.never } }

    // MARK: Rounds

    mutating func run(_ search: RaptorSearch) {
        begin(search)
        for access in search.access where access.seconds < Int(bound) {
            setReady(0, access.stop, Int32(access.seconds), from: -1)
        }
        for round in 1...search.rounds {
            guard !marked.isEmpty else { break }
            for layer in search.layers.indices { scan(search, layer, round) }
            marked.removeAll(keepingCapacity: true)
            if round < search.rounds { walk(search.footpaths, round) }
            arrived.removeAll(keepingCapacity: true)
        }
        for access in search.egress { egress[access.stop] = Self.never }
    }

    private mutating func begin(_ search: RaptorSearch) {
        let labels = search.stopCount * (search.rounds + 1)
        if stopCount != search.stopCount || rides.count < labels {
            stopCount = search.stopCount
            rides = .init(repeating: Ride(), count: labels)
            ready = .init(repeating: Ready(), count: labels)
            bestRide = .init(repeating: Self.never, count: stopCount)
            bestReady = bestRide
            egress = bestRide
            touched.removeAll(keepingCapacity: true)
        }
        for stop in touched {
            (bestRide[stop], bestReady[stop]) = (Self.never, Self.never)
            for label in stride(from: stop, to: rides.count, by: stopCount) {
                rides[label].time = Self.never
                ready[label].time = Self.never
            }
        }
        touched.removeAll(keepingCapacity: true)
        marked.removeAll(keepingCapacity: true)
        arrived.removeAll(keepingCapacity: true)
        arrivals.removeAll(keepingCapacity: true)
        bound = search.bound
        for access in search.egress {
            egress[access.stop] = min(egress[access.stop], Int32(clamping: access.seconds))
        }
        let patterns = search.layers.map(\.patterns.patterns.count).max() ?? 0
        if firsts.count < patterns { firsts = .init(repeating: Self.never, count: patterns) }
    }

    private mutating func touch(_ stop: Int) {
        if bestRide[stop] == Self.never, bestReady[stop] == Self.never { touched.append(stop) }
    }

    private mutating func setReady(_ round: Int, _ stop: Int, _ time: Int32, from: Int32) {
        guard time < bestReady[stop], time < bound else { return }
        touch(stop)
        let label = round * stopCount + stop
        if ready[label].time == Self.never { marked.append(Int32(stop)) }
        ready[label] = Ready(time: time, from: from)
        bestReady[stop] = time
    }

    private mutating func walk(_ footpaths: Footpaths, _ round: Int) {
        for stop in arrived {
            let time = rides[round * stopCount + Int(stop)].time
            let (low, high) = (footpaths.offsets[Int(stop)], footpaths.offsets[Int(stop) + 1])
            for path in Int(low)..<Int(high) {
                let path = footpaths.paths[path]
                setReady(round, Int(path.stop), time + path.seconds, from: stop)
            }
        }
    }

    // MARK: Patterns

    private mutating func scan(_ search: RaptorSearch, _ number: Int, _ round: Int) {
        let layer = search.layers[number]
        collect(layer.patterns)
        for place in queue.indices {
            let pattern = queue[place]
            let first = Int(firsts[Int(pattern)])
            firsts[Int(pattern)] = Self.never
            guard search.modes.has(layer.patterns.patterns[Int(pattern)].mode) else { continue }
            let label = Ride(layer: Int32(number), pattern: pattern)
            ride(search, layer, round, label, from: first)
        }
        queue.removeAll(keepingCapacity: true)
    }

    /// The patterns of all ready stops, each from the first of these stops on.
    private mutating func collect(_ patterns: PatternSet) {
        for stop in marked {
            let (low, high) = (patterns.offsets[Int(stop)], patterns.offsets[Int(stop) + 1])
            for place in Int(low)..<Int(high) {
                let place = patterns.places[place]
                let first = firsts[Int(place.pattern)]
                if first == Self.never { queue.append(place.pattern) }
                if place.position < first { firsts[Int(place.pattern)] = place.position }
            }
        }
    }

    /// Along the label's pattern, with the earliest trip that can be caught so far.
    private mutating func ride(
        _ search: RaptorSearch, _ layer: RaptorSearch.Layer, _ round: Int, _ label: Ride,
        from first: Int
    ) {
        let (pattern, start) = (layer.patterns.patterns[Int(label.pattern)], layer.start)
        // A search reads these millions of times. Spans avoid reference counting.
        let runs = layer.trips.runs.span.extracting(layer.trips.places(of: Int(label.pattern)))
        let stops = layer.patterns.stops.span.extracting(pattern.stops)
        let flags = layer.patterns.flags.span.extracting(pattern.stops)
        let arrivals = layer.patterns.arrivals.span.extracting(pattern.times)
        let departures = layer.patterns.departures.span.extracting(pattern.times)
        guard !runs.isEmpty else { return }
        var label = label
        // The trip's indices in `runs` and in the times. Until there is one, `trip` is the count of runs.
        var (trip, times) = (runs.count, 0)
        for position in first..<stops.count {
            let stop = Int(stops[position])
            guard search.isOpen(stop) else { continue }
            if trip < runs.count, flags[position] & PatternSet.alights != 0 {
                let time = arrivals[times + position] + start
                if time < bestRide[stop], time < bound {
                    (label.time, label.alight) = (time, Int32(position))
                    getOut(label, stop, round)
                }
            }
            let ready = ready(round - 1, stop).time
            guard flags[position] & PatternSet.boards != 0, ready < bound else { continue }
            if trip < runs.count, departures[times + position] + start < ready { continue }
            let earliest = Self.earliest(
                runs.extracting(first: trip), departures, at: position, stops.count, ready - start)
            if earliest < trip {
                trip = earliest
                (label.run, label.board) = (runs[trip], Int32(position))
                times = Int(runs[trip]) * stops.count
            }
        }
    }

    /// The index of the first run that departs from a position of its pattern at that time or later; the count of
    /// runs if there is none.
    /// - Parameter length: Number of departures of each run.
    private static func earliest(
        _ runs: Span<Int32>, _ departures: Span<Int32>, at position: Int, _ length: Int,
        _ time: Int32
    ) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if departures[Int(runs[middle]) * length + position] < time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private mutating func getOut(_ ride: Ride, _ stop: Int, _ round: Int) {
        let label = round * stopCount + stop
        touch(stop)
        if rides[label].time == Self.never { arrived.append(Int32(stop)) }
        rides[label] = ride
        bestRide[stop] = ride.time
        arrive(stop, ride.time, round)
    }

    private mutating func arrive(_ stop: Int, _ time: Int32, _ round: Int) {
        let walk = egress[stop]
        guard walk < bound, time < bound - walk else { return }
        bound = time + walk
        if arrivals.last?.round == round { arrivals.removeLast() }
        arrivals.append(Arrival(round: round, stop: stop))
    }
}
