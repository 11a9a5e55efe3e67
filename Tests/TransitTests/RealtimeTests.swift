import Foundation
import Testing
import TripMaker

@testable import Transit

/// Writes the wire format of Protocol Buffers, by hand.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    private static func number(_ value: UInt64) -> [UInt8] {
        var (rest, bytes): (UInt64, [UInt8]) = (value, [])
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    mutating func add(_ field: UInt64, _ value: Int) {
        bytes += Self.number(field << 3) + Self.number(UInt64(bitPattern: Int64(value)))
    }

    mutating func add(_ field: UInt64, _ text: String) { add(field, [UInt8](text.utf8)) }

    mutating func add(_ field: UInt64, _ message: [UInt8]) {
        bytes += Self.number(field << 3 | 2) + Self.number(UInt64(message.count)) + message
    }

    mutating func add(_ field: UInt64, _ build: (inout ProtobufWriter) -> Void) {
        var writer = ProtobufWriter()
        build(&writer)
        add(field, writer.bytes)
    }

    mutating func addFixed(_ field: UInt64, bytes count: Int) {
        bytes +=
            Self.number(field << 3 | (count == 8 ? 1 : 5)) + [UInt8](repeating: 7, count: count)
    }
}

/// A feed of trip updates.
struct RealtimeWriter {
    private var feed = ProtobufWriter()

    init(time: Int? = nil, incrementality: Int = 0) {
        feed.add(1) { header in
            header.add(1, "2.0")
            header.add(2, incrementality)
            if let time { header.add(3, time) }
        }
    }

    var data: Data { Data(feed.bytes) }

    mutating func trip(
        _ id: String, day: ServiceDay? = nil, start: String? = nil, relationship: Int = 0,
        _ stops: (inout ProtobufWriter) -> Void = { _ in }
    ) {
        feed.add(2) { entity in
            entity.add(1, "e")
            // Fields that are not read: of an extension, and a position.
            entity.addFixed(1_001, bytes: 8)
            entity.add(4) { $0.add(1, "x") }
            entity.add(3) { update in
                update.add(1) { trip in
                    trip.add(1, id)
                    if let start { trip.add(2, start) }
                    if let day { trip.add(3, "\(day)") }
                    trip.add(4, relationship)
                    trip.addFixed(1_002, bytes: 4)
                }
                stops(&update)
            }
        }
    }
}

extension ProtobufWriter {
    /// An update of a stop; delays are of arrival and departure.
    mutating func stop(
        _ sequence: Int? = nil, id: String? = nil, arrival: Int? = nil, departure: Int? = nil,
        arrivesAt time: Int? = nil, relationship: Int = 0
    ) {
        add(2) { stop in
            if let sequence { stop.add(1, sequence) }
            if let arrival { stop.add(2) { $0.add(1, arrival) } }
            if let time { stop.add(2) { $0.add(2, time) } }
            if let departure { stop.add(3) { $0.add(1, departure) } }
            if let id { stop.add(4, id) }
            stop.add(5, relationship)
        }
    }
}

@Suite struct RealtimeTests {
    private let monday = ServiceDay(number: 20_458)
    private let timetable: Timetable

    init() throws {
        timetable = Timetable(
            [try SmallFeed.read().feed], rules: .init(maxMeters: 0, minSeconds: 0))
    }

    private var morning: Int { monday.start(in: timetable.feeds[0].timeZone) + 7 * 3_600 }

