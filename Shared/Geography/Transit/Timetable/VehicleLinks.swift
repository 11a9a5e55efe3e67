import Geo

/// Trips of a feed that one vehicle runs one after the other, so that passengers may stay in their seats: linked trips
/// (transfers.txt, transfer_type 4), and trips of a block on the same day of service (trips.txt, block_id).
struct VehicleLinks: Sendable {
    /// A trip that a vehicle may run next.
    private struct Next {
        let trip: Int
        /// Days of service later, for a linked trip that departs on one of the next days.
        let days: Int
        let isInSeat: Bool
    }

    /// The trips that look alike to passengers who stay seated.
    private struct Neighbours: Hashable {
        var next: Set<[Int32]> = []
        var previous: Set<[Int32]> = []
    }

    /// Passengers don't wait longer for the next trip of a block, in seconds.
    private static let mostWaitSeconds = 3_600
    /// The same for linked trips. One that departs later than this is in the wrong order.
    private static let mostLinkedSeconds = 43_200
    /// The next trip of a block begins at most this far from where the one before it ends.
    private static let mostMeters = 300.0
    /// Trips of a block that are considered after each one; on each day one of them is the next.
    private static let mostCandidates = 32

    private let feed: Feed
    /// By trip, by departure.
    private var nexts: [Int: [Next]] = [:]
    /// Trips whose next one is given by transfers.txt rather than by their block.
    private var isLinked: Set<Int> = []
    /// By trip: those after which passengers may stay seated for it, with the days of service between them.
    private(set) var previous: [Int: [(trip: Int, days: Int)]] = [:]
    /// By trip with links. Trips with the same number have next and previous trips with the same stops.
    private(set) var groups: [Int: Int32] = [:]

    init(_ feed: Feed) {
        self.feed = feed
        let repeated = Set(feed.frequencies.map(\.trip))
        readLinks(repeated)
        readBlocks(repeated)
        group()
    }

    /// The trips for which passengers of a trip may stay seated, with the days of service between them.
    func next(of trip: Int, on day: ServiceDay) -> [(trip: Int, days: Int)] {
        let running = (nexts[trip] ?? []).filter {
            feed.services[feed.trips[$0.trip].service].runs(on: day + $0.days)
        }
        let next = isLinked.contains(trip) ? running[...] : running.prefix(1)
        return next.filter(\.isInSeat).map { ($0.trip, $0.days) }
    }

    private func stops(_ trip: Int) -> ArraySlice<Feed.StopTime> {
        feed.stopTimes[feed.trips[trip].stopTimes]
    }

    private func departure(_ trip: Int) -> Int { Int(stops(trip).first?.departure ?? 0) }
    private func arrival(_ trip: Int) -> Int { Int(stops(trip).last?.arrival ?? 0) }

    private mutating func readLinks(_ repeated: Set<Int>) {
        for link in feed.links where link.isInSeat && link.from != link.to {
            guard !repeated.contains(link.from), !repeated.contains(link.to) else { continue }
            let early = max(0, arrival(link.from) - departure(link.to))
            let days = (early + ServiceDay.seconds - 1) / ServiceDay.seconds
            let wait = departure(link.to) + days * ServiceDay.seconds - arrival(link.from)
            guard wait <= Self.mostLinkedSeconds else { continue }
            nexts[link.from, default: []].append(.init(trip: link.to, days: days, isInSeat: true))
            isLinked.insert(link.from)
        }
    }

    private mutating func readBlocks(_ repeated: Set<Int>) {
        let forbidden = Set(feed.links.filter { !$0.isInSeat }.map { [$0.from, $0.to] })
        let inBlocks = feed.trips.indices.filter {
            !feed.trips[$0].block.isEmpty && !repeated.contains($0)
        }
        for block in Dictionary(grouping: inBlocks, by: { feed.trips[$0].block }).values {
            let block = block.sorted { (departure($0), $0) < (departure($1), $1) }
            for trip in block where !isLinked.contains(trip) {
                let candidates = candidates(after: trip, in: block)
                guard !candidates.isEmpty else { continue }
                nexts[trip] = candidates.map { next in
                    Next(
                        trip: next, days: 0,
                        isInSeat: leadsOn(from: trip, to: next)
                            && !forbidden.contains([trip, next]))
                }
            }
        }
    }

    /// The trips that the vehicle may run next, depending on the day.
    /// - Parameter block: Sorted by departure.
    private func candidates(after trip: Int, in block: [Int]) -> [Int] {
        let arrival = arrival(trip)
        var (low, high) = (0, block.count)
        while low < high {
            let middle = (low + high) / 2
            if departure(block[middle]) < arrival { low = middle + 1 } else { high = middle }
        }
        var candidates: [Int] = []
        for next in block[low...].prefix(Self.mostCandidates) where next != trip {
            guard departure(next) - arrival <= Self.mostWaitSeconds else { break }
            candidates.append(next)
            // It runs on all days of the trip, so that no later one is the next.
            if feed.trips[next].service == feed.trips[trip].service { break }
        }
        return candidates
    }

    /// Whether the next trip begins where the one before it ends, and does not merely go back the same way: nobody
    /// stays seated to return.
    private func leadsOn(from trip: Int, to next: Int) -> Bool {
        let (here, there) = (stops(trip).map(\.stop), stops(next).map(\.stop))
        guard let end = here.last, let start = there.first, isNear(end, start) else { return false }
        return here.count != there.count
            || !zip(here, there.reversed()).allSatisfy { isNear($0, $1) }
    }

