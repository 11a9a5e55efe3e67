import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Carpool

@Suite struct FeedTests {
    /// Read by somebody else's unzip.
    private func tables(_ bench: Bench) async throws -> [String: [[String: String]]] {
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
        return try JSONDecoder().decode(
            [String: [[String: String]]].self, from: Data(text.utf8))
    }

    @Test func journeyPlannersReadTripsWithoutTheirEnds() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted {
                $0.repeats?.exceptions = ["2026-11-30"]
                $0.repeats?.until = "2026-12-31"
            }
            try await bench.ride("cancel", try #require(seat.rideId)).expect(200, Ride.self)
            try await bench.follow()
            let tables = try await tables(bench)
            let id = trip.id.description
            #expect(tables["agency.txt"]?.map { $0["agency_timezone"] } == ["Europe/Malta"])
            #expect(tables["routes.txt"]?.first?["route_type"] == "1551")
            #expect(
                tables["routes.txt"]?.first?["route_url"]
                    == "https://lift.example/lift/trips/\(id)")
            let calendar = try #require(tables["calendar.txt"]?.first)
            #expect(calendar["monday"] == "1" && calendar["tuesday"] == "0")
            #expect(calendar["start_date"] == "20261123" && calendar["end_date"] == "20261231")
            #expect(tables["calendar_dates.txt"]?.map { $0["date"] } == ["20261123", "20261130"])
            let times = try #require(tables["stop_times.txt"])
            #expect(times.count == 10)
            #expect(times.first?["departure_time"] == "07:31:00")
            #expect(times.first?["shape_dist_traveled"] == "300")
            #expect(times.first?["drop_off_type"] == "1" && times.last?["pickup_type"] == "1")
            let stops = try #require(tables["stops.txt"])
            let places: [String] = stops.compactMap { $0["stop_id"] }
            let passed: [String] = times.compactMap { $0["stop_id"] }
            #expect(passed == places)
            #expect(!places.contains("35.89650_14.51010"))
            #expect(tables["shapes.txt"]?.contains { $0["shape_pt_lat"] == "35.89650" } == false)
        }
    }

    @Test func aFeedOfNothingIsAFeed() async throws {
        try await Bench.run { bench in
            let tables = try await tables(bench)
            #expect(tables["trips.txt"] == [] && tables["feed_info.txt"]?.count == 1)
        }
    }
}
