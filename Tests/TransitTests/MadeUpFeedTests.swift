import Foundation
import Geo
import Gzipping
import Testing

@testable import Transit

@Suite struct MadeUpFeedTests {
    private func stop(_ id: String, _ name: String, _ east: Double) -> MadeUpLine.Stop {
        .init(
            id: id, name: name, at: Coordinate(latitude: 35.9, longitude: 14.5 + east),
            wheelchair: .yes)
    }

    private var lines: [MadeUpLine] {
        let stops = [
            stop("a", "Alpha, \"upper\"", 0), stop("b", "Beta", 0.01), stop("b", "Beta", 0.01),
            stop("c", "Gamma\nlower", 0.05),
        ]
        return [
            MadeUpLine(
                id: "r1", ref: "41", name: "Alpha – Gamma", mode: .bus, wheelchair: .yes,
                stops: stops, geometry: stops.map(\.at)),
            MadeUpLine(id: "r2", ref: "T", name: "", mode: .tram, stops: stops.reversed()),
            MadeUpLine(id: "r3", ref: "0", name: "", mode: .bus, stops: [stops[1], stops[2]]),
        ]
    }

    private func madeUp(_ lines: [MadeUpLine]) throws -> MadeUpFeed {
        let (first, last) = (
            try #require(ServiceDay("20260101")), try #require(ServiceDay("20291231"))
        )
        let zone = try #require(TimeZone(identifier: "Europe/Malta"))
        return try #require(MadeUpFeed(lines, timeZone: zone, days: first...last))
    }

    @Test func itIsARightFeedThatSaysThatItIsMadeUp() throws {
        let (feed, report) = try Feed.read(archive: try madeUp(lines).archive)
        #expect(report.problems == [])
        #expect(feed.isMadeUp)
        #expect(feed.info?.publisher == "OpenValet: a made-up timetable")
        #expect(feed.agencies.map(\.name) == ["Made-up times"])
        let readme = try ZipReader(try madeUp(lines).archive).file("README.txt") ?? Data()
        #expect(
            String(decoding: readme, as: UTF8.self).hasPrefix(
                "The times in this timetable are made up."))
        #expect(try SmallFeed.read().feed.isMadeUp == false)
    }

    @Test func linesKeepTheirStopsAndNames() throws {
        let feed = try Feed.read(archive: try madeUp(lines).archive).feed
        // The third has one stop, twice.
        #expect(feed.routes.map(\.id) == ["r1", "r2"])
        #expect(feed.routes.map(\.mode) == [.bus, .tram])
        #expect(feed.stops.map(\.name) == ["Alpha, \"upper\"", "Beta", "Gamma\nlower"])
        let trip = try #require(feed.trips.first { $0.id == "r1 weekdays" })
        #expect(feed.stopTimes[trip.stopTimes].map(\.stop) == [0, 1, 2])
        #expect(trip.headsign == "Gamma\nlower")
        #expect(trip.shape.map { feed.shapes[$0].count } == 4)
    }

    @Test func vehiclesRunFromMorningToMidnightMoreOftenOnWeekdays() throws {
        let feed = try Feed.read(archive: try madeUp(lines).archive).feed
        let timetable = Timetable([feed])
        let (friday, saturday) = (
            try #require(ServiceDay("20260109")), try #require(ServiceDay("20260110"))
        )
        #expect(timetable.tripCount(on: friday) > 2 * timetable.tripCount(on: saturday))
        #expect(timetable.tripCount(on: friday) > 100)
        let times = timetable.layers[0].patterns.times
        #expect((18_000...21_600).contains(times.lowerBound))
        #expect((82_800...93_600).contains(times.upperBound))
    }

    @Test func theSameLinesMakeTheSameBytes() throws {
        #expect(try madeUp(lines).archive == madeUp(lines.reversed()).archive)
        #expect(
            MadeUpFeed([lines[2]], timeZone: .gmt, days: .init(number: 0)...(.init(number: 9)))
                == nil)
    }
}