    /// Minutes after seven: departure at Alpha, arrival at Gamma; nil without a journey.
    private func ride(_ timetable: Timetable, from: String = "A") throws -> [Int]? {
        let query = TransitQuery(
            access: [.init(stop: try #require(timetable.stop(from)), seconds: 0)],
            egress: [.init(stop: try #require(timetable.stop("C")), seconds: 0)],
            time: .departAt(Date(timeIntervalSince1970: Double(morning))), maxSeconds: 14_400)
        guard let ride = timetable.journeys(query).first?.rides.first else { return nil }
        return [ride.departsAt, ride.arrivesAt].map {
            (Int($0.timeIntervalSince1970) - morning) / 60
        }
    }

    private func applying(
        _ writer: RealtimeWriter
    ) throws -> (timetable: Timetable, report: RealtimeReport) {
        timetable.applying(
            try RealtimeFeed(writer.data), now: Date(timeIntervalSince1970: Double(morning)))
    }

    @Test func thatMondayIsOne() { #expect(monday.weekday == 0 && "\(monday)" == "20260105") }

    /// Scheduled at 60, 70 and 100 minutes after seven.
    static let updates:
        [(stops: [(place: Int?, id: String?, delay: Int?, kind: Int)], ride: [Int]?)] = [
            ([(1, nil, 300, 0)], [65, 105]),
            ([(nil, "B", 300, 0)], [60, 105]),
            ([(1, nil, 300, 0), (2, nil, 60, 0)], [65, 101]),
            // It can't be at Gamma before it has left Beta.
            ([(1, nil, 0, 0), (2, nil, 2_400, 0), (5, nil, 0, 0)], [60, 110]),
            ([(1, nil, 300, 0), (2, nil, nil, 2)], [65, 100]),
            ([(1, nil, -120, 0)], [58, 98]),
            ([(1, nil, nil, 1)], nil),
            ([(2, nil, nil, 1)], [60, 100]),
            ([(5, nil, nil, 1)], nil),
        ]

    @Test(arguments: updates)
    func delaysGoOnUpToTheNextStopThatSaysMore(
        stops: [(place: Int?, id: String?, delay: Int?, kind: Int)], ride: [Int]?
    ) throws {
        var writer = RealtimeWriter()
        writer.trip("T", day: monday) { update in
            for stop in stops {
                update.stop(stop.place, id: stop.id, departure: stop.delay, relationship: stop.kind)
            }
        }
        let (updated, report) = try applying(writer)
        #expect(report == RealtimeReport(changed: 1))
        #expect(try self.ride(updated) == ride)
        #expect(try self.ride(timetable) == [60, 100], "the timetable itself is as it was")
    }

    @Test func aTimeGoesBeforeADelay() throws {
        let at = morning + 75 * 60
        var writer = RealtimeWriter()
        writer.trip("T") { update in
            update.add(2) { stop in
                stop.add(1, 1)
                stop.add(3) { event in
                    event.add(1, 60)
                    event.add(2, at)
                }
            }
        }
        #expect(try ride(try applying(writer).timetable) == [75, 115])
    }

    @Test func whatIsCanceledDoesNotRunThatDayAlone() throws {
        var writer = RealtimeWriter()
        writer.trip("T", day: monday, relationship: 3)
        let (updated, report) = try applying(writer)
        #expect(report == RealtimeReport(canceled: 1))
        #expect(try ride(updated) == nil)
        #expect(updated.tripCount(on: monday + 1) == 2)
        // The next feed says nothing of it.
        let later = updated.applying(try RealtimeFeed(RealtimeWriter().data), now: .now).timetable
        #expect(try ride(later) == [60, 100])
    }

    @Test func whatNobodyKnowsIsCounted() throws {
        var writer = RealtimeWriter(time: morning)
        writer.trip("X", day: monday) { $0.stop(1, departure: 60) }
        writer.trip("T", day: monday + 5) { $0.stop(1, departure: 60) }
        writer.trip("T", day: monday) { $0.stop(77, departure: 60) }
        writer.trip("N", relationship: 1)
        let (updated, report) = try applying(writer)
        #expect(report == RealtimeReport(unknown: 3, unsupported: 1))
        #expect(try ride(updated) == [60, 100])
        let elsewhere = timetable.applying(
            try RealtimeFeed(writer.data), toFeed: 7, now: .now)
        #expect(elsewhere.report.unknown == 4)
    }

    /// At one on Tuesday, Monday's trip is on its way.
    @Test func withoutADateTheDayIsMeantOnWhichTheTripRuns() throws {
        var writer = RealtimeWriter(time: morning + 18 * 3_600)
        writer.trip("U", relationship: 3)
        let updated = try applying(writer).timetable
        #expect(updated.tripCount(on: monday) == 1)
        #expect(updated.tripCount(on: monday + 1) == 2)
    }

    @Test func ofATripWithFrequenciesOneIsMeant() throws {
        let feed = try SmallFeed.read([
            "frequencies.txt":
                "trip_id,start_time,end_time,headway_secs\nT,08:00:00,09:00:00,1200\n"
        ]).feed
        let timetable = Timetable([feed], rules: .init(maxMeters: 0, minSeconds: 0))
        var writer = RealtimeWriter(time: morning)
        writer.trip("T", day: monday, start: "08:00:00", relationship: 3)
        writer.trip("T", day: monday, start: "08:20:00") { $0.stop(1, departure: 240) }
        writer.trip("T", day: monday, start: "08:21:00") { $0.stop(1, departure: 240) }
        let (updated, report) = timetable.applying(try RealtimeFeed(writer.data), now: .now)
        #expect(report == RealtimeReport(changed: 1, canceled: 1, unknown: 1))
        #expect(try ride(timetable) == [60, 100])
        #expect(try ride(updated) == [84, 124])
    }

    @Test func numbersBeyondAllMeasureDoNoHarm() throws {
        for number in [Int.max, .min, 1 << 40, -(1 << 40)] {
            var writer = RealtimeWriter(time: number)
            writer.trip("T", day: monday) { update in
                update.add(5, number)
                update.add(2) { stop in
                    stop.add(1, 2)
                    stop.add(2) { $0.add(2, number) }
                    stop.add(3) { $0.add(1, number) }
                }
                update.stop(number, departure: number)
            }
            let (updated, report) = try applying(writer)
            #expect(report == RealtimeReport(changed: 1))
            #expect(updated.tripCount(on: monday) == 2)
            _ = try ride(updated)
        }
    }

    @Test func garbageIsRefused() throws {
        #expect(throws: RealtimeError.noHeader) { try RealtimeFeed(Data()) }
        #expect(throws: RealtimeError.notProtobuf) { try RealtimeFeed(Data("<html></html>".utf8)) }
        #expect(throws: RealtimeError.differential) {
            try RealtimeFeed(RealtimeWriter(incrementality: 1).data)
        }
        var writer = RealtimeWriter(time: 7)
        writer.trip("T", day: monday, start: "08:00:00") { $0.stop(1, arrival: -60, departure: 60) }
        let good = writer.data
        let feed = try RealtimeFeed(good)
        #expect(feed.timestamp == Date(timeIntervalSince1970: 7))
        #expect(feed.trips.first?.stops.first?.arrival?.delay == -60)
        for length in 1..<good.count where length != RealtimeWriter(time: 7).data.count {
            #expect(throws: RealtimeError.self) { try RealtimeFeed(good.prefix(length)) }
        }
        var random = SeededNumbers(seed: 5)
        for _ in 0..<2_000 {
            var broken = good
            for _ in 0...Int.random(in: 0...3, using: &random) {
                broken[.random(in: broken.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            // Whatever is still read is applied without harm.
            guard let feed = try? RealtimeFeed(broken) else { continue }
            _ = try ride(timetable.applying(feed, now: Date(timeIntervalSince1970: 9e8)).timetable)
        }
    }
}

/// Updates at random against brute force over trips that are changed the same way.
@Suite struct RealtimeSearchTests {
    @Test(arguments: RaptorTests.places.prefix(3))
    func searchesSeeWhatIsKnownNow(at place: RaptorTests.Place) throws {
        var (scratch, found, changed) = (RaptorScratch(), 0, 0)
        for seed in 300..<330 {
            guard var probe = try RaptorTests.Probe(place, seed: seed) else { continue }
            var (brute, writer) = (probe.brute, RealtimeWriter())
            var gone: Set<Int> = []
            for number in brute.runs.indices where probe.random.chance(0.4) {
                update(number, &brute, &gone, &writer, &probe.random)
            }
            brute.runs = brute.runs.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
            let (timetable, report) = probe.timetable.applying(
                try RealtimeFeed(writer.data), now: .now)
            #expect(report.unknown == 0)
            changed += report.changed + report.canceled
            for _ in 0..<4 {
                let (query, time) = probe.query(isBackwards: false)
                let rounds = brute.arrivals(
                    query.access, at: time, within: query.maxSeconds, query.rules)
                let expected = BruteForce.best(
                    rounds, query.egress, latest: time + query.maxSeconds)
                let journeys = timetable.journeys(query, using: &scratch)
                #expect(
                    journeys.map { Int($0.arrivesAt.timeIntervalSince1970) }
                        == expected.map(\.time),
                    "network \(seed)")
                #expect(journeys.map(\.rides.count) == expected.map(\.rides))
                found += journeys.count
            }
        }
        #expect(found > 30 && changed > 300)
    }

    /// Cancels a run, or delays it from a stop on and lets it pass another.
    private func update(
        _ number: Int, _ brute: inout BruteForce, _ gone: inout Set<Int>,
        _ writer: inout RealtimeWriter, _ random: inout SeededNumbers
    ) {
        let run = brute.runs[number]
        let trip = brute.network.trips[run.trip]
        let start = Network.clock(trip.calls[0].departure + run.shift)
        let day = ServiceDay(number: run.day)
        // Two of a trip that start at the same time are one.
        let isTwice =
            brute.runs.filter {
                $0.trip == run.trip && $0.day == run.day && $0.shift == run.shift
            }.count > 1
        guard !isTwice else { return }
        if random.chance(0.2) {
            gone.insert(number)
            return writer.trip(trip.id, day: day, start: start, relationship: 3)
        }
        let from = Int.random(in: run.calls.indices, using: &random)
        let skipped = random.chance(0.3) ? Int.random(in: run.calls.indices, using: &random) : nil
        let delay = Int.random(in: 1...40, using: &random) * 60
        for place in run.calls.indices where place >= from {
            brute.runs[number].calls[place].arrival += delay
            brute.runs[number].calls[place].departure += delay
        }
        if let skipped {
            brute.runs[number].calls[skipped].canBoard = false
            brute.runs[number].calls[skipped].canAlight = false
        }
        writer.trip(trip.id, day: day, start: start) { update in
            for place in run.calls.indices {
                if place == skipped {
                    // Where it is skipped, no delay begins.
                    if place == from { brute.delayLater(number, place, by: delay) }
                    update.stop(place * 2 + 1, relationship: 1)
                } else if place == from {
                    update.stop(place * 2 + 1, arrival: delay)
                }
            }
        }
    }
}

extension BruteForce {
    /// Takes a delay back that a stop which is skipped could not announce.
    fileprivate mutating func delayLater(_ number: Int, _ place: Int, by delay: Int) {
        for later in runs[number].calls.indices where later >= place {
            runs[number].calls[later].arrival -= delay
            runs[number].calls[later].departure -= delay
        }
    }
}
