import Foundation
import Geo
import Transit
import TripMaker

/// Journeys by public transport, in memory and on one core: RAPTOR beside a linear scan of the same connections.
struct TransitBench {
    struct Figures {
        let name: String
        let stops, trips, connections: Int
        /// Seconds of reading the feed and building the timetable.
        let load: Double
        /// Seconds of each.
        let departAt, arriveBy, reach, scan: Sample
        /// Journeys of a search and stops of a reach, in the mean.
        let journeys, reached: Double
        /// How many of the arrivals are those of the scan.
        let agreement: Double
    }

    private static let walkMeters = 600.0
    private static let reachSeconds = 2_700
    private static let warmUp = 50
    /// Of a search: far beyond what anybody does.
    private static let maxTransfers = 9
    /// Searches that the scan is asked as well.
    private static let scans = 300

    let searches: Int
    /// A GTFS archive; nil: a made-up city's.
    let feed: String?

    private struct Query {
        let access, egress: [StopAccess]
        let time: Int
    }

    func run() throws -> Figures? {
        var city = MadeUpCity()
        let data =
            try feed.map { try Data(contentsOf: URL(filePath: $0)) } ?? city.archive(lines: 125)
        guard let data else { return nil }
        var read: (feed: Feed, timetable: Timetable)?
        let load = try Self.seconds {
            let feed = try Feed.read(archive: data).feed
            read = (feed, Timetable([feed]))
        }
        guard let (feed, timetable) = read, let days = feed.days else { return nil }
        // A Tuesday of the feed.
        let number = (0..<7).map { days.lowerBound + $0 }.first { $0.weekday == 1 }
        let day = number.flatMap { days.contains($0) ? $0 : nil } ?? days.lowerBound
        let queries = queries(timetable, day.start(in: feed.timeZone))
        var scratch = RaptorScratch()
        for query in queries.prefix(Self.warmUp) {
            _ = timetable.journeys(departing(query), using: &scratch)
        }
        var (found, arrivals): (Int, [Int?]) = (0, [])
        let departAt = queries.map { query in
            Self.seconds {
                let journeys = timetable.journeys(departing(query), using: &scratch)
                found += journeys.count
                arrivals.append(journeys.last.map { Int($0.arrivesAt.timeIntervalSince1970) })
            }
        }
        let arriveBy = queries.map { query in
            var back = departing(query)
            back.time = .arriveBy(Self.date(query.time))
            return Self.seconds { _ = timetable.journeys(back, using: &scratch) }
        }
        var reached = 0
        let reach = queries.map { query in
            let one = ReachQuery(
                access: query.access, departAt: Self.date(query.time),
                maxSeconds: Self.reachSeconds)
            return Self.seconds { reached += timetable.reach(one, using: &scratch).count }
        }
        let scan = ConnectionScan(
            feed, timetable,
            days: (-1...1).map { (day + $0, (day + $0).start(in: feed.timeZone)) })
        var same = 0
        let scans = zip(queries, arrivals).prefix(Self.scans).map { query, arrival in
            Self.seconds {
                let time = scan.earliestArrival(
                    from: query.access, to: query.egress, at: query.time)
                if time == arrival { same += 1 }
            }
        }
        return Figures(
            name: self.feed.map { URL(filePath: $0).lastPathComponent } ?? "a made-up city",
            stops: timetable.stops.count, trips: timetable.tripCount(on: day),
            connections: scan.count / 3, load: load, departAt: Sample(departAt),
            arriveBy: Sample(arriveBy), reach: Sample(reach), scan: Sample(scans),
            journeys: Double(found) / Double(queries.count),
            reached: Double(reached) / Double(queries.count),
            agreement: Double(same) / Double(max(scans.count, 1)))
    }

    private func departing(_ query: Query) -> TransitQuery {
        TransitQuery(
            access: query.access, egress: query.egress, time: .departAt(Self.date(query.time)),
            rules: RideRules(maxTransfers: Self.maxTransfers))
    }

    private static func date(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(seconds))
    }

    /// From stops and to stops that one walks to, between six in the morning and ten in the evening.
    private func queries(_ timetable: Timetable, _ day: Int) -> [Query] {
        var random = SeededNumbers(seed: 2)
        let speed = timetable.rules.metersPerSecond / timetable.rules.detourFactor
        func ends() -> [StopAccess] {
            let stop = timetable.stops.randomElement(using: &random)
            return timetable.stops(
                near: stop?.at ?? Coordinate(latitude: 0, longitude: 0), within: Self.walkMeters
            ).map { StopAccess(stop: $0.stop, seconds: Int($0.meters / speed)) }
        }
        return (0..<searches).map { _ in
            Query(
                access: ends(), egress: ends(),
                time: day + .random(in: 21_600...79_200, using: &random))
        }
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = ContinuousClock.now
        try body()
        return (ContinuousClock.now - begun).inSeconds
    }
}

extension TransitBench.Figures {
    var rows: String {
        func milliseconds(_ value: Double) -> String { String(format: "%.2f", value * 1_000) }
        func text(_ count: Int) -> String {
            count.formatted(.number.locale(Locale(identifier: "en_US")))
        }
        return """
            | journeys between two places by RAPTOR, all numbers of changes, \(name) with \(text(stops)) stops and \
            \(text(trips)) trips a day, p50 | \(milliseconds(departAt.p50)) ms | the earliest arrival alone by a \
            linear scan of \(text(connections)) connections a day (CSA): \(milliseconds(scan.p50)) ms |
            | the same, p99 | \(milliseconds(departAt.p99)) ms | \(milliseconds(scan.p99)) ms; \
            \(String(format: "%.1f", agreement * 100)) % of the arrivals are the same, \
            \(String(format: "%.1f", journeys)) journeys each |
            | the latest departures for an arrival, p99 | \(milliseconds(arriveBy.p99)) ms | – |
            | all stops within 45 minutes of a place, p99 | \(milliseconds(reach.p99)) ms | \
            \(Int(reached)) stops each |
            | reading the feed, with the timetable | \(String(format: "%.2f", load)) s | – |
            """
    }
}
