import Foundation
import Testing

@testable import Maps

struct PublicHolidaysTests {
    @Test(arguments: [
        ("Europe/Malta", "09-08", "Our Lady of Victories, each year"),
        ("Europe/Malta", "2026-04-03", "Good Friday"),
        ("Europe/Malta", "2032-03-26", "Good Friday"),
        ("Asia/Hong_Kong", "2026-02-17", "the new year of the moon"),
        ("Asia/Hong_Kong", "2026-04-03", "Good Friday, a general holiday"),
        ("America/New_York", "2027-11-25", "Thanksgiving"),
    ])
    func aDayIsThatOfTheZonesCountry(_ zone: String, _ day: String, _ name: String) {
        #expect(PublicHolidays.of(zone: zone).contains(day), "\(name)")
    }

    @Test func otherDaysAreNone() {
        let malta = PublicHolidays.of(zone: "Europe/Malta")
        for day in ["09-09", "04-03", "2027-04-03", "2026-12-25"] { #expect(!malta.contains(day)) }
    }

    @Test(arguments: ["Europe/Kyiv", "Mars/Olympus", "", "GMT"])
    func ofWhereNobodyKnowsThereAreNone(_ zone: String) {
        #expect(PublicHolidays.of(zone: zone).isEmpty)
    }

    @Test func aLineHasDaysOfEachYearAndOfOne() {
        let read = PublicHolidays.read(
            Data("XA 0101 1231 2026 0403 2027 0326 0327\nXB 2030 0601\n".utf8))
        #expect(
            read == [
                "XA": ["01-01", "12-31", "2026-04-03", "2027-03-26", "2027-03-27"],
                "XB": ["2030-06-01"],
            ])
    }

    @Test func theFileIsWhole() throws {
        let all = PublicHolidays.read(try Data(contentsOf: #require(PublicHolidays.file)))
        #expect(all.count == 246)
        for (country, days) in all {
            let isRight = days.allSatisfy {
                $0.wholeMatch(of: /(20(2[6-9]|3[0-2])-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/)
                    != nil
            }
            #expect(isRight && !days.isEmpty, "\(country)")
        }
    }
}
