import Foundation
import Gzipping
import Maps
import Support
import Testing
import Transit

@testable import OpenValet

/// Timetables of maps: given ones, and those whose times are made up.
@Suite(.enabled(if: MapTools.areThere, MapTools.absence))
struct TransitMapTests {
    private let village: Village

    init() throws { village = try Village() }

    /// The village with a bus along three of its streets, and a second one that is broken.
    private func extract(_ name: String) throws -> String {
        let (time, at) = (
            #"version="1" timestamp="2026-01-01T00:00:00Z""#, #"lat="35.5000" lon="18.0000""#
        )
        return try village.extract(
            name,
            [
                #"<node id="1" \#(time) \#(at)/>"#:
                    #"<node id="1" \#(time) \#(at)><tag k="name" v="Qabel, 1% u =@"/>"#
                    + #"<tag k="wheelchair" v="yes"/></node>"#,
                "</osm>": #"""
                <relation id="60" \#(time)>
                  <member type="node" ref="1" role="stop_entry_only"/>
                  <member type="node" ref="2" role="stop"/>
                  <member type="node" ref="4" role="stop_exit_only"/>
                  <member type="node" ref="999" role="stop"/>
                  <member type="way" ref="20" role=""/>
                  <member type="way" ref="21" role=""/>
                  <member type="way" ref="22" role="forward"/>
                  <tag k="type" v="route"/><tag k="route" v="bus"/><tag k="ref" v="41"/>
                  <tag k="name" v="Bus 41"/>
                </relation>
                <relation id="61" \#(time)>
                  <member type="node" ref="1" role="stop"/>
                  <member type="node" ref="999" role="stop"/>
                  <tag k="type" v="route"/><tag k="route" v="tram"/><tag k="ref" v="1"/>
                </relation>
                </osm>
                """#,
            ])
    }

    private func timetable() throws -> Feed {
        try Feed.read(try #require(village.maps.maps().first).transit).feed
    }

    private func feed(_ name: String, trips: String = "R,S,T") throws -> String {
        let files = [
            "agency.txt": "agency_name,agency_url,agency_timezone\nReal,http://a,Europe/Malta",
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon\nA,A,35.5,18\nB,B,35.504,18\nC,C,95,0",
            "routes.txt": "route_id,route_short_name,route_type\nR,7,3",
            "trips.txt": "route_id,service_id,trip_id\n\(trips)",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "T,08:00:00,08:00:00,A,1\nT,08:05:00,08:05:00,B,2",
            "calendar_dates.txt": "service_id,date,exception_type\nS,20260105,1",
        ]
        let path = "\(village.folder.path)/\(name).zip"
        try Zip.archive(files.map { ($0.key, Data($0.value.utf8)) }, at: Date())
            .write(to: URL(filePath: path))
        return path
    }

    @Test func linesGetMadeUpTimesUntilSomebodyGivesATimetable() throws {
        let extract = try extract("bus")
        let added = try village.map("add", extract, "--name", "valley")
        #expect(added.status == 0, "\(added.output)")
        #expect(added.output.contains("made-up times for 1 lines"))
        let madeUp = try timetable()
        #expect(madeUp.isMadeUp)
        #expect(madeUp.routes.map(\.shortName) == ["41"])
        #expect(madeUp.stops.map(\.name) == ["Qabel, 1% u =@", "n2", "n4"])
        #expect(madeUp.stops.map(\.wheelchair) == [.yes, .unknown, .unknown])
        // Round the block.
        #expect(madeUp.shapes.map(\.count) == [4])
        #expect(Timetable([madeUp]).stops(near: madeUp.stops[0].at, within: 1_000).count == 3)

        for (name, trips, reason) in [
            ("broken", "Q,S,T", "trips.txt:2: error: route_id \"Q\" is not known"),
            ("none", "", "The feed has no trip."),
        ] {
            let refused = try village.map(
                "update", "valley", extract, "--gtfs", try feed(name, trips: trips))
            #expect(refused.status != 0)
            #expect(refused.output.contains(reason), "\(refused.output)")
        }
        #expect(try timetable().isMadeUp, "nothing was changed")

        let given = try village.map("update", "valley", extract, "--gtfs", try feed("real"))
        #expect(given.status == 0, "\(given.output)")
        #expect(given.output.contains("stops.txt:4: error: \"95, 0\" is no place on Earth"))
        #expect(try timetable().agencies.map(\.name) == ["Real"])
        let kept = try village.map("update", "valley", extract)
        #expect(kept.status == 0, "\(kept.output)")
        #expect(try timetable().agencies.map(\.name) == ["Real"])
    }

    @Test func aVillageWithoutLinesHasNoTimetable() throws {
        let added = try village.map("add", village.extract(), "--name", "valley")
        #expect(added.status == 0, "\(added.output)")
        #expect(added.output.contains("no public transport"))
        let map = try #require(village.maps.maps().first)
        #expect(!FileManager.default.fileExists(atPath: map.transit))
        #expect(try village.map("add", village.extract(), "--gtfs", "/nonexistent.zip").status != 0)
        #expect(
            try village.map("add", village.extract(), "--gtfs", "/tmp").output.contains(
                "is a folder"))
    }
}
