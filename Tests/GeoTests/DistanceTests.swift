import Testing

@testable import Geo

@Suite struct DistanceTests {
    static let hongKong = Coordinate(latitude: 22.2819, longitude: 114.1556)

    @Test func aPointIsNoDistanceFromItself() {
        #expect(Geo.distanceMeters(Self.hongKong, Self.hongKong) == 0)
    }

    @Test func aDegreeOfLatitudeIsTheRadiusTimesAnAngle() {
        let south = Coordinate(latitude: 10, longitude: 20)
        let north = Coordinate(latitude: 11, longitude: 20)
        let expected = Geo.earthRadiusMeters * .pi / 180
        #expect(abs(Geo.distanceMeters(south, north) - expected) < 0.001)
    }

    @Test func knownDistancesAreMet() {
        let london = Coordinate(latitude: 51.5074, longitude: -0.1278)
        let paris = Coordinate(latitude: 48.8566, longitude: 2.3522)
        #expect(abs(Geo.distanceMeters(london, paris) - 343_557) < 100)
    }

    @Test func theAntimeridianIsNoObstacle() {
        let west = Coordinate(latitude: 0, longitude: 179.999)
        let east = Coordinate(latitude: 0, longitude: -179.999)
        #expect(abs(Geo.distanceMeters(west, east) - 222.39) < 0.1)
    }

    @Test func polesAndAntipodesAreHalfTheWayAround() {
        let north = Coordinate(latitude: 90, longitude: 17)
        let south = Coordinate(latitude: -90, longitude: -140)
        let half = Geo.earthRadiusMeters * .pi
        #expect(abs(Geo.distanceMeters(north, south) - half) < 1)
        let here = Coordinate(latitude: 30, longitude: 40)
        let there = Coordinate(latitude: -30, longitude: -140)
        #expect(abs(Geo.distanceMeters(here, there) - half) < 1)
    }

    @Test func distanceIsSymmetricAndObeysTheTriangle() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let (a, b, c) = (random.coordinate(), random.coordinate(), random.coordinate())
            let ab = Geo.distanceMeters(a, b)
            #expect(abs(ab - Geo.distanceMeters(b, a)) < 1e-6)
            #expect(ab <= Geo.distanceMeters(a, c) + Geo.distanceMeters(c, b) + 1e-3)
            #expect((0...Geo.earthRadiusMeters * .pi + 1).contains(ab))
        }
    }

    @Test func aDestinationIsAsFarAwayAsOneWent() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<2_000 {
            let start = random.coordinate()
            let distance = Double.random(in: 1...100_000, using: &random)
            let bearing = Double.random(in: 0...360, using: &random)
            let end = Geo.destination(
                from: start, bearingDegrees: bearing, distanceMeters: distance)
            #expect(end.isOnGlobe)
            #expect(abs(Geo.distanceMeters(start, end) - distance) < 0.01)
        }
    }

    @Test func goingNorthRaisesTheLatitude() {
        let end = Geo.destination(from: Self.hongKong, bearingDegrees: 0, distanceMeters: 1_000)
        #expect(end.latitude > Self.hongKong.latitude)
        #expect(abs(end.longitude - Self.hongKong.longitude) < 1e-9)
    }

    @Test(arguments: [(190.0, -170.0), (-190, 170), (540, -180), (180, 180), (-180, -180), (0, 0)])
    func longitudesAreNormalized(_ given: Double, _ expected: Double) {
        #expect(Geo.normalizedLongitude(given) == expected)
    }

    @Test func whatIsNoNumberIsNotOnTheGlobe() {
        #expect(!Coordinate(latitude: .nan, longitude: 0).isOnGlobe)
        #expect(!Coordinate(latitude: 0, longitude: .infinity).isOnGlobe)
        #expect(!Coordinate(latitude: 90.001, longitude: 0).isOnGlobe)
        #expect(!Coordinate(latitude: 0, longitude: -180.001).isOnGlobe)
        #expect(Coordinate(latitude: -90, longitude: 180).isOnGlobe)
    }
}
