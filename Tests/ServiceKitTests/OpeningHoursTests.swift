import Foundation
import Geo
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

    /// Winter days in 2026: 5 January is a Monday, in week 2.
    private static let written: [(String, String, OpeningHours.State)] = [
        ("24/7;", "2026-01-05T03:00", .open), ("Closed", "2026-01-05T03:00", .closed),
        ("Mo-Fr 8:00-18:00; Sa 9:00-15:00", "2026-01-10T08:30", .open),
        ("Mo-Fr 07:00 - 22:00", "2026-01-05T10:00", .open),
        ("mo-fr 07:00-22:00", "2026-01-05T05:30", .closed),
        ("MO\u{2013}FR: 07.00\u{2013}22.00", "2026-01-05T10:00", .open),
        ("Mo-Fr\u{A0}07\u{FF1A}00-22:00,\u{200B}Sa 09:00-12:00", "2026-01-10T10:00", .open),
        ("Mon-Sun 5:30AM-12:30 pm", "2026-01-05T05:00", .open),
        ("Mon-Sun 5:30AM-12:30 pm", "2026-01-05T12:00", .closed),
        ("Mo-Fr05:30-11:30, Sa-Su 07:30-19:30", "2026-01-10T15:00", .open),
        ("Mo-Fr 08:00-19:00 Sa 09:00-19:00 Su 12:00-18:00", "2026-01-11T16:30", .open),
        ("Mo-Fr 08:00-19:00 Sa 09:00-19:00 Su 12:00-18:00", "2026-01-11T17:30", .closed),
        ("Mo-Fr 07:00-22:00 \"with card\"", "2026-01-05T10:00", .open),
        ("Mo-Sa 07:00-20:00 open", "2026-01-05T10:00", .open),
        ("Mo-Fr 11:00-15:00 open \"Lunch\"; Su off", "2026-01-05T11:00", .open),
    ]

    @Test(arguments: written)
    func whatPeopleWriteIsRead(hours: String, at: String, state: OpeningHours.State) throws {
        #expect(try OpeningHours(hours).state(at: time(at), malta) == state)
    }

    private static let rules: [(String, String, OpeningHours.State)] = [
        ("Mo-We 08:00-20:00, Th-Sa 08:00-16:00, Su off", "2026-01-05T18:30", .open),
        ("Mo-We 08:00-20:00, Th-Sa 08:00-16:00, Su off", "2026-01-08T15:30", .closed),
        ("Mo-We 08:00-20:00, Th-Sa 08:00-16:00, Su off", "2026-01-11T10:00", .closed),
        ("Mo-Fr 09:00-13:00, 14:00-18:00, Sa 09:00-13:00", "2026-01-05T14:30", .open),
        ("Mo-Su 09:00-12:00, We 14:00-16:00", "2026-01-07T10:00", .open),
        ("Mo-Su 09:00-12:00; We 14:00-16:00", "2026-01-07T10:00", .closed),
        ("08:00-18:00; 12:00-13:00 off", "2026-01-05T11:30", .closed),
        ("08:00-18:00; 12:00-13:00 off", "2026-01-05T12:30", .open),
        ("Fr 20:00-02:00; Sa off", "2026-01-10T00:30", .open),
        ("20:00-02:00; Sa 00:00-01:00 off", "2026-01-09T23:30", .closed),
        ("Mo-Fr 08:00-12:00 || \"by appointment\"", "2026-01-05T10:00", .open),
        ("Mo-Fr 08:00-12:00 || \"by appointment\"", "2026-01-05T14:00", .unknown),
        ("Mo-Fr 08:00-12:00 || 15:00-16:00 unknown", "2026-01-05T12:00", .closed),
        ("Mo-Fr 08:00-12:00 unknown", "2026-01-05T10:00", .unknown),
        ("Mo-Sa 09:00-18:00; Su \"by appointment\"", "2026-01-11T10:00", .unknown),
        ("\"for members\"", "2026-01-05T10:00", .unknown),
        ("off \"moved\"", "2026-01-05T10:00", .closed),
        ("17:00+", "2026-01-05T15:30", .closed), ("17:00+", "2026-01-05T16:30", .open),
        ("17:00+", "2026-01-06T00:30", .unknown), ("17:00+", "2026-01-06T02:30", .closed),
        ("10:00-16:00+", "2026-01-05T15:30", .unknown),
        ("10:00-16:00+", "2026-01-05T23:30", .closed),
        ("08:00-18:00/01:30", "2026-01-05T10:00", .open),
    ]

    @Test(arguments: rules)
    func rulesReplaceAddToAndFillOneAnother(
        hours: String, at: String, state: OpeningHours.State
    ) throws {
        #expect(try OpeningHours(hours).state(at: time(at), malta) == state)
    }

    /// Easter is on 5 April 2026 and on 28 March 2027. Malta's 25 December is a holiday here; a Friday in 2026.
    private static let days: [(String, String, OpeningHours.State)] = [
        ("Apr-Dec Mo-Fr 07:00-22:00", "2026-01-05T10:00", .closed),
        ("Apr-Dec Mo-Fr 07:00-22:00", "2026-04-06T10:00", .open),
        ("Nov-Feb: Sa,Su 10:30-16:30", "2026-01-10T10:00", .open),
        ("Oct 01 - Jun 14: 08:00-14:00; Jun 15 -Sep 30: 08:00-12:00", "2026-01-05T12:30", .open),
        ("Oct 01 - Jun 14: 08:00-14:00; Jun 15 -Sep 30: 08:00-12:00", "2026-07-06T10:30", .closed),
        ("10:00-12:00; Dec 24-Jan 2 off", "2026-01-01T10:00", .closed),
        ("10:00-12:00; Dec 24-Jan 2 off", "2026-01-03T10:00", .open),
        ("24/7; Dec 24-26,31 off", "2026-12-31T10:00", .closed),
        ("24/7; Dec 24-26,31 off", "2026-12-27T10:00", .open),
        ("08:00-18:00; 2026 Jul 1-2026 Aug 8 off", "2026-07-15T10:00", .closed),
        ("08:00-18:00; 2026 Jul 1-2026 Aug 8 off", "2027-07-15T10:00", .open),
        ("2026 Dec 20-2027 Jan 5 10:00-18:00", "2027-01-02T10:00", .open),
        ("2026 Mar 1+ 10:00-18:00", "2028-01-05T10:00", .open),
        ("2026-2027 Mo 08:00-18:00", "2028-01-03T10:00", .closed),
        ("2027+ Mo 08:00-18:00", "2028-01-03T10:00", .open),
        ("2026-2040/2 10:00-12:00", "2027-01-03T10:00", .closed),
        ("08:00-18:00; easter -2 days off", "2026-04-03T10:00", .closed),
        ("08:00-18:00; easter -2 days off", "2026-04-02T10:00", .open),
        ("08:00-18:00; easter -2 days-easter +1 day off", "2027-03-29T10:00", .closed),
        ("Nov 1 +Su 10:00-12:00", "2026-11-01T10:00", .open),
        ("Dec 25 -Su 10:00-12:00", "2026-12-20T10:00", .open),
        ("week 1-53/2 Mo 10:00-12:00", "2026-01-05T10:00", .closed),
        ("week 1-53/2 Mo 10:00-12:00", "2026-01-12T10:00", .open),
        ("week 50-02 10:00-12:00", "2026-01-05T10:00", .open),
        ("Tu,Sa,Su[1] 09:30-12:00", "2026-01-04T10:00", .open),
        ("Tu,Sa,Su[1] 09:30-12:00", "2026-01-11T10:00", .closed),
        ("Mo[-1] 10:00-12:00", "2026-01-26T10:00", .open),
        ("Mo[1-2,4] 10:00-12:00", "2026-01-19T10:00", .closed),
        ("Su[-1] +1 day 10:00-12:00", "2026-01-26T10:00", .open),
        ("08:00-18:00; PH +1 day off", "2026-12-26T10:00", .closed),
        ("08:00-18:00; PH +1 day off", "2026-12-25T10:00", .open),
        ("PH Mo-Fr 10:00-12:00", "2026-12-25T10:00", .open),
        ("PH Mo-Fr 10:00-12:00", "2027-12-25T10:00", .closed),
        ("Mo-Th,PH 10:00-12:00", "2026-12-25T10:00", .open),
        // Days that the month lacks.
        ("Nov 1-Feb 29 10:00-18:00", "2027-02-28T10:00", .open),
        ("Nov 1-Feb 29 10:00-18:00", "2027-03-01T10:00", .closed),
        ("Nov 1-Feb 29 10:00-18:00", "2028-02-29T10:00", .open),
        ("Jun 15-Sep 31 10:00-18:00", "2026-10-01T10:00", .closed),
        ("24/7; Feb 29 off", "2027-02-28T10:00", .open),
        ("24/7; Feb 29 off", "2027-03-01T10:00", .open),
        ("24/7; Feb 29 off", "2028-02-29T10:00", .closed),
        ("Sep 31 10:00-18:00", "2026-11-05T10:00", .closed),
        ("2026,2028 Mo 08:00-18:00", "2026-01-05T10:00", .open),
        ("Jan 2026 08:00-18:00", "2026-01-05T10:00", .open),
    ]

    @Test(arguments: days)
    func rulesNameDays(hours: String, at: String, state: OpeningHours.State) throws {
        #expect(try OpeningHours(hours).state(at: time(at), malta) == state)
    }

    /// Neither the school holidays nor the position for the sun's times are known.
    private static let uncertain: [(String, String, OpeningHours.State)] = [
        ("Mo-Fr 08:00-18:00; SH off", "2026-01-05T10:00", .unknown),
        ("Mo-Fr 08:00-18:00; SH off", "2026-01-10T10:00", .closed),
        ("Mo-Fr 08:00-18:00; SH 08:00-12:00", "2026-01-05T10:00", .open),
        ("SH Mo-Fr 10:00-12:00", "2026-01-05T10:00", .unknown),
        ("sunrise-sunset", "2026-01-05T10:00", .unknown),
        ("Mo-Fr dawn-18:00", "2026-01-10T10:00", .closed),
    ]

    @Test(arguments: uncertain)
    func whatDependsOnTheUnknownIsUnknown(
        hours: String, at: String, state: OpeningHours.State
    ) throws {
        #expect(try OpeningHours(hours).state(at: time(at), malta) == state)
    }

    @Test(arguments: [
        "", ";", "Mo-Fr 8-18", "Mo-Fr 08:00-", "Xx 08:00-09:00", "Mo 25:00-26:00", "Mo,",
        "Mo 08:60-09:00", "Mo 08:00-57:00", "by appointment", "Night only", "Mo 10:00",
        "08:00-18:00 Mo-Fr", "Mo-Fr Sa 10:00-12:00", "Mo-Fr 08:00-18:00 Jan-Mar", "week 60",
        "Dec 32 off", "Mo[6]", "|| Mo", "Mo-Fr 08:00-12:00 ||", "Mo 08:00-18:00 \"open",
        "(sunrise+01:00-18:00", "Mo-Fr 17:00-late", "13:30pm-18:00", "Mo-Fr 0700-2200",
        "Mo-Fr 1900-2200", "Mo-Fr 1900-2030", "PH 1900-2030", "1900-2030", "2000-2400",
        "Mo-Fr, 1900-2030", "Mo-Fr 08:00-12:00, 1900-2030",
    ])
    func whatIsBeyondItIsRefused(hours: String) {
        #expect(throws: OpeningHours.Unreadable.self) { try OpeningHours(hours) }
    }

    @Test(arguments: [
        ("Mo-Fr 08:00-12:00 || \"on request\"", "2026-01-05T10:00", "2026-01-05T11:00"),
        ("Mo-Fr 08:00-12:00 || \"on request\"", "2026-01-05T12:00", "2026-01-06T07:00"),
        ("24/7; Dec 25 off", "2026-12-24T12:00", "2026-12-24T23:00"),
        ("24/7; Dec 25 off", "2026-12-25T12:00", "2026-12-25T23:00"),
        ("Mo-Fr 08:00-12:00, 12:00-18:00", "2026-01-05T10:00", "2026-01-05T17:00"),
        ("Mo-Fr 08:00-18:00; SH off", "2026-01-05T06:30", "2026-01-05T07:00"),
        ("10:00-16:00+", "2026-01-05T12:00", "2026-01-05T15:00"),
        ("Apr-Dec 08:00-18:00", "2026-01-05T10:00", nil), ("24/7;", "2026-01-05T10:00", nil),
        ("\"on request\"", "2026-01-05T10:00", nil),
    ])
    func aStateLastsUntilTheNextOne(hours: String, at: String, until: String?) throws {
        let next = try OpeningHours(hours).nextChange(after: time(at), malta)
        #expect(try next == until.map { try time($0) })
    }

    @Test func theNextChangeToAStateMayComeAfterOthers() throws {
        let hours = try OpeningHours("Mo-Fr 08:00-12:00, 14:00-16:00 unknown; Sa 10:00-11:00")
        let monday = try time("2026-01-05T08:00")
        #expect(try hours.nextChange(after: monday, malta) == time("2026-01-05T11:00"))
        let known = try OpeningHours("Mo-Fr 08:00-12:00, Mo-Fr 12:00-16:00 unknown")
        #expect(try known.nextChange(after: monday, malta) == time("2026-01-05T11:00"))
        #expect(
            try known.nextChange(after: monday, to: .closed, malta) == time("2026-01-05T15:00"))
        #expect(try known.nextChange(after: monday, to: .open, malta) == time("2026-01-06T07:00"))
        let never = try OpeningHours("Mo-Su 00:00-24:00 || unknown")
        #expect(never.nextChange(after: monday, to: .closed, malta) == nil)
    }

    @Test(arguments: ["Mo 08:00-18:00\nSa 09:00-13:00", "Mo 08:00-18:00\r\nSa\t09:00-13:00"])
    func severalLinesBecomeOne(text: String) throws {
        #expect(OpeningHours.line(text) == "Mo 08:00-18:00 Sa 09:00-13:00")
        #expect(try OpeningHours(text).isOpen(at: time("2026-01-10T10:00"), malta))
    }

    /// Times of NOAA's calculator, in UTC, within two minutes.
    @Test(arguments: [
        ("Europe/Malta", 35.9, 14.5, "sunrise", "2026-06-21T03:45"),
        ("Europe/Malta", 35.9, 14.5, "sunset", "2026-06-21T18:21"),
        ("Europe/Malta", 35.9, 14.5, "(sunset+01:30)", "2026-06-21T19:51"),
        ("Europe/Malta", 35.9, 14.5, "dusk", "2026-01-05T16:28"),
        ("Pacific/Apia", -13.83, -171.77, "sunrise", "2026-06-20T17:48"),
    ])
    func theSunOpensAndClosesByThePosition(
        zone: String, latitude: Double, longitude: Double, event: String, at: String
    ) throws {
        let days = LocalDays(
            try #require(TimeZone(identifier: zone)),
            at: Coordinate(latitude: latitude, longitude: longitude))
        let at = try time(at)
        let (from, until) = (
            try OpeningHours("\(event)-24:00"), try OpeningHours("00:00-\(event)")
        )
        #expect(from.state(at: at.addingTimeInterval(-180), days) == .closed)
        #expect(from.state(at: at.addingTimeInterval(180), days) == .open)
        #expect(until.state(at: at.addingTimeInterval(-180), days) == .open)
        #expect(until.state(at: at.addingTimeInterval(180), days) == .closed)
    }

    /// Utsjoki, beyond the polar circle.
    private static let polar: [(String, String, OpeningHours.State)] = [
        ("sunrise-sunset", "2026-06-21T00:30", .open),
        ("sunset-sunrise", "2026-06-21T00:30", .closed),
        ("sunrise-sunset", "2026-12-21T10:00", .closed),
        ("sunset-sunrise", "2026-12-21T10:30", .open),
        ("dawn-dusk", "2026-12-21T10:00", .open), ("dawn-dusk", "2026-12-21T20:00", .closed),
    ]

    @Test(arguments: polar)
    func whereTheSunNeverSetsItIsAlwaysDay(
        hours: String, at: String, state: OpeningHours.State
    ) throws {
        let utsjoki = LocalDays(
            try #require(TimeZone(identifier: "Europe/Helsinki")),
            at: Coordinate(latitude: 69.9, longitude: 27))
        #expect(try OpeningHours(hours).state(at: time(at), utsjoki) == state)
    }

    @Test func oneDayWithoutNightFollowsTheOtherWithoutAGap() throws {
        let utsjoki = LocalDays(
            try #require(TimeZone(identifier: "Europe/Helsinki")),
            at: Coordinate(latitude: 69.9, longitude: 27))
        let hours = try OpeningHours("sunrise-sunset")
        for day in 0..<30 {
            let at = try time("2026-06-02T12:00").addingTimeInterval(Double(day) * 86_400)
            #expect(hours.isOpen(at: at, utsjoki))
            #expect(hours.nextChange(after: at, utsjoki) == nil)
        }
    }

    /// `Tests/opening_hours_answers.py` writes them, and says which instants they are for.
    @Test func anotherImplementationAnswersTheSame() throws {
        let file = try #require(
            Bundle.module.url(forResource: "opening-hours", withExtension: "txt"))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 30)
        let letters: [OpeningHours.State: Character] = [.open: "o", .closed: "c", .unknown: "u"]
        let start = try time("2026-01-01T00:07")
        for line in lines {
            let parts = line.split(separator: "\t")
            let hours = try OpeningHours(String(parts[1]))
            let answers = parts[0].indices.enumerated().compactMap { place, _ in
                letters[hours.state(at: start + Double(place) * 220_620, LocalDays(.gmt))]
            }
            #expect(String(answers) == parts[0], "\(parts[1])")
        }
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
        for _ in 0..<2 { #expect(OpeningHours.reading("by appointment") == nil) }
    }
}
