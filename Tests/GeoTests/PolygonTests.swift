import Testing

@testable import Geo

@Suite struct PolygonTests {
    static func ring(_ points: (Double, Double)...) -> [Coordinate] {
        points.map { Coordinate(latitude: $0.1, longitude: $0.0) }
    }

    static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double)
        -> [Coordinate]
    {
        ring((west, south), (east, south), (east, north), (west, north), (west, south))
    }

    static func at(_ longitude: Double, _ latitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test func insideOutsideAndOnTheEdge() throws {
        let polygon = try Polygon(rings: [Self.box(0, 0, 10, 10)])
        #expect(polygon.contains(Self.at(5, 5)))
        #expect(!polygon.contains(Self.at(10.0001, 5)))
        #expect(!polygon.contains(Self.at(5, -0.0001)))
        for edge in [(0, 5), (10, 5), (5, 0), (5, 10), (0, 0), (10, 10), (10, 0)] {
            #expect(polygon.contains(Self.at(Double(edge.0), Double(edge.1))))
        }
    }

    @Test func aSlantedEdgeCountsAsInside() throws {
        let polygon = try Polygon(rings: [Self.ring((0, 0), (3, 1), (0, 2), (0, 0))])
        #expect(polygon.contains(Self.at(1.5, 0.5)))
        #expect(polygon.contains(Self.at(0.3, 0.1)))
        #expect(!polygon.contains(Self.at(1.5, 0.499_99)))
    }

    @Test func aHoleIsOutsideButItsEdgeIsNot() throws {
        let polygon = try Polygon(rings: [Self.box(0, 0, 10, 10), Self.box(4, 4, 6, 6)])
        #expect(polygon.contains(Self.at(2, 2)))
        #expect(!polygon.contains(Self.at(5, 5)))
        #expect(polygon.contains(Self.at(4, 5)))
        #expect(polygon.contains(Self.at(6, 6)))
    }

    @Test func aConcaveRingLeavesItsBayOut() throws {
        let bay = Self.ring((0, 0), (10, 0), (10, 10), (5, 2), (0, 10), (0, 0))
        let polygon = try Polygon(rings: [bay])
        #expect(!polygon.contains(Self.at(5, 5)))
        #expect(polygon.contains(Self.at(1, 5)))
        #expect(polygon.contains(Self.at(9, 5)))
        // The ray to the east passes exactly through the vertex at (5, 2).
        #expect(polygon.contains(Self.at(2, 2)))
    }

    @Test func aRingMayCrossTheAntimeridian() throws {
        let fiji = try Polygon(
            rings: [
                Self.ring((177, -19), (-178, -19), (-178, -16), (177, -16), (177, -19)),
                Self.ring((179.5, -18), (-179.5, -18), (-179.5, -17), (179.5, -17), (179.5, -18)),
            ])
        #expect(fiji.boundingBox.crossesAntimeridian)
        #expect(fiji.contains(Self.at(178, -18)))
        #expect(fiji.contains(Self.at(-178.5, -18)))
        #expect(fiji.contains(Self.at(180, -16.5)))
        #expect(fiji.contains(Self.at(-180, -16.5)))
        #expect(!fiji.contains(Self.at(180, -17.5)))
        #expect(!fiji.contains(Self.at(0, -18)))
        #expect(!fiji.contains(Self.at(-177.9, -18)))
    }

    @Test func theDirectionOfARingDoesNotMatter() throws {
        let polygon = try Polygon(rings: [Self.box(0, 0, 10, 10).reversed()])
        #expect(polygon.contains(Self.at(5, 5)))
        #expect(!polygon.contains(Self.at(11, 5)))
    }

    @Test func shiftingAPolygonAroundTheEarthChangesNothing() throws {
        var random = SeededRandom(seed: 3)
        let shape = [(0.0, 0.0), (4, -1), (6, 3), (3, 2), (1, 5), (0, 0)]
        func moved(_ degrees: Double) throws -> Polygon {
            try Polygon(
                rings: [
                    shape.map { Self.at(Geo.normalizedLongitude($0.0 + degrees), $0.1) }
                ])
        }
        let original = try moved(0)
        for _ in 0..<200 {
            let degrees = Double(Int.random(in: -180...180, using: &random))
            let shifted = try moved(degrees)
            for _ in 0..<20 {
                let longitude = Double.random(in: -1...7, using: &random)
                let latitude = Double.random(in: -2...6, using: &random)
                let point = Self.at(longitude, latitude)
                let there = Self.at(Geo.normalizedLongitude(longitude + degrees), latitude)
                #expect(original.contains(point) == shifted.contains(there))
            }
        }
    }

    @Test func whatIsNoPolygonIsRefused() {
        func refusal(_ rings: [[Coordinate]]) -> GeoError? {
            do {
                _ = try Polygon(rings: rings)
                return nil
            } catch { return error }
        }
        #expect(refusal([]) == .empty)
        #expect(refusal([Self.ring((0, 0), (1, 1), (0, 0))]) == .tooFewPoints(ring: 0))
        #expect(refusal([Self.ring((0, 0), (1, 0), (1, 1), (0, 1))]) == .notClosed(ring: 0))
        #expect(
            refusal([Self.box(0, 0, 1, 1), Self.ring((0, 0), (1, 0), (1, 91), (0, 0))])
                == .offGlobe(ring: 1, point: 2))
        #expect(refusal([Self.ring((0, 0), (1, 0), (2, 0), (0, 0))]) == .noSurface(ring: 0))
        let aroundThePole = Self.ring((-120, 80), (0, 80), (120, 80), (-120, 80))
        #expect(refusal([aroundThePole]) == .enclosesPole(ring: 0))
        let endless = (0...Polygon.mostPoints).map { _ in Self.at(0, 0) }
        #expect(refusal([endless]) == .tooManyPoints(limit: Polygon.mostPoints))
    }

    @Test func nothingIsInsideAtNoPlace() throws {
        let polygon = try Polygon(rings: [Self.box(-170, -80, -10, 80)])
        #expect(!polygon.contains(Self.at(.nan, 0)))
        #expect(!polygon.contains(Self.at(-90, .infinity)))
    }

    @Test func distanceIsZeroInsideAndToTheEdgeOutside() throws {
        let polygon = try Polygon(rings: [Self.box(0, 0, 10, 10), Self.box(4, 4, 6, 6)])
        #expect(polygon.distanceMeters(to: Self.at(1, 1)) == 0)
        let degree = Geo.earthRadiusMeters * .pi / 180
        #expect(abs(polygon.distanceMeters(to: Self.at(5, -1)) - degree) < 1)
        #expect(abs(polygon.distanceMeters(to: Self.at(-1, -1)) - degree * 2.squareRoot()) < 50)
        // In the hole: to the hole's edge.
        #expect(abs(polygon.distanceMeters(to: Self.at(5, 5.5)) - degree / 2) < 1)
    }

    @Test func distanceLooksAcrossTheAntimeridian() throws {
        let area = Area(polygons: [try Polygon(rings: [Self.box(178, -1, 179.9, 1)])])
        let distance = area.distanceMeters(to: Self.at(-179.9, 0))
        #expect(abs(distance - 0.2 * Geo.earthRadiusMeters * .pi / 180) < 1)
    }

    @Test func anAreaIsAllOfItsPolygons() throws {
        let area = Area(polygons: [
            try Polygon(rings: [Self.box(0, 0, 1, 1)]), try Polygon(rings: [Self.box(5, 5, 6, 6)]),
        ])
        #expect(area.contains(Self.at(0.5, 0.5)))
        #expect(area.contains(Self.at(5.5, 5.5)))
        #expect(!area.contains(Self.at(3, 3)))
        #expect(area.distanceMeters(to: Self.at(6.5, 5.5)) < 60_000)
        #expect(!Area(polygons: []).contains(Self.at(0, 0)))
        #expect(Area(polygons: []).distanceMeters(to: Self.at(0, 0)) == .infinity)
    }
}
