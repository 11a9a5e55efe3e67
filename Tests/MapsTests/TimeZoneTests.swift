import Foundation
import Geo
import Testing
import Transit

@testable import Maps
@testable import OpenValet

@Suite struct TimeZoneTests {
    private static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Cities whose nearest place of zone.tab is in the neighbour country.
    @Test(arguments: [
        (39.905, 116.4, "Asia/Shanghai", "CNY"), (28.64, 77.22, "Asia/Kolkata", "INR"),
        (19.08, 72.88, "Asia/Kolkata", "INR"), (48.11, -1.68, "Europe/Paris", "EUR"),
        (40.64, 22.94, "Europe/Athens", "EUR"), (65.58, 22.15, "Europe/Stockholm", "SEK"),
        (42.24, -8.72, "Europe/Madrid", "EUR"), (45.46, 9.19, "Europe/Rome", "EUR"),
        (51.05, 13.74, "Europe/Berlin", "EUR"), (48.14, 11.58, "Europe/Berlin", "EUR"),
        (48.39, -4.49, "Europe/Paris", "EUR"),
        (47.61, -122.33, "America/Los_Angeles", "USD"),
        (42.70, 23.32, "Europe/Sofia", "EUR"), (47.70, 8.69, "Europe/Busingen", "EUR"),
        (60.17, 24.94, "Europe/Helsinki", "EUR"), (22.28, 114.16, "Asia/Hong_Kong", "HKD"),
        (-16.8, 179.99, "Pacific/Fiji", "FJD"), (-16.8, -179.99, "Pacific/Fiji", "FJD"),
    ])
    func aPlaceHasTheZoneWhoseOutlineHoldsIt(
        latitude: Double, longitude: Double, zone: String, currency: String
    ) {
        let found = TimeZones.zone(at: Self.at(latitude, longitude))
        #expect(found?.name == zone)
        #expect(found?.currency == currency)
    }

    /// Towns that face each other across a border.
    @Test(arguments: [
        (48.573, 7.75, "Europe/Paris"), (48.573, 7.84, "Europe/Berlin"),
        (46.19, 6.15, "Europe/Zurich"), (46.19, 6.24, "Europe/Paris"),
        (1.30, 103.85, "Asia/Singapore"), (1.49, 103.74, "Asia/Kuala_Lumpur"),
        (32.72, -117.16, "America/Los_Angeles"), (32.52, -117.03, "America/Tijuana"),
        (22.50, 114.13, "Asia/Hong_Kong"), (22.55, 114.10, "Asia/Shanghai"),
    ])
    func bothSidesOfABorderHaveTheirOwn(latitude: Double, longitude: Double, zone: String) {
        #expect(TimeZones.zone(at: Self.at(latitude, longitude))?.name == zone)
    }

    @Test func atSeaItIsTheNearest() {
        #expect(TimeZones.zone(at: Self.at(36.5, -27))?.name == "Atlantic/Azores")
        #expect(TimeZones.zone(at: Self.at(51, -20))?.country == "IE")
        #expect(TimeZones.zone(at: Self.at(-40, -175))?.country == "NZ")
        for (latitude, longitude) in [(90.0, 0.0), (-90, 180), (0, -180), (0, 180), (-90, -180)] {
            #expect(TimeZones.zone(at: Self.at(latitude, longitude)) != nil)
        }
    }

    @Test(arguments: [(91.0, 0.0), (0.0, 181.0), (-90.1, 0.0), (.nan, 0.0), (0.0, .infinity)])
    func offTheGlobeThereIsNone(latitude: Double, longitude: Double) {
        #expect(TimeZones.zone(at: Self.at(latitude, longitude)) == nil)
    }

