import Geo
import Testing

@testable import Maps

@Suite struct TimeZoneTests {
    @Test(arguments: [
        ("+6010+02458", 60 + 10.0 / 60, 24 + 58.0 / 60),
        ("-690022+0393524", -(69 + 22.0 / 3_600), 39 + 35.0 / 60 + 24.0 / 3_600),
        ("+404251-0740023", 40 + 42.0 / 60 + 51.0 / 3_600, -(74 + 23.0 / 3_600)),
    ])
    func aPlaceIsReadInDegreesMinutesAndSeconds(
        _ text: String, _ latitude: Double, _ longitude: Double
    ) throws {
        let zones = TimeZones("# a comment\nXX\t\(text)\tNear/Here\n")
        let zone = try #require(zones.nearest(to: Coordinate(latitude: 0, longitude: 0)))
        #expect(zone.name == "Near/Here")
        #expect(abs(zone.at.latitude - latitude) < 1e-9)
        #expect(abs(zone.at.longitude - longitude) < 1e-9)
    }

    @Test(arguments: [
        "", "+60", "6010+02458", "+6010", "+6010+2458", "+60x0+02458", "+6010 +02458",
        "+601+02458", "+6010+024581",
    ])
    func aPlaceThatCannotBeReadIsLeftOut(_ text: String) {
        let zones = TimeZones("XX\t\(text)\tNear/Here\n")
        #expect(zones.nearest(to: Coordinate(latitude: 0, longitude: 0)) == nil)
    }
}
