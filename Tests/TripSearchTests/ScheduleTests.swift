import Foundation
import Testing

@testable import TripSearch

@Suite struct ScheduleTests {
    private func schedule(
        _ first: String, _ hour: Int, _ minute: Int = 0, zone: String = "Europe/Malta",
        weekdays: UInt8 = 0, until: String? = nil, except: [String] = []
    ) throws -> Schedule {
        let day = try day(first)
        return try #require(
            Schedule(
                firstDay: day, secondOfDay: hour * 3_600 + minute * 60,
                timeZone: zone, weekdays: weekdays, until: until.flatMap { Day($0) },
                exceptions: except.compactMap { Day($0) }))
    }

    private func day(_ text: String) throws -> Day { try #require(Day(text)) }

    @Test func onceIsOnItsFirstDayAlone() throws {
        let once = try schedule("2026-12-01", 7)
        #expect(
            try once.days(from: day("2026-01-01"), through: day("2027-01-01")) == [once.firstDay])
        #expect(once.next(from: once.firstDay + 1) == nil)
        #expect(!once.runs(on: once.firstDay + 7))
        #expect(try !schedule("2026-12-01", 7, except: ["2026-12-01"]).runs(on: once.firstDay))
    }

    @Test func aRepeatIsOnItsWeekdaysFromItsFirstDayUntilItsLastButForExceptions() throws {
        let weekly = try schedule(
            "2026-12-01", 7, weekdays: 0b101, until: "2026-12-16", except: ["2026-12-09"])
        let days = weekly.days(from: .earliest, through: .latest).map(\.description)
        #expect(days == ["2026-12-02", "2026-12-07", "2026-12-14", "2026-12-16"])
        #expect(try weekly.next(from: day("2026-12-08")) == day("2026-12-14"))
        #expect(try weekly.next(from: day("2026-12-17")) == nil)
        #expect(weekly.next(from: .earliest)?.description == "2026-12-02")
        #expect(try weekly.days(from: day("2026-12-10"), through: day("2026-12-09")).isEmpty)
    }

    @Test func aLeapDayRuns() throws {
        let weekly = try schedule("2028-02-01", 7, weekdays: 0b10)
        #expect(try weekly.runs(on: day("2028-02-29")))
    }

    @Test func theNextDayIsFoundBehindManyExceptions() throws {
        let first = try day("2026-12-01")
        let except = (0..<400).map { (first + $0).description }
        let weekly = try schedule("2026-12-01", 7, weekdays: 0b111_1111, except: except)
        #expect(weekly.next(from: first) == first + 400)
    }

    @Test(arguments: [
        // The clock goes forward at 02:00.
        ("Europe/Malta", "2026-03-29", 1, 59, "2026-03-29T00:59:00Z"),
        ("Europe/Malta", "2026-03-29", 2, 30, "2026-03-29T01:30:00Z"),
        ("Europe/Malta", "2026-03-29", 3, 0, "2026-03-29T01:00:00Z"),
        // And back at 03:00.
        ("Europe/Malta", "2026-10-25", 2, 30, "2026-10-25T00:30:00Z"),
        ("Europe/Malta", "2026-10-25", 3, 0, "2026-10-25T02:00:00Z"),
        ("Europe/Malta", "2026-10-24", 23, 0, "2026-10-24T21:00:00Z"),
        ("America/New_York", "2026-03-08", 2, 30, "2026-03-08T07:30:00Z"),
        ("America/New_York", "2026-11-01", 1, 30, "2026-11-01T05:30:00Z"),
        // Half an hour.
        ("Australia/Lord_Howe", "2026-10-04", 2, 15, "2026-10-03T15:45:00Z"),
        ("Australia/Lord_Howe", "2026-10-04", 2, 45, "2026-10-03T15:45:00Z"),
        ("Australia/Lord_Howe", "2026-04-05", 1, 45, "2026-04-04T14:45:00Z"),
        // At midnight.
        ("America/Santiago", "2026-09-06", 0, 30, "2026-09-06T04:30:00Z"),
        ("Pacific/Kiritimati", "2026-12-01", 0, 0, "2026-11-30T10:00:00Z"),
        ("Asia/Kathmandu", "2026-12-01", 0, 0, "2026-11-30T18:15:00Z"),
    ])
    func departureIsByTheClockThere(
        zone: String, on text: String, hour: Int, minute: Int, expected: String
    ) throws {
        let schedule = try schedule(text, hour, minute, zone: zone)
        let departure = schedule.departure(on: schedule.firstDay)
        #expect(departure == (try Date(expected, strategy: .iso8601)))
    }

    @Test func departureIsWhatTheCalendarSaysOnEveryDayOfTwoYears() throws {
        for zone in ["Europe/Malta", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Tehran"] {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: zone))
            let schedule = try schedule("2025-01-01", 7, 30, zone: zone, weekdays: 127)
            for day in schedule.days(from: schedule.firstDay, through: schedule.firstDay + 730) {
                let (year, month, number) = day.parts
                let parts = DateComponents(
                    year: year, month: month, day: number, hour: 7, minute: 30)
                #expect(schedule.departure(on: day) == calendar.date(from: parts))
                #expect(schedule.day(at: schedule.departure(on: day)) == day)
            }
        }
    }

    @Test func whatNoWeekOrMachineHasIsRefused() throws {
        let day = try day("2026-12-01")
        #expect(Schedule(firstDay: day, secondOfDay: 86_400, timeZone: "UTC") == nil)
        #expect(Schedule(firstDay: day, secondOfDay: -1, timeZone: "UTC") == nil)
        #expect(Schedule(firstDay: day, secondOfDay: 0, timeZone: "Europe/Atlantis") == nil)
        #expect(Schedule(firstDay: day, secondOfDay: 0, timeZone: "UTC", weekdays: 128) == nil)
    }
}
