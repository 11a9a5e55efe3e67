import Testing

@testable import Geo

@Suite struct PointOnSurfaceTests {
    /// Rings with (longitude, latitude), not closed.
    private static func polygon(_ rings: [[(Double, Double)]]) throws -> Polygon {
        try Polygon(
            rings: rings.map { ring in
                (ring + ring.prefix(1)).map { Coordinate(latitude: $0.1, longitude: $0.0) }
            })
    }

    @Test func ofAConvexOneItIsTheCentroid() throws {
        // Additional points along a side don't move it.
        let square = try Self.polygon([[(0, 0), (1, 0), (2, 0), (4, 0), (4, 2), (0, 2)]])
        #expect(square.pointOnSurface == Coordinate(latitude: 1, longitude: 2))
        let backwards = try Self.polygon([[(0, 2), (4, 2), (4, 0), (0, 0)]])
        #expect(backwards.pointOnSurface == Coordinate(latitude: 1, longitude: 2))
    }

    private static let bent: [[[(Double, Double)]]] = [
        // An L of two narrow arms, a U, a C and a spiral.
        [
            [
                (24.91, 60.4), (24.912, 60.4), (24.912, 60.4001), (24.9101, 60.4001),
                (24.9101, 60.402), (24.91, 60.402),
            ]
        ],
        [[(0, 0), (5, 0), (5, 5), (4, 5), (4, 1), (1, 1), (1, 5), (0, 5)]],
        [[(0, 0), (5, 0), (5, 1), (1, 1), (1, 4), (5, 4), (5, 5), (0, 5)]],
        [
            [
                (0, 0), (9, 0), (9, 9), (2, 9), (2, 4), (5, 4), (5, 5), (3, 5), (3, 8), (8, 8),
                (8, 1), (0, 1),
            ]
        ],
        // Around a courtyard, and around two.
        [[(0, 0), (9, 0), (9, 9), (0, 9)], [(1, 1), (8, 1), (8, 8), (1, 8)]],
        [
            [(0, 0), (9, 0), (9, 9), (0, 9)], [(1, 1), (8, 1), (8, 4.2), (1, 4.2)],
            [(1, 4.4), (8, 4.4), (8, 8), (1, 8)],
        ],
        // Across the antimeridian, with its courtyard on one side or on both.
        [
            [(179, 0), (-179, 0), (-179, 2), (179, 2)],
            [(179.5, 0.5), (-179.5, 0.5), (-179.5, 1.5)],
        ],
        [
            [(179, 0), (-177, 0), (-177, 2), (179, 2)],
            [(-179.5, 0.5), (-177.5, 0.5), (-178.5, 1.5)],
        ],
    ]

    @Test(arguments: 0..<8) func itIsWithin(index: Int) throws {
        let polygon = try Self.polygon(Self.bent[index])
        let point = polygon.pointOnSurface
        #expect(point.isOnGlobe && polygon.contains(point))
        #expect(polygon.boundingBox.contains(point))
    }

    @Test func ofAnLItIsTheMiddleOfAnArm() throws {
        let point = try Self.polygon(Self.bent[0]).pointOnSurface
        #expect(abs(point.longitude - 24.91005) < 1e-9 && abs(point.latitude - 60.401) < 1e-9)
    }

    @Test func ofSeveralItIsThatOfTheLargest() throws {
        func box(_ west: Double, _ south: Double, _ size: Double) -> [[Coordinate]] {
            [PolygonTests.box(west, south, west + size, south + size)]
        }
        let point = Area.pointOnSurface(of: [box(0, 0, 1), box(10, 0, 3), box(20, 0, 2)])
        #expect(point == Coordinate(latitude: 1.5, longitude: 11.5))
        // A degree is shorter in the north.
        #expect(Area.pointOnSurface(of: [box(0, 80, 1.2), box(10, 0, 1)])?.longitude == 10.5)
        // One that is no polygon is left out, if another one is.
        #expect(
            Area.pointOnSurface(of: [[Array(box(50, 0, 9)[0].prefix(3))], box(10, 0, 3)])?.longitude
                == 11.5)
    }

    @Test func ofWhatIsNoPolygonItIsTheMeanOfTheCorners() {
        let line = PolygonTests.ring((0, 0), (2, 0), (4, 0), (0, 0))
        #expect(Area.pointOnSurface(of: [[line]]) == Coordinate(latitude: 0, longitude: 2))
        #expect(Area.pointOnSurface(of: []) == nil)
        #expect(Area.pointOnSurface(of: [[]]) == nil)
        #expect(Area.pointOnSurface(of: [[[]]]) == nil)
    }
}
