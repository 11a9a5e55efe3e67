import Answers
import Contracts
import Foundation
import Geo
import Support
import Testing
import Transit

@testable import Carpool

@Suite struct FeedTests {
    @Test func journeyPlannersReadTripsWithoutTheirEnds() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted {
                $0.repeats?.exceptions = ["2026-11-30"]
                $0.repeats?.until = "2026-12-31"
            }
            try await bench.ride("cancel", try #require(seat.rideId)).expect(200, Ride.self)
            try await bench.follow()
            let feed = try await GTFSTables(bench)
            #expect(feed.column("agency_timezone", of: "agency") == ["Europe/Malta"])
            #expect(feed.column("route_type", of: "routes") == ["1551"])
            let link = "https://lift.example/lift/trips/\(trip.id)"
            #expect(feed.column("route_url", of: "routes") == [link])
            #expect(feed.column("monday", of: "calendar") == ["1"])
            #expect(feed.column("tuesday", of: "calendar") == ["0"])
            #expect(feed.column("start_date", of: "calendar") == ["20261123"])
            #expect(feed.column("end_date", of: "calendar") == ["20261231"])
            #expect(feed.column("date", of: "calendar_dates") == ["20261123", "20261130"])
            let stops = feed.column("stop_id", of: "stops")
            #expect(stops.count == 10 && stops == feed.column("stop_id", of: "stop_times"))
            #expect(feed.column("departure_time", of: "stop_times").first == "07:31:00")
            #expect(feed.column("shape_dist_traveled", of: "stop_times").first == "300")
            #expect(feed.column("drop_off_type", of: "stop_times").first == "1")
            #expect(feed.column("pickup_type", of: "stop_times").last == "1")
            #expect(!stops.contains("35.89650_14.51010"))
            #expect(!feed.column("shape_pt_lat", of: "shapes").contains("35.89650"))
            try Self.expectRight(feed)
        }
    }

    @Test func aFeedOfNothingIsAFeed() async throws {
        try await Bench.run { bench in
            let feed = try await GTFSTables(bench)
            #expect(feed.column("trip_id", of: "trips") == [])
            #expect(feed.column("feed_publisher_name", of: "feed_info") == ["OpenValet"])
            #expect(feed.column("agency_timezone", of: "agency") == ["UTC"])
        }
    }

    /// By the specification, and by our own reader, which other planners' are like.
    private static func expectRight(
        _ feed: GTFSTables, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(GTFSRules.problems(of: feed) == [], sourceLocation: sourceLocation)
        let read = try Transit.Feed.read(archive: feed.archive)
        #expect(read.report.problems == [], sourceLocation: sourceLocation)
        #expect(
            read.feed.trips.count == feed.rows("trips").count, sourceLocation: sourceLocation)
    }

    /// Trips of these zones, one driver each, at the same local time every day.
    private static func publish(
        in zones: [String], at time: String, on bench: Bench,
        _ change: (inout TripBody) -> Void = { _ in }
    ) async throws -> [Trip] {
        var trips: [Trip] = []
        for (number, zone) in zones.enumerated() {
            trips.append(
                try await bench.published(as: .another(.customer, number)) {
                    ($0.departsAt, $0.timeZone) = ("2026-11-23T\(time):00", zone)
                    change(&$0)
                })
        }
        return trips
    }

    /// All departures of the year to come, by the trips' own clocks: a minute later they pass the first stop.
    private static func expected(_ trip: Trip, in bench: Bench) async throws -> [Date] {
        let record = try await bench.database.read { try $0.trips.require(trip.id) }
        let schedule = try record.schedule
        let today = schedule.day(at: bench.clock.now)
        return try schedule.days(from: today, through: today.advanced(by: 365))
            .filter { try record.runs(on: $0) }
            .map { try record.departure(on: $0).addingTimeInterval(60) }
    }

    @Test(arguments: [
        (["Europe/Malta", "Europe/Helsinki"], "07:30"),
        (["Europe/Malta", "Europe/Malta", "Europe/Helsinki"], "23:30"),
        (["Europe/Malta", "Europe/Malta", "America/New_York", "Asia/Kolkata"], "07:30"),
        (["Europe/Malta", "Europe/Malta", "Pacific/Kiritimati", "Pacific/Pago_Pago"], "01:00"),
        // In these hours the clocks change.
        (["Europe/Malta", "Europe/Helsinki", "UTC"], "00:30"),
        (["Europe/Malta", "America/New_York"], "02:30"),
    ])
    func tripsOfSeveralTimeZonesHaveTheClockOfOne(
        _ zones: [String], _ time: String
    ) async throws {
        try await Bench.run { bench in
            let trips = try await Self.publish(in: zones, at: time, on: bench) {
                $0.repeats = TripRepeats(
                    weekdays: [.monday, .thursday, .sunday], exceptions: ["2026-12-24"])
            }
            let feed = try await GTFSTables(bench)
            try Self.expectRight(feed)
            #expect(feed.rows("agency").count == 1)
            for trip in trips {
                let found = try feed.departures(of: trip.id.uuid)
                let expected = try await Self.expected(trip, in: bench)
                #expect(found == expected && found.count > 150, "\(trip.timeZone)")
            }
        }
    }

    @Test func aTripOfAnotherTimeZoneIsConverted() async throws {
        try await Bench.run { bench in
            let zones = ["Europe/Helsinki", "Europe/Helsinki", "Europe/Malta"]
            let trips = try await Self.publish(in: zones, at: "23:30", on: bench) {
                $0.repeats = TripRepeats(weekdays: [.monday])
            }
            let feed = try await GTFSTables(bench)
            #expect(feed.column("agency_timezone", of: "agency") == ["Europe/Helsinki"])
            let id = trips[2].id.description
            let first = feed.rows("stop_times").first { $0["trip_id"] == id }
            #expect(first?["departure_time"] == "00:31:00")
            let days = feed.rows("calendar").first { $0["service_id"] == id }
            #expect(days?["monday"] == "0" && days?["tuesday"] == "1")
        }
    }

    /// Without a router each is a straight line.
    @Test func eachShapeHasItsPoints() async throws {
        try await Bench.run { bench in
            let vias: [[Coordinate]] = [
                [], [.north(10_000)], [.north(200), .north(19_900)],
                [.north(5_000), .north(5_001), .north(300)],
            ]
            for (number, via) in vias.enumerated() {
                _ = try await bench.published(as: .another(.customer, number)) {
                    ($0.destination, $0.via) = (Place(.north(20_000)), via)
                }
            }
            // Too short for two stops.
            _ = try await bench.published(as: .another(.customer, 9)) {
                $0.destination = Place(.north(1_500))
            }
            let feed = try await GTFSTables(bench)
            try Self.expectRight(feed)
            #expect(Set(feed.column("shape_id", of: "trips")).count == vias.count)
            let ends = feed.rows("shapes").filter { $0["shape_pt_sequence"] == "0" }
            #expect(ends.count == vias.count)
            #expect(ends.allSatisfy { $0["shape_dist_traveled"] == "300" })
        }
    }

    /// From 179.95 east to 179.95 west is ten kilometres.
    @Test func aTripAcrossTheDateLineStaysThere() async throws {
        try await Bench.run { bench in
            let ends = [179.95, -179.95].map { Coordinate(latitude: -16.8, longitude: $0) }
            for (person, ends) in [(TestPerson.alice, ends), (.bob, Array(ends.reversed()))] {
                _ = try await bench.published(as: person) {
                    ($0.origin, $0.destination) = (Place(ends[0]), Place(ends[1]))
                    $0.timeZone = "Pacific/Fiji"
                }
            }
            let feed = try await GTFSTables(bench)
            try Self.expectRight(feed)
            let places =
                feed.column("stop_lon", of: "stops") + feed.column("shape_pt_lon", of: "shapes")
            #expect(places.count > 20)
            #expect(places.allSatisfy { Double($0).map { abs($0) >= 179.95 } ?? false })
        }
    }

    @Test func aTripWithoutADayToComeIsLeftOut() async throws {
        try await Bench.run { bench in
            let (once, seat) = try await bench.accepted(
                { ($0.departsAt, $0.repeats) = ("2026-11-26T07:30:00", nil) },
                { $0.date = "2026-11-26" })
            // The days left are exceptions; the last day is over; one day is left.
            _ = try await bench.published(as: .another(.customer, 1)) {
                $0.repeats = TripRepeats(
                    weekdays: [.monday], until: "2026-12-04", exceptions: ["2026-11-30"])
            }
            _ = try await bench.published(as: .another(.customer, 2)) {
                $0.repeats?.until = "2026-11-23"
            }
            let last = try await bench.published(as: .another(.customer, 3)) {
                $0.repeats?.until = "2026-11-25"
            }
            try await bench.ride("cancel", try #require(seat.rideId)).expect(200, Ride.self)
            // The queue has not come to end any of them yet.
            bench.clock.advance(by: 3 * 86_400)
            try await bench.follow()
            let feed = try await GTFSTables(bench)
            try Self.expectRight(feed)
            #expect(!feed.column("route_id", of: "trips").contains(once.id.description))
            #expect(feed.column("route_id", of: "routes") == [last.id.description])
            #expect(feed.column("start_date", of: "calendar") == ["20261124"])
        }
    }
}
