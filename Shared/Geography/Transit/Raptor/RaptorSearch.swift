/// One forward search: times are seconds from the requested moment. A backward search is the same on reversed data.
struct RaptorSearch {
    /// A pattern set on one day.
    struct Layer {
        /// Its index in the timetable.
        let number: Int
        let day: ServiceDay
        let patterns: PatternSet
        let trips: DayTrips
        /// The start of the day, relative to the requested moment.
        let start: Int32
        /// By index of a run: those for which passengers stay seated.
        let links: [Int32: [RunLinks.Link]]
    }

    let layers: [Layer]
    let footpaths: Footpaths
    var access: [StopAccess]
    let egress: [StopAccess]
    /// Arrivals must be earlier.
    let bound: Int32
    var rounds: Int
    let modes: ModeMask
    /// By stop; nil if all are allowed.
    let isAllowed: [Bool]?
    let stopCount: Int
    /// Set for each pass after the first one.
    var slack: RaptorSlack?

    func isOpen(_ stop: Int) -> Bool { isAllowed?[stop] ?? true }
}

/// Limits a pass, which goes from the end of a journey back to its start, to what the pass before it found: a label is
/// useful only if the pass before is there in time, with the rides that are left.
final class RaptorSlack: Sendable {
    /// The labels of the pass before.
    private let labels: RaptorLabels
    /// The journey's number of rides.
    private let rides: Int
    /// When the pass before arrives.
    private let arrival: Int32

    init(_ labels: RaptorLabels, rides: Int, arrival: Int32) {
        (self.labels, self.rides, self.arrival) = (labels, rides, arrival)
    }

    /// Whether the journey can end at that stop.
    func isEnd(_ end: StopAccess) -> Bool {
        guard end.seconds <= Int(arrival) else { return false }
        // A pass keeps no labels at its bound.
        return end.seconds == 0
            || (1...rides).contains {
                labels.ride($0, end.stop).time <= arrival - Int32(end.seconds)
            }
    }

    /// - Parameters:
    ///   - time: Time of boarding at the stop, in seconds before the arrival.
    ///   - round: Rides from there.
    func isUseful(_ stop: Int, _ time: Int32, _ round: Int) -> Bool {
        (0...(rides - round)).contains { labels.ready($0, stop).time <= arrival - time }
    }
}

/// Memory of searches. Reuse it to save allocations.
public struct RaptorScratch: Sendable {
    var first = RaptorLabels()
    // For further passes.
    var second = RaptorLabels()
    var third = RaptorLabels()

    public init() {}
}

/// The labels of RAPTOR (Delling, Pajor and Werneck 2012).
///
/// A stop has two labels per round, since there is at most one footpath between two rides: when a passenger alights
/// there, and when they are ready to board.
struct RaptorLabels: Sendable {
    static let never = Int32.max

    /// Alighting from a vehicle.
    struct Ride {
        var time: Int32 = never
        var layer: Int32 = 0
        var pattern: Int32 = 0
        /// Its index in the pattern.
        var run: Int32 = 0
        /// If negative, passengers stayed seated from the ride `-board - 1` in `seats`.
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
    /// Rides to the ends of runs, of passengers who stay seated, and the runs that they stayed for.
    private var seats: [Ride] = []
    private var continued: Set<Continued> = []

    private struct Continued: Hashable {
        let layer: Int
        let run: Int32
    }

    func ride(_ round: Int, _ stop: Int) -> Ride { rides[round * stopCount + stop] }
    func ready(_ round: Int, _ stop: Int) -> Ready { ready[round * stopCount + stop] }

    /// The ride from which passengers stayed seated; nil if they boarded.
    func seat(before ride: Ride) -> Ride? {
        ride.board < 0 ? seats[Int(-ride.board) - 1] : nil
    }

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
        seats.removeAll(keepingCapacity: true)
        continued.removeAll(keepingCapacity: true)
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
                    getOut(search, label, stop, round)
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
        guard pattern.isLinked else { return }
        // On that day, a later trip may go on where the earliest one ends.
        for run in trip..<runs.count where layer.links[pattern.firstRun + runs[run]] != nil {
            label.run = runs[run]
            stay(search, layer, round, label, most: Self.mostLinks)
            break
        }
    }

    /// Passengers don't stay seated for more runs.
    private static let mostLinks = 50

    /// Rides on, without a change, in the runs for which passengers stay seated at the end of the label's run.
    ///
    /// A run is ridden like this only once: with as many rides or more, it brings nobody anywhere earlier.
    private mutating func stay(
        _ search: RaptorSearch, _ layer: RaptorSearch.Layer, _ round: Int, _ label: Ride, most: Int
    ) {
        let pattern = layer.patterns.patterns[Int(label.pattern)]
        for link in layer.links[pattern.firstRun + label.run] ?? [] where most > 0 {
            let number = search.layers.firstIndex { $0.number == link.layer && $0.day == link.day }
            guard let number else { continue }
            let next = search.layers[number].patterns.patterns[Int(link.pattern)]
            let run = Continued(layer: number, run: next.firstRun + link.run)
            guard search.modes.has(next.mode), continued.insert(run).inserted else { continue }
            var last = label
            last.alight = pattern.length - 1
            seats.append(last)
            let ride = Ride(
                layer: Int32(number), pattern: link.pattern, run: link.run,
                board: -Int32(seats.count))
            if rideOn(search, round, ride) {
                stay(search, search.layers[number], round, ride, most: most - 1)
            }
        }
    }

    /// Along the label's run from its first stop. False if it goes on beyond the bound.
    private mutating func rideOn(_ search: RaptorSearch, _ round: Int, _ label: Ride) -> Bool {
        let layer = search.layers[Int(label.layer)]
        let pattern = layer.patterns.patterns[Int(label.pattern)]
        let times = pattern.firstTime + Int(label.run * pattern.length)
        var label = label
        for position in 1..<Int(pattern.length) {
            let time = layer.patterns.arrivals[times + position] + layer.start
            guard time < bound else { return false }
            let place = Int(pattern.firstStop) + position
            let stop = Int(layer.patterns.stops[place])
            guard search.isOpen(stop), layer.patterns.flags[place] & PatternSet.alights != 0,
                time < bestRide[stop]
            else { continue }
            (label.time, label.alight) = (time, Int32(position))
            getOut(search, label, stop, round)
        }
        return true
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

    private mutating func getOut(
        _ search: RaptorSearch, _ ride: Ride, _ stop: Int, _ round: Int
    ) {
        guard search.slack?.isUseful(stop, ride.time, round) != false else { return }
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
