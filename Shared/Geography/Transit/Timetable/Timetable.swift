import Foundation
import Geo

/// A stop of vehicles.
public struct TransitStop: Sendable, Hashable {
    /// Its id in the feed.
    public let id: String
    /// The index of its feed in the timetable.
    public let feed: Int
    public let name: String
    public let at: Coordinate
    public let wheelchair: Feed.Wheelchair
    /// The name of the platform in its station, or empty.
    public let platformCode: String
}

/// GTFS feeds in memory, prepared for RAPTOR. It is immutable, so any number of searches can use it while the next
/// one is made.
public struct Timetable: Sendable {
    /// Patterns of one feed: those of its timetable, or those of one day's trips with realtime changes.
    struct Layer: Sendable {
        let feed: Int
        /// The only day that it applies to; nil for all days.
        let day: ServiceDay?
        let patterns: PatternSet
        let reversed: PatternSet
        /// By index in the patterns' stops: metres from the first stop of its pattern, by straight lines from stop to
        /// stop.
        let meters: [Float]
        /// By trip, for trips with links.
        let linkedRuns: [Int: PatternSet.RunPlace]
        /// Runs that another layer replaces, or that are cancelled.
        var removed: [ServiceDay: Set<RunKey>] = [:]

        init(feed: Int, day: ServiceDay?, _ patterns: PatternSet, _ stops: [TransitStop]) {
            (self.feed, self.day, self.patterns) = (feed, day, patterns)
            reversed = patterns.reversed
            meters = patterns.meters(between: stops)
            linkedRuns = patterns.linkedRuns
        }
    }

    /// Identifies a run of a feed across patterns.
    struct RunKey: Hashable, Sendable {
        let trip: Int32
        let shift: Int32
    }

    /// All stops of vehicles; searches refer to them by their indices here.
    public let stops: [TransitStop]
    public let rules: TransferRules
    let feeds: [Feed]
    /// The index of each feed's first stop.
    let firstStops: [Int]
    /// By feed.
    let vehicleLinks: [VehicleLinks]
    /// First each feed's own, then those of realtime changes.
    var layers: [Layer]
    let footpaths: Footpaths
    let reversedFootpaths: Footpaths
    let isWheelchairStop: [Bool]
    private let grid: StopGrid
    private var days = DayShelf()
    private(set) var shapes = ShapeShelf()

    /// Takes a tenth of a second for a city.
    public init(_ feeds: [Feed], rules: TransferRules = TransferRules()) {
        var (stops, firstStops): ([TransitStop], [Int]) = ([], [])
        for (number, feed) in feeds.enumerated() {
            firstStops.append(stops.count)
            stops += feed.stops.map { stop in
                TransitStop(
                    id: stop.id, feed: number, name: stop.name, at: stop.at,
                    wheelchair: stop.wheelchair, platformCode: stop.platformCode)
            }
        }
        (self.feeds, self.stops, self.firstStops, self.rules) = (feeds, stops, firstStops, rules)
        isWheelchairStop = stops.map { $0.wheelchair == .yes }
        grid = StopGrid(stops.map(\.at))
        let vehicleLinks = feeds.map(VehicleLinks.init)
        self.vehicleLinks = vehicleLinks
        layers = feeds.indices.map { number in
            Layer(
                feed: number, day: nil,
                PatternSet(
                    Self.drafts(feeds[number], vehicleLinks[number]),
                    stopOffset: firstStops[number], stopCount: stops.count), stops)
        }
        var isServed = [Bool](repeating: false, count: stops.count)
        for layer in layers { for stop in layer.patterns.stops { isServed[Int(stop)] = true } }
        footpaths = FootpathMaker(
            feeds: feeds, firstStops: firstStops, stops: stops, isServed: isServed, grid: grid,
            rules: rules
        ).make()
        reversedFootpaths = footpaths.reversed
        self.isServed = isServed
    }

    private let isServed: [Bool]

    /// With realtime changes for some days.
    init(_ scheduled: Timetable, layers: [Layer]) {
        self = scheduled
        self.layers = layers
        (days, shapes) = (DayShelf(), ShapeShelf())
    }

    private static func drafts(_ feed: Feed, _ links: VehicleLinks) -> [PatternSet.Draft] {
        let frequencies = Dictionary(grouping: feed.frequencies, by: \.trip)
        var drafts: [PatternSet.Draft] = []
        for (number, trip) in feed.trips.enumerated() {
            let stops = feed.stopTimes[trip.stopTimes]
            let mode = feed.routes[trip.route].mode.rawValue
            func add(_ shift: Int) {
                drafts.append(
                    .init(
                        run: .init(trip: Int32(number), shift: Int32(shift)), mode: mode,
                        stops: stops, group: links.groups[number] ?? 0))
            }
            guard let times = frequencies[number], let first = stops.first else {
                add(0)
                continue
            }
            for frequency in times {
                for start in stride(from: frequency.start, to: frequency.end, by: frequency.headway)
                {
                    add(start - Int(first.departure))
                }
            }
        }
        return drafts
    }

