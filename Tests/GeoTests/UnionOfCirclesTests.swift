import Foundation
import Testing

@testable import Geo

@Suite struct UnionOfCirclesTests {
    typealias Circle = UnionOfCircles.Circle

    private static let valletta = Coordinate(latitude: 35.8965, longitude: 14.5101)

    private static func at(
        _ bearing: Double, _ meters: Double, from start: Coordinate = valletta
    ) -> Coordinate {
        Geo.destination(from: start, bearingDegrees: bearing, distanceMeters: meters)
    }

    /// Rings as RFC 7946 §3.1.6 wants them, none of whose sides meets another one.
    private func check(_ polygons: [[[Coordinate]]], _ name: String = "") {
        for rings in polygons {
            for (number, ring) in rings.enumerated() {
                #expect(ring.count >= 4 && ring.first == ring.last, "\(name)")
                #expect(Set(ring).count == ring.count - 1, "no point twice: \(name)")
                let isOnGlobe = ring.allSatisfy(\.isOnGlobe)
                #expect(isOnGlobe, "\(name)")
                #expect((UnionOfCircles.surface(ring) > 0) == (number == 0), "\(name)")
                #expect(!crossesItself(ring), "\(name)")
            }
            for hole in rings.dropFirst() {
                let isWithin = hole.allSatisfy { point in
                    (try? Polygon(rings: [rings[0]]))?.contains(point) == true
                }
                #expect(isWithin, "\(name)")
            }
        }
        let points = polygons.flatMap { $0.flatMap { $0.dropLast() } }
        #expect(Set(points).count == points.count, "no two rings touch: \(name)")
    }

    private func crossesItself(_ ring: [Coordinate]) -> Bool {
        func turn(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Double {
            (b.longitude - a.longitude) * (c.latitude - a.latitude)
                - (b.latitude - a.latitude) * (c.longitude - a.longitude)
        }
        func south(_ side: (Coordinate, Coordinate)) -> Double {
            min(side.0.latitude, side.1.latitude)
        }
        let sides = zip(ring, ring.dropFirst()).sorted { south($0) < south($1) }
        for (number, one) in sides.enumerated() {
            for other in sides[(number + 1)...] {
                guard south(other) <= max(one.0.latitude, one.1.latitude) else { break }
                if other.0 == one.0 || other.0 == one.1 || other.1 == one.0 || other.1 == one.1 {
                    continue
                }
                let crosses =
                    (turn(one.0, one.1, other.0) > 0) != (turn(one.0, one.1, other.1) > 0)
                    && (turn(other.0, other.1, one.0) > 0) != (turn(other.0, other.1, one.1) > 0)
                if crosses { return true }
            }
        }
        return false
    }

    private func contains(_ polygons: [[[Coordinate]]], _ point: Coordinate) throws -> Bool {
        try polygons.contains { try Polygon(rings: $0).contains(point) }
    }

    @Test func oneCircleIsOneRing() throws {
        let union = UnionOfCircles.polygons(of: [
            Circle(center: Self.valletta, radiusMeters: 1_000)
        ])
        check(union)
        #expect(union.count == 1 && union[0].count == 1)
        for bearing in stride(from: 0.0, to: 360, by: 15) {
            #expect(try contains(union, Self.at(bearing, 995)))
            #expect(try !contains(union, Self.at(bearing, 1_005)))
        }
    }

    @Test func nothingIsAroundNothing() {
        let nowhere = Coordinate(latitude: .nan, longitude: 0)
        #expect(UnionOfCircles.polygons(of: []).isEmpty)
        for radius in [0, -5, Double.nan, .infinity, 1e-9] {
            let circle = Circle(center: Self.valletta, radiusMeters: radius)
            #expect(UnionOfCircles.polygons(of: [circle]).isEmpty)
        }
        let off = Circle(center: nowhere, radiusMeters: 500)
        #expect(UnionOfCircles.polygons(of: [off]).isEmpty)
    }

    /// Around a lake, on which there is an island with a pond.
    @Test func holesAndWhatIsInThem() throws {
        func necklace(_ meters: Double, _ radius: Double) -> [Circle] {
            stride(from: 0.0, to: 360, by: 10).map {
                Circle(center: Self.at($0, meters), radiusMeters: radius)
            }
        }
        let union = UnionOfCircles.polygons(of: necklace(5_000, 600) + necklace(2_000, 300))
        check(union)
        #expect(union.map(\.count) == [2, 2], "each has its hole")
        for (meters, isInside) in [
            (0.0, false), (1_500, false), (2_000, true), (2_500, false), (4_200, false),
            (5_000, true), (5_800, false),
        ] {
            #expect(try contains(union, Self.at(45, meters)) == isInside, "\(meters)")
        }
    }

    @Test(arguments: 1...6)
    func whatIsInAnyIsInside(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let circles = (0..<Int.random(in: 2...60, using: &random)).map { _ in
            Circle(
                center: Self.at(
                    .random(in: 0...360, using: &random), .random(in: 0...8_000, using: &random)),
                radiusMeters: .random(in: 200...1_500, using: &random))
        }
        let union = UnionOfCircles.polygons(of: circles)
        check(union, "\(seed)")
        // No more than 20 km over 384 cells.
        let cell = 60.0
        var inside = 0
        for _ in 0..<400 {
            let point = Self.at(
                .random(in: 0...360, using: &random), .random(in: 0...10_000, using: &random))
            let depth =
                circles.map { $0.radiusMeters - Geo.distanceMeters($0.center, point) }
                .max() ?? 0
            guard abs(depth) > cell else { continue }
            #expect(try contains(union, point) == (depth > 0), "\(seed) \(depth)")
            inside += depth > 0 ? 1 : 0
        }
        #expect(inside > 0)
    }

    @Test func circlesThatTouchAndThatAreTheSame() {
        let east = Self.at(90, 2_000)
        let same = Circle(center: Self.valletta, radiusMeters: 1_000)
        for circles in [
            [same, same], [same, Circle(center: east, radiusMeters: 1_000)],
            [same, Circle(center: Self.valletta, radiusMeters: 10)],
        ] {
            check(UnionOfCircles.polygons(of: circles))
        }
    }

    @Test(arguments: [
        (90.0, 0.0), (-90, 0), (0, 180), (0, -180), (89.999, 179.999), (-89.9, -179.9), (0, 0),
    ])
    func theEdgesOfTheGlobe(_ latitude: Double, _ longitude: Double) {
        let center = Coordinate(latitude: latitude, longitude: longitude)
        for radius in [1_000.0, 5_000_000] {
            check(
                UnionOfCircles.polygons(of: [Circle(center: center, radiusMeters: radius)]),
                "\(latitude) \(longitude) \(radius)")
        }
        let far = Circle(center: Coordinate(latitude: 1, longitude: 1), radiusMeters: 2_000)
        check(UnionOfCircles.polygons(of: [Circle(center: center, radiusMeters: 500), far]))
    }
}
