import Foundation
import Testing

@testable import TripSearch

@Suite struct DayTests {
    @Test func daysAreCountedFromNineteenSeventyAndKnowTheirWeekday() throws {
        #expect(Day("1970-01-01")?.number == 0)
        #expect(Day("1970-01-01")?.weekday == 3)
        #expect(Day("2026-12-01")?.number == 20_788)
        #expect(Day("2026-11-30")?.weekday == 0)
        #expect(Day("2026-12-06")?.weekday == 6)
        #expect(Day("1969-12-28")?.weekday == 6)
        #expect(Day("0001-01-01") == .earliest)
        #expect(Day("9999-12-31") == .latest)
    }

    @Test(arguments: [
        "", "2026-12-1", "2026-12-01T00:00:00", "2026-13-01", "2026-00-10", "2026-02-29",
        "1900-02-29", "2026-04-31", "2026-12-00", "+026-12-01", "2026/12/01", "0000-01-01",
        "２０２６-12-01", " 2026-12-01", "2026-1２-01",
    ])
    func textThatIsNoDateIsRefused(_ text: String) {
        #expect(Day(text) == nil)
    }

    @Test func leapDaysAreThereInLeapYears() {
        #expect(Day("2028-02-29").map { "\($0 + 1)" } == "2028-03-01")
        #expect(Day("2000-02-29") != nil)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBeforeAndComesBackFromItsText() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for number in stride(from: -146_097, through: 146_097, by: 37) {
            let day = Day(number: number)
            #expect(Day(day.description) == day)
            #expect(Day.weekday(ofNumber: number + 1) == (day.weekday + 1) % 7)
        }
        for number in stride(from: 0, through: 40_000, by: 997) {
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let day = Day(number: number).parts
            #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
        }
    }

    @Test func arithmeticStaysWithinTheYearsThatThereAre() {
        #expect(Day.latest + 1 == .latest)
        #expect(Day.earliest - 1 == .earliest)
        #expect(Day.earliest + Int.min == .earliest)
        #expect(Day.latest + Int.max == .latest)
        #expect(Day.latest - Day.earliest == 3_652_058)
    }

    @Test func onTheWireItIsItsText() throws {
        let text = #"["2026-12-01"]"#
        let days = try JSONDecoder().decode([Day].self, from: Data(text.utf8))
        #expect(String(decoding: try JSONEncoder().encode(days), as: UTF8.self) == text)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Day].self, from: Data(#"["1 December"]"#.utf8))
        }
    }
}
