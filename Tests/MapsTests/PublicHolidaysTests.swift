import Foundation
import Geo
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

    /// Browsers say Asia/Calcutta.
    @Test(arguments: [
        ("Asia/Calcutta", 28.64, 77.22, "2027-01-26", true),
        ("America/Buenos_Aires", -34.6, -58.38, "07-09", true),
        ("Etc/UTC", 51.5, -0.1, "2026-12-28", true),
        ("Etc/UTC", 51.5, -0.1, "07-14", false),
        // The zone says on which side of a border it is.
        ("Europe/Zurich", 47.6638, 9.1783, "08-01", true),
    ])
    func theNameOfNoCountrysZoneIsThatOfThePosition(
        _ zone: String, _ latitude: Double, _ longitude: Double, _ day: String, _ isHoliday: Bool
    ) {
        let point = Coordinate(latitude: latitude, longitude: longitude)
        let days = PublicHolidays.of(zone: zone, at: point)
        #expect((days.contains(day) || days.contains(String(day.suffix(5)))) == isHoliday)
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
