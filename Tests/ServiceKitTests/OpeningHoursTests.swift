import Foundation
import ServiceKit
import Support
import Testing

@Suite(.withoutDatabase) struct OpeningHoursTests {
    private let malta = LocalDays(TimeZone(identifier: "Europe/Malta")!, holidays: ["12-25"])

    private func time(_ text: String) throws -> Date {
        try Date("\(text):00Z", strategy: .iso8601)
    }

    /// Local times of Malta in winter are an hour ahead of UTC.
    @Test(arguments: [
        ("24/7", "2026-01-05T03:00", true), ("Mo-Fr 08:00-18:00", "2026-01-05T07:30", true),
        ("Mo-Fr 08:00-18:00", "2026-01-05T06:30", false),
        ("Mo-Fr 08:00-18:00", "2026-01-05T17:00", false),
        ("Mo-Fr 08:00-18:00", "2026-01-10T10:00", false),
        ("08:00-12:00,14:00-18:00", "2026-01-10T12:30", false),
        ("08:00-12:00,14:00-18:00", "2026-01-10T13:30", true),
        ("Sa-Mo 08:00-18:00", "2026-01-11T10:00", true),
        ("Sa-Mo 08:00-18:00", "2026-01-06T10:00", false),
        ("Fr,Sa 20:00-02:00", "2026-01-10T00:30", true),
        ("Fr,Sa 20:00-02:00", "2026-01-11T00:59", true),
        ("Fr,Sa 20:00-02:00", "2026-01-11T01:00", false),
        ("Mo-Su 08:00-18:00; Su off", "2026-01-11T10:00", false),
        ("Mo-Su 08:00-18:00; PH off", "2026-12-25T10:00", false),
        ("Mo-Fr 08:00-18:00; PH 10:00-12:00", "2026-12-25T08:00", false),
        ("Mo-Fr 08:00-18:00; PH 10:00-12:00", "2026-12-25T09:30", true),
        ("Mo-Fr", "2026-01-05T22:30", true), ("off", "2026-01-05T12:00", false),
        ("18:00-26:00", "2026-01-06T00:30", true),
    ])
    func itIsOpenByTheLastRuleThatNamesTheDay(hours: String, at: String, isOpen: Bool) throws {
        #expect(try OpeningHours(hours).isOpen(at: time(at), malta) == isOpen)
    }

    @Test(arguments: [
        "", "sunrise-sunset", "Jan-Mar 08:00-18:00", "Mo-Fr 8-18", "Mo-Fr 08:00-", "Xx 08:00-09:00",
        "Mo 25:00-26:00", "Mo 08:00-18:00 \"by appointment\"", "08:00+", "week 1-10", "Mo,",
        "Mo 08:60-09:00", "24/7;", "Mo 08:00-57:00",
    ])
    func whatIsBeyondItIsRefused(hours: String) {
        #expect(throws: OpeningHours.Unreadable.self) { try OpeningHours(hours) }
    }

    @Test func theNextChangeIsTheNextMomentOfOpeningOrClosing() throws {
        let hours = try OpeningHours("Mo-Fr 08:00-18:00; Sa 22:00-24:00; Su 00:00-02:00")
        #expect(
            try hours.nextChange(after: time("2026-01-05T03:00"), malta) == time("2026-01-05T07:00")
        )
        #expect(
            try hours.nextChange(after: time("2026-01-05T07:00"), malta) == time("2026-01-05T17:00")
        )
        // Open over midnight is one time of being open.
        #expect(
            try hours.nextChange(after: time("2026-01-10T21:30"), malta) == time("2026-01-11T01:00")
        )
        #expect(try OpeningHours("24/7").nextChange(after: time("2026-01-05T03:00"), malta) == nil)
        #expect(try OpeningHours("off").nextChange(after: time("2026-01-05T03:00"), malta) == nil)
    }

    /// On 29 March 2026 Malta's clocks go from 02:00 to 03:00, on 25 October from 03:00 back to 02:00.
    @Test func daysOnWhichClocksAreChangedAreAsLongAsTheyAre() throws {
        let night = try OpeningHours("00:00-06:00")
        #expect(try !night.isOpen(at: time("2026-03-29T04:00"), malta))
        #expect(try night.isOpen(at: time("2026-03-29T03:59"), malta))
        #expect(try night.isOpen(at: time("2026-10-25T04:59"), malta))
    }

    @Test func aTextIsReadAsOftenAsOneLikesAndMeansTheSame() throws {
        for number in 0..<3_000 {
            let text = String(format: "Mo-Su 08:00-%02d:%02d", 10 + number / 60 % 12, number % 60)
            let direct = try OpeningHours(text)
            #expect(OpeningHours.reading(text) == direct)
            #expect(OpeningHours.reading(text) == direct)
        }
        for _ in 0..<2 { #expect(OpeningHours.reading("sunrise-sunset") == nil) }
    }
}
