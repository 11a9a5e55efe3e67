import Answers
import Contracts
import Foundation
import Support
import Testing

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
            let feed = try await Feed(bench)
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
        }
    }

    @Test func aFeedOfNothingIsAFeed() async throws {
        try await Bench.run { bench in
            let feed = try await Feed(bench)
            #expect(feed.column("trip_id", of: "trips") == [])
            #expect(feed.column("feed_publisher_name", of: "feed_info") == ["OpenValet"])
        }
    }
}

/// The tables of a feed, read by somebody else's unzip.
private struct Feed: Sendable {
    private let tables: [String: [[String: String]]]

    init(_ bench: Bench) async throws {
        let answer = try await bench.call(.get, "/v1/carpool/gtfs", as: nil)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/zip")
        let folder = try TestFolder("gtfs")
        let path = "\(folder.path)/feed.zip"
        try answer.data.write(to: URL(filePath: path))
        let script = """
            import csv, io, json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(json.dumps({name: list(csv.DictReader(io.TextIOWrapper(archive.open(name))))
                for name in archive.namelist()}))
            """
        let text = try Command.output("python3", ["-c", script, path])
        tables = try JSONDecoder().decode(
            [String: [[String: String]]].self, from: Data(text.utf8))
    }

    func column(_ name: String, of table: String) -> [String] {
        (tables["\(table).txt"] ?? []).compactMap { $0[name] }
    }
}
