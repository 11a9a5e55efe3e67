import Foundation
import Geo
import Testing
import TripMaker

@testable import Transit

/// RAPTOR against brute force over small networks that are made to lie on every edge: trips over midnight and beyond,
/// calendars and exceptions, frequencies, transfers, wheelchairs, and nights in which the clock changes.
@Suite struct RaptorTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let zone: String
        /// In which the clock changes.
        let night: String
        var testDescription: String { "\(zone) \(night)" }
    }

    static let places = [
        Place(zone: "Europe/Malta", night: "20260329"),
        Place(zone: "Europe/Malta", night: "20261025"),
        Place(zone: "America/New_York", night: "20260308"),
        Place(zone: "America/New_York", night: "20261101"),
        Place(zone: "Australia/Lord_Howe", night: "20260405"),
        Place(zone: "Asia/Kathmandu", night: "20261231"),
    ]
    private static let networks = 45
    private static let searches = 4

    /// A network with a search, and what both ways of searching read.
    struct Probe {
        var random: SeededNumbers
        let night: ServiceDay
        let network: Network
        let rules: TransferRules
        let timetable: Timetable
        let brute: BruteForce

        init?(_ place: Place, seed: Int) throws {
            var random = SeededNumbers(seed: UInt64(seed))
            guard let night = ServiceDay(place.night) else { return nil }
            let network = Network.random(place.zone, night: night.number, &random)
            let days = (night.number - 6)...(night.number + 6)
            rules = TransferRules(minSeconds: random.chance(0.5) ? 0 : 120)
            let used = Set(network.trips.map(\.service)).map { network.services[$0] }
            // A feed without any day is refused.
            guard used.contains(where: { days.contains(where: $0.runs) }) else { return nil }
            timetable = Timetable([try network.feed()], rules: rules)
            brute = BruteForce(network, rules, days: days)
            (self.random, self.night, self.network) = (random, night, network)
        }

        mutating func ends() -> [StopAccess] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                StopAccess(
                    stop: .random(in: network.stops.indices, using: &random),
                    seconds: .random(in: 0...600, using: &random))
            }
        }

        /// Around the night.
        mutating func moment() -> Int {
            night.start(in: network.zone) + .random(in: -30_000...90_000, using: &random)
        }

        mutating func rideRules() -> RideRules {
            RideRules(
                modes: random.chance(0.15) ? [.bus] : nil,
                maxTransfers: .random(in: 0...4, using: &random),
                onlyWheelchair: random.chance(0.25))
        }

        mutating func query(isBackwards: Bool) -> (query: TransitQuery, time: Int) {
            let time = moment()
            let date = Date(timeIntervalSince1970: Double(time))
            let query = TransitQuery(
                access: ends(), egress: ends(),
                time: isBackwards ? .arriveBy(date) : .departAt(date),
                maxSeconds: random.chance(0.3) ? 5_400 : 86_400, rules: rideRules())
            return (query, time)
        }
    }

    @Test(arguments: places) func theEarliestArrivalsAreThoseOfBruteForce(at place: Place) throws {
        var (scratch, found) = (RaptorScratch(), 0)
        for seed in 0..<Self.networks {
            guard var probe = try Probe(place, seed: seed) else { continue }
            for _ in 0..<Self.searches {
                let (query, time) = probe.query(isBackwards: false)
                let rounds = probe.brute.arrivals(
                    query.access, at: time, within: query.maxSeconds, query.rules)
                let expected = BruteForce.best(
                    rounds, query.egress, latest: time + query.maxSeconds)
                let journeys = probe.timetable.journeys(query, using: &scratch)
                #expect(journeys.map(\.arrival) == expected, "network \(seed)")
                for journey in journeys { check(journey, of: query, probe) }
                found += journeys.count
            }
        }
        #expect(found > Self.networks)
    }

    @Test(arguments: places) func theLatestDeparturesAreThoseOfBruteForce(at place: Place) throws {
        var (scratch, found) = (RaptorScratch(), 0)
        for seed in 1_000..<(1_000 + Self.networks) {
            guard var probe = try Probe(place, seed: seed) else { continue }
            for _ in 0..<Self.searches {
                let (query, time) = probe.query(isBackwards: true)
                let rounds = probe.brute.departures(
                    query.egress, by: time, within: query.maxSeconds, query.rules)
                let expected = BruteForce.best(
                    rounds, query.access, latest: time - query.maxSeconds, isBackwards: true)
                let journeys = probe.timetable.journeys(query, using: &scratch)
                #expect(journeys.map(\.departure) == expected, "network \(seed)")
                for journey in journeys { check(journey, of: query, probe) }
                found += journeys.count
            }
        }
        #expect(found > Self.networks)
    }

    @Test(arguments: places) func allThatIsReachedIsWhatBruteForceReaches(at place: Place) throws {
        var (scratch, found) = (RaptorScratch(), 0)
        for seed in 2_000..<(2_000 + Self.networks) {
            guard var probe = try Probe(place, seed: seed) else { continue }
            for _ in 0..<Self.searches {
                let (time, rules) = (probe.moment(), probe.rideRules())
                let query = ReachQuery(
                    access: probe.ends(), departAt: Date(timeIntervalSince1970: Double(time)),
                    maxSeconds: 14_400, rules: rules)
                let rounds = probe.brute.arrivals(query.access, at: time, within: 14_400, rules)
                let expected = probe.network.stops.indices.compactMap { stop -> [Int]? in
                    guard let best = rounds.compactMap({ $0[stop] }).min() else { return nil }
                    return [stop, best - time, rounds.firstIndex { $0[stop] == best } ?? -1]
                }
                let reached = probe.timetable.reach(query, using: &scratch)
                #expect(
                    reached.map { [$0.stop, $0.seconds, $0.transfers] } == expected,
                    "network \(seed)")
                for stop in reached.prefix(3) {
                    try checkLength(of: stop, query, probe, "network \(seed)")
                }
                found += reached.count
            }
        }
        #expect(found > Self.networks)
    }

    /// Among journeys with the same arrival it is the one that departs last, and backwards likewise.
    @Test(arguments: places) func noJourneyTakesLongerThanNeeded(at place: Place) throws {
        var (scratch, found) = (RaptorScratch(), 0)
        for seed in 3_000..<(3_000 + Self.networks) {
            guard var probe = try Probe(place, seed: seed) else { continue }
            for search in 0..<Self.searches {
                let isBackwards = search % 2 == 1
                let (query, time) = probe.query(isBackwards: isBackwards)
                for journey in probe.timetable.journeys(query, using: &scratch) {
                    var rules = query.rules
                    rules.maxTransfers = journey.transfers
                    let (begin, end) = (journey.departure.time, journey.arrival.time)
                    let rounds =
                        isBackwards
                        ? probe.brute.arrivals(
                            query.access, at: begin, within: time - begin, rules)
                        : probe.brute.departures(
                            query.egress, by: end, within: end - time, rules)
                    let best = BruteForce.best(
                        rounds, isBackwards ? query.egress : query.access, latest: time,
                        isBackwards: !isBackwards)
                    #expect(
                        best.last?.time == (isBackwards ? end : begin),
                        "network \(seed), search \(search)")
                    check(journey, of: query, probe)
                    found += 1
                }
            }
        }
        #expect(found > Self.networks)
    }

    /// It is as long as the journey there.
    private func checkLength(
        of reach: StopReach, _ query: ReachQuery, _ probe: Probe, _ name: String
    ) throws {
        // The first pass, as the reach itself: a journey may leave later, from another stop.
        let pass = probe.timetable.pass(
            TransitQuery(
                access: query.access, egress: [.init(stop: reach.stop, seconds: 0)],
                time: .departAt(query.departAt), maxSeconds: query.maxSeconds, rules: query.rules))
        var labels = RaptorLabels()
        labels.run(pass.search)
        let journeys = labels.arrivals.map { pass.journey($0, labels) }
        let journey = try #require(
            journeys.last { $0.transfers == reach.transfers }, "\(name)")
        let (rides, rules) = (journey.rides, probe.timetable.rules)
        func length(_ line: [Coordinate]) -> Double {
            zip(line, line.dropFirst()).reduce(0) { $0 + Geo.distanceMeters($1.0, $1.1) }
        }
        let changes = zip(rides, rides.dropFirst()).map { one, next in
            length([one.calls[one.calls.count - 1].at, next.calls[0].at]) * rules.detourFactor
        }
        let ridden = rides.map { length($0.geometry) }
        let meters: Double = (ridden + changes).reduce(0, +)
        #expect(reach.start == rides[0].calls[0].stop, "\(name)")
        #expect(abs(reach.meters - meters) < 1, "\(name): \(reach.meters), \(meters)")
    }

    /// It is made of trips that run, and of walks that there is time for.
    private func check(_ journey: Journey, of query: TransitQuery, _ probe: Probe) {
        let (network, brute) = (probe.network, probe.brute)
        var ready = Int(journey.departsAt.timeIntervalSince1970)
        var last: Int?
        for ride in journey.rides {
            let (board, alight) = (ride.calls[0].stop, ride.calls[ride.calls.count - 1].stop)
            let walk =
                last.map { brute.footpaths[$0][board] }
                ?? query.access.filter { $0.stop == board }.map(\.seconds).min()
            #expect(walk != nil)
            #expect(ready + (walk ?? 0) <= ride.departure)
            let isThere = brute.runs.contains { run in
                network.trips[run.trip].id == ride.tripID && run.day == ride.day.number
                    && run.calls.contains {
                        $0.stop == board && $0.departure == ride.departure && $0.canBoard
                    }
                    && run.calls.contains {
                        $0.stop == alight && $0.arrival == ride.arrival && $0.canAlight
                    }
            }
            #expect(isThere, "\(ride)")
            (ready, last) = (ride.arrival, alight)
        }
        let egress = query.egress.filter { $0.stop == last }.map(\.seconds).min()
        #expect(egress.map { ready + $0 } == Int(journey.arrivesAt.timeIntervalSince1970))
    }
}

extension Journey {
    fileprivate var arrival: BruteForce.Label {
        .init(time: Int(arrivesAt.timeIntervalSince1970), rides: rides.count)
    }

    fileprivate var departure: BruteForce.Label {
        .init(time: Int(departsAt.timeIntervalSince1970), rides: rides.count)
    }
}

extension JourneyRide {
    fileprivate var departure: Int { Int(departsAt.timeIntervalSince1970) }
    fileprivate var arrival: Int { Int(arrivesAt.timeIntervalSince1970) }
}
