import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Getalift

@Suite(.withoutDatabase) struct WallClockTests {
    private let clock = WallClock(TimeZone(identifier: "Europe/Malta") ?? .gmt)
    /// Wednesday, 25 November 2026, 15 o'clock in Malta.
    private let now = Wire.date("2026-11-25T14:00:00Z") ?? Date()

    @Test(arguments: [
        ("2026-12-01 07:30", "2026-12-01T06:30:00.000Z"),
        ("01-12-2026 07:30", "2026-12-01T06:30:00.000Z"),
        ("2026-12-01  07:3", "2026-12-01T06:03:00.000Z"),
        ("2026-7-1 7:30:15", "2026-07-01T05:30:15.000Z"),
        ("2026-12-01 7:30 PM", "2026-12-01T18:30:00.000Z"),
        ("2026-12-01 12:05 am", "2026-11-30T23:05:00.000Z"),
        ("2026-12-01 7:30 ", "2026-12-01T06:30:00.000Z"),
        ("2026-12-01T07:30:00.000Z", "2026-12-01T06:30:00.000Z"),
        // A time alone is of today, of tomorrow once it is long over.
        ("16:45", "2026-11-25T15:45:00.000Z"), ("14:30", "2026-11-25T13:30:00.000Z"),
        ("7:05", "2026-11-26T06:05:00.000Z"),
        // Android's evening.
        ("2026-11-25 25:10:00", "2026-11-26T00:10:00.000Z"),
    ])
    func everyFormOfADateIsRead(text: String, moment: String) throws {
        let found = try #require(clock.moment(text, at: now))
        #expect(Wire.text(found) == moment)
    }

    @Test(arguments: [
        "", " ", "now", "2026-02-30 07:30", "2026-13-01 07:30", "2026-12-01", "26:00", "12:60",
        "2026-12-01 13:00 PM", "2026-12-01 07:30; DROP TABLE x", "١٢:٣٠", "0000-01-01 10:00",
        "99-99-9999 10:00",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(clock.moment(text, at: now) == nil)
    }

    @Test func datesAreWrittenWithoutAnOffset() {
        #expect(clock.text(now) == "2026-11-25T15:00:00.000Z")
    }

    @Test(arguments: [
        ("2026-12-01;07:30", [("2026-12-01T07:30", false)]),
        ("2026-12-1;9:5:00", [("2026-12-01T09:05", false)]),
        ("2026-12-01;07:30;1", [("2026-12-01T07:30", true)]),
        ("2026-12-01 07:30:00;0", [("2026-12-01T07:30", false)]),
        (
            "2026-12-01 07:30;1;2026-12-02 07:30;1",
            [("2026-12-01T07:30", true), ("2026-12-02T07:30", true)]
        ),
        (
            "2026-12-01;07:30;2026-12-02;08:00;",
            [("2026-12-01T07:30", false), ("2026-12-02T08:00", false)]
        ),
    ])
    func datesOfARouteAreRead(text: String, expected: [(String, Bool)]) throws {
        let found = try #require(clock.departures(text, at: now))
        #expect(found.map { clock.time(of: $0.date).text.prefix(16) } == expected.map { $0.0[...] })
        #expect(found.map(\.isWeekly) == expected.map(\.1))
    }

    @Test(arguments: [
        "", ";", "1", "07:30", "2026-12-01", "2026-12-01;1", "2026-12-01;2026-12-02",
        "2026-12-01;later", String(repeating: "2026-12-01;07:30;", count: 15),
    ])
    func whatIsNoDateOfARouteIsNone(text: String) {
        #expect(clock.departures(text, at: now) == nil)
    }

    private func trip(_ departsAt: String, _ repeats: TripRepeats? = nil) -> Trip {
        let point = Coordinate(latitude: 35.9, longitude: 14.5)
        var trip = Trip(
            id: .new(), status: .open,
            driver: TripPerson(id: .new(), firstName: "Dora", rating: nil), origin: Place(point),
            destination: Place(point), way: LineString([point]), isStraightLine: true,
            distanceMeters: 1, durationSeconds: 1, departsAt: departsAt,
            timeZone: "Europe/Malta", seats: 3, createdAt: now, version: 1)
        trip.repeats = repeats
        return trip
    }

    @Test func aTripOfEveryWeekHasADateAWeekday() {
        let once = clock.days(of: trip("2026-11-20T07:30:00"), at: now)
        #expect(once.map(\.text) == ["2026-11-20T07:30:00.000Z"])
        #expect(once.map(\.isWeekly) == [false])
        let weekly = clock.days(
            of: trip("2026-10-19T07:30:00", TripRepeats(weekdays: [.monday, .wednesday])), at: now)
        // This Wednesday's is over; the clocks were changed in between.
        #expect(weekly.map(\.text) == ["2026-11-30T07:30:00.000Z", "2026-12-02T07:30:00.000Z"])
        #expect(weekly.map(\.name) == ["mo", "we"])
        let skipped = clock.days(
            of: trip(
                "2026-10-19T07:30:00",
                TripRepeats(
                    weekdays: [.monday], until: "2026-12-31", exceptions: ["2026-11-30"])), at: now)
        #expect(skipped.map(\.text) == ["2026-12-07T07:30:00.000Z"])
        let ended = clock.days(
            of: trip("2026-10-19T07:30:00", TripRepeats(weekdays: [.monday], until: "2026-11-01")),
            at: now)
        #expect(ended.map(\.text) == ["2026-10-19T07:30:00.000Z"])
    }
}