    private func isNear(_ a: Int32, _ b: Int32) -> Bool {
        let (one, other) = (feed.stops[Int(a)], feed.stops[Int(b)])
        return a == b || one.parent != nil && one.parent == other.parent
            || Geo.distanceMeters(one.at, other.at) <= Self.mostMeters
    }

    private mutating func group() {
        var neighbours: [Int: Neighbours] = [:]
        // In the same order each time, so that the same feed gives the same journeys.
        for trip in nexts.keys.sorted() {
            for next in nexts[trip] ?? [] where next.isInSeat {
                previous[next.trip, default: []].append((trip, next.days))
                neighbours[trip, default: .init()].next.insert(stops(next.trip).map(\.stop))
                neighbours[next.trip, default: .init()].previous.insert(stops(trip).map(\.stop))
            }
        }
        var numbers: [Neighbours: Int32] = [:]
        for trip in neighbours.keys.sorted() {
            guard let alike = neighbours[trip] else { continue }
            let number = numbers[alike] ?? Int32(numbers.count + 1)
            (numbers[alike], groups[trip]) = (number, number)
        }
    }
}

/// The runs after which passengers stay seated for other runs, by index in a pattern set.
struct RunLinks: Sendable {
    struct Link: Sendable {
        /// Its index in the timetable.
        let layer: Int
        let day: ServiceDay
        let pattern: Int32
        /// Its index in the pattern.
        let run: Int32
    }

    var forward: [Int32: [Link]] = [:]
    /// The same for the reversed sets: the runs before which they were seated.
    var reversed: [Int32: [Link]] = [:]
}

extension Timetable {
    /// The links of a layer's runs on a day.
    func links(of number: Int, on day: ServiceDay, onlyWheelchair: Bool) -> RunLinks {
        let (layer, links) = (layers[number], vehicleLinks[layers[number].feed])
        var found = RunLinks()
        for (trip, run) in layer.linkedRuns {
            guard let here = place(of: trip, layer.feed, on: day, onlyWheelchair),
                here.layer == number
            else { continue }
            for next in links.next(of: trip, on: day) {
                let later = place(of: next.trip, layer.feed, on: day + next.days, onlyWheelchair)
                guard let later, isInTime(here, later) else { continue }
                found.forward[run.index, default: []].append(later)
            }
            for previous in links.previous[trip] ?? [] {
                let start = day + -previous.days
                let isNext = links.next(of: previous.trip, on: start).contains { $0.trip == trip }
                let earlier = place(of: previous.trip, layer.feed, on: start, onlyWheelchair)
                guard isNext, let earlier, isInTime(earlier, here) else { continue }
                let pattern = layers[earlier.layer].patterns.patterns[Int(earlier.pattern)]
                found.reversed[run.reversedIndex, default: []].append(
                    .init(
                        layer: earlier.layer, day: earlier.day, pattern: earlier.pattern,
                        run: pattern.runCount - 1 - earlier.run))
            }
        }
        return found
    }

    /// Nil if the trip doesn't run then.
    private func place(
        of trip: Int, _ feed: Int, on day: ServiceDay, _ onlyWheelchair: Bool
    ) -> RunLinks.Link? {
        let found = feeds[feed].trips[trip]
        guard !onlyWheelchair || found.wheelchair == .yes,
            feeds[feed].services[found.service].runs(on: day)
        else { return nil }
        let changed = layers.indices.first {
            layers[$0].feed == feed && layers[$0].day == day && layers[$0].linkedRuns[trip] != nil
        }
        let isRemoved = layers[feed].removed[day]?.contains(.init(trip: Int32(trip), shift: 0))
        guard let layer = changed ?? (isRemoved == true ? nil : feed),
            let run = layers[layer].linkedRuns[trip]
        else { return nil }
        return .init(layer: layer, day: day, pattern: run.pattern, run: run.run)
    }

    /// Whether one ends before the other, of the same feed, departs, which a delay may prevent.
    private func isInTime(_ one: RunLinks.Link, _ next: RunLinks.Link) -> Bool {
        /// Since the start of the link's day.
        func time(_ link: RunLinks.Link, isLast: Bool) -> Int {
            let patterns = layers[link.layer].patterns
            let pattern = patterns.patterns[Int(link.pattern)]
            let first = pattern.firstTime + Int(link.run) * Int(pattern.length)
            return Int(
                isLast
                    ? patterns.arrivals[first + Int(pattern.length) - 1]
                    : patterns.departures[first])
        }
        let zone = feeds[layers[one.layer].feed].timeZone
        let apart =
            one.day == next.day ? 0 : next.day.start(in: zone) - one.day.start(in: zone)
        return time(one, isLast: true) <= time(next, isLast: false) + apart
    }
}

extension PatternSet {
    /// A run's place in the set.
    struct RunPlace: Sendable {
        let pattern: Int32
        /// Its index in the pattern.
        let run: Int32
        /// Its index in the set, and in the reversed set.
        let index: Int32
        let reversedIndex: Int32
    }

    /// By trip, for trips with links.
    var linkedRuns: [Int: RunPlace] {
        var places: [Int: RunPlace] = [:]
        for (number, pattern) in patterns.enumerated() where pattern.isLinked {
            for run in 0..<pattern.runCount {
                let trip = Int(runs[Int(pattern.firstRun + run)].trip)
                places[trip] = RunPlace(
                    pattern: Int32(number), run: run, index: pattern.firstRun + run,
                    reversedIndex: pattern.firstRun + pattern.runCount - 1 - run)
            }
        }
        return places
    }
}