    /// In Kreuzlingen, 300 m from Konstanz, and in Zurich.
    @Test func theTaggedCountryDecidesNearABorder() {
        let border = Self.at(47.6535, 9.1735)
        #expect(TimeZones.zone(at: border)?.country == "CH")
        #expect(TimeZones.zone(at: border, in: "CH")?.name == "Europe/Zurich")
        let german = TimeZones.zone(at: border, in: "DE")
        #expect(german?.name == "Europe/Berlin" && german?.currency == "EUR")
        #expect(TimeZones.zone(at: border, in: "FR")?.country == "CH")
        #expect(TimeZones.zone(at: Self.at(47.37, 8.54), in: "DE")?.country == "CH")
    }

    /// In Macau, 1 km from Zhuhai, and at Lo Wu.
    @Test(arguments: [(22.1987, 113.5439, "Asia/Macau"), (22.528, 114.113, "Asia/Hong_Kong")])
    func aRegionStaysItselfWhereItIsTaggedWithItsCountry(
        latitude: Double, longitude: Double, zone: String
    ) {
        for country in [nil, "CN", "HK", "MO"] {
            #expect(TimeZones.zone(at: Self.at(latitude, longitude), in: country)?.name == zone)
        }
    }

    /// Kosovo is in the zone of Belgrade, and pays in euros.
    @Test func aTaggedCountryWithoutAZoneHasItsCurrency() {
        let pristina = Self.at(42.663, 21.164)
        #expect(TimeZones.zone(at: pristina)?.currency == "RSD")
        let tagged = TimeZones.zone(at: pristina, in: "XK")
        #expect(tagged?.name == "Europe/Belgrade" && tagged?.currency == "EUR")
        #expect(TimeZones.zone(at: pristina, in: "QQ")?.currency == "RSD")
    }

    @Test func everyZoneIsOneOfTheSystemAndHasItsCountry() throws {
        let file = try Data(contentsOf: #require(TimeZones.file))
        let outlines = try #require(TimeZoneOutlines(file))
        #expect(outlines.zones.count == 418)
        for zone in outlines.zones {
            #expect(zone.country.wholeMatch(of: /[A-Z]{2}/) != nil)
            #expect((zone.currency == nil) == (zone.country == "AQ"), "\(zone.name)")
        }
        #expect(Set(outlines.zones.map(\.name)).count == outlines.zones.count)
        #expect(TimeZoneOutlines(file.dropLast(1)) == nil)
        #expect(TimeZoneOutlines(file + [0]) == nil)
        #expect(TimeZoneOutlines(Data()) == nil)
    }

    /// Capitals, and towns within 3 km of a border, with their zones at full detail (`data/time_zones.py`).
    @Test(arguments: ["capital", "border"])
    func townsHaveTheZoneThatTheyHaveAtFullDetail(kind: String) throws {
        let file = try #require(Bundle.module.url(forResource: "towns", withExtension: "tsv"))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let towns = lines.map { $0.split(separator: "\t") }.filter { $0[0] == kind }
        #expect(towns.count > 200)
        for town in towns {
            let (latitude, longitude) = (Double(town[1]), Double(town[2]))
            let point = Self.at(try #require(latitude), try #require(longitude))
            #expect(TimeZones.zone(at: point)?.name == String(town[3]), "\(town[4])")
        }
    }

    /// Four stops in Strasbourg, and one in Kehl.
    @Test func madeUpTimesAreInTheZoneOfMostStops() {
        let stops = [7.73, 7.74, 7.75, 7.76, 7.82].enumerated().map {
            MadeUpLine.Stop(id: "\($0)", name: "\($0)", at: Self.at(48.573, $1))
        }
        var line = MadeUpLine(
            id: "D", ref: "D", name: "D", mode: .tram, wheelchair: .unknown, stops: stops)
        #expect(MapWorkshop.zone(of: [line]).identifier == "Europe/Paris")
        line.stops = stops.suffix(1)
        #expect(MapWorkshop.zone(of: [line]).identifier == "Europe/Berlin")
        #expect(MapWorkshop.zone(of: []) == .gmt)
    }
}