    // MARK: Places

    /// The served stops within that distance by the straight line, nearest first.
    public func stops(
        near point: Coordinate, within meters: Double
    ) -> [(stop: Int, meters: Double)] {
        grid.near(point, meters: meters).filter { isServed[$0.stop] }.sorted {
            ($0.meters, $0.stop) < ($1.meters, $1.stop)
        }
    }

    /// The index of a feed's stop; nil if it has no such id.
    public func stop(_ id: String, feed: Int = 0) -> Int? {
        stops.firstIndex { $0.id == id && $0.feed == feed }
    }

    /// The number of trips on a day, counting each run of frequencies.
    public func tripCount(on day: ServiceDay) -> Int {
        layers.indices.reduce(0) { $0 + trips(of: $1, on: day, false).forward.runs.count }
    }

    // MARK: Days

    func trips(of layer: Int, on day: ServiceDay, _ onlyWheelchair: Bool) -> DayShelf.Both {
        days.trips(.init(layer: layer, day: day, onlyWheelchair: onlyWheelchair)) {
            let (feed, patterns) = (feeds[layers[layer].feed], layers[layer].patterns)
            let removed = layers[layer].removed[day] ?? []
            let isOtherDay = layers[layer].day.map { $0 != day } ?? false
            let runs = layers[layer].day == nil ? feed.services.map { $0.runs(on: day) } : nil
            let forward = DayTrips(patterns, start: day.start(in: feed.timeZone)) { run in
                let trip = feed.trips[Int(run.trip)]
                return !isOtherDay && runs?[trip.service] != false
                    && (!onlyWheelchair || trip.wheelchair == .yes)
                    && (removed.isEmpty
                        || !removed.contains(.init(trip: run.trip, shift: run.shift)))
            }
            return .init(
                forward: forward, reversed: forward.reversed(patterns),
                links: links(of: layer, on: day, onlyWheelchair: onlyWheelchair))
        }
    }
}

/// Finds footpaths between stops.
struct FootpathMaker {
    let feeds: [Feed]
    let firstStops: [Int]
    let stops: [TransitStop]
    let isServed: [Bool]
    let grid: StopGrid
    let rules: TransferRules

    func make() -> Footpaths {
        var seconds = [[Int: Int]](repeating: [:], count: stops.count)
        for stop in stops.indices where isServed[stop] {
            for near in grid.near(stops[stop].at, meters: rules.maxMeters)
            where isServed[near.stop] {
                seconds[stop][near.stop] = rules.seconds(meters: near.meters)
            }
            seconds[stop][stop] = rules.minSeconds
        }
        for (number, feed) in feeds.enumerated() {
            joinStations(feed, firstStops[number], &seconds)
            readTransfers(feed, firstStops[number], &seconds)
        }
        return Footpaths(seconds)
    }

    private func joinStations(_ feed: Feed, _ offset: Int, _ seconds: inout [[Int: Int]]) {
        for platforms in platforms(feed, offset).values {
            for from in platforms {
                for to in platforms where seconds[from][to] == nil {
                    let meters = Geo.distanceMeters(stops[from].at, stops[to].at)
                    seconds[from][to] = rules.seconds(meters: meters)
                }
            }
        }
    }

    /// By the index of their station in the feed.
    private func platforms(_ feed: Feed, _ offset: Int) -> [Int: [Int]] {
        var platforms: [Int: [Int]] = [:]
        for (number, stop) in feed.stops.enumerated() {
            if let parent = stop.parent, isServed[offset + number] {
                platforms[parent, default: []].append(offset + number)
            }
        }
        return platforms
    }

    /// The feed's own transfers take precedence over estimates, and a stop's over its station's.
    private func readTransfers(_ feed: Feed, _ offset: Int, _ seconds: inout [[Int: Int]]) {
        let platforms = platforms(feed, offset)
        func places(_ stop: Int) -> [Int] {
            feed.stops[stop].kind == .station ? platforms[stop] ?? [] : [offset + stop]
        }
        func isOfStations(_ transfer: Feed.Transfer) -> Bool {
            feed.stops[transfer.from].kind == .station || feed.stops[transfer.to].kind == .station
        }
        let transfers =
            feed.transfers.filter(isOfStations)
            + feed.transfers.filter { !isOfStations($0) }
        for transfer in transfers {
            for from in places(transfer.from) where isServed[from] {
                for to in places(transfer.to) where isServed[to] {
                    if !transfer.isPossible {
                        seconds[from][to] = nil
                    } else if let least = transfer.minSeconds {
                        seconds[from][to] = least
                    } else if seconds[from][to] == nil {
                        let meters = Geo.distanceMeters(stops[from].at, stops[to].at)
                        seconds[from][to] = rules.seconds(meters: meters)
                    }
                }
            }
        }
    }
}
