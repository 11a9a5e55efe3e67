import Foundation
import Geo
import Testing
import TripMaker

@testable import TripSearch

@Suite struct WayTests {
    private func way(_ points: [(Double, Double, Double)]) throws -> Way {
        try #require(
            Way(
                points.map { Coordinate(latitude: $0.0, longitude: $0.1) },
                seconds: points.map(\.2)))
    }

    @Test func whatIsNoWayIsRefused() {
        func way(_ points: [(Double, Double, Double)]) -> Way? {
            Way(
                points.map { Coordinate(latitude: $0.0, longitude: $0.1) },
                seconds: points.map(\.2))
        }
        #expect(way([(0, 0, 0)]) == nil)
        #expect(way([(0, 0, 10), (0, 1, 9)]) == nil)
        #expect(way([(0, 0, 0), (0, 181, 9)]) == nil)
        #expect(way([(0, 0, 0), (86, 0, 9)]) == nil)
        #expect(way([(0, 0, -1), (0, 1, 9)]) == nil)
        #expect(way([(0, 0, 0), (0, 1, .nan)]) == nil)
        #expect(way([(.nan, 0, 0), (0, 1, 1)]) == nil)
        #expect(way([(0, 0, 0), (0, 1, 1e9)]) == nil)
        #expect(Way([Coordinate(latitude: 0, longitude: 0)], seconds: []) == nil)
    }

    @Test func verticesThatTheLineTellsAnywayGoAndEndsStay() throws {
        let long = try way([
            (35.9, 14.4, 5), (35.9, 14.405, 55), (35.9, 14.41, 105), (35.91, 14.41, 205),
        ])
        let short = long.simplified()
        #expect(short.vertices == [long.vertices[0], long.vertices[2], long.vertices[3]])
    }

    @Test func aVertexStaysWhereItsTimeWouldChange() throws {
        let halting = try way([(35.9, 14.4, 0), (35.9, 14.405, 200), (35.9, 14.41, 250)])
        #expect(halting.simplified().vertices.count == 3)
    }

    @Test func noPlaceIsFartherFromTheShorterWayThanTheTolerance() {
        var maker = TripMaker(seed: 3, firstDay: .earliest)
        for _ in 0..<50 {
            let way = maker.trip().way
            let short = way.simplified(toleranceMeters: 100, toleranceSeconds: 1e9)
            #expect(short.first == way.first && short.last == way.last)
            #expect(short.vertices.count < way.vertices.count || way.vertices.count < 4)
            for vertex in way.vertices {
                #expect(short.position(nearest: vertex.coordinate).metersAway < 100.001)
            }
        }
    }

    @Test func theNearestPlaceIsOnASegmentWithItsTimeAndMetres() throws {
        let way = try way([(0, 0, 0), (0, 0.01, 100), (0.01, 0.01, 200)])
        let near = way.position(nearest: Coordinate(latitude: 0.001, longitude: 0.004))
        #expect(abs(near.point.longitude - 0.004) < 1e-9 && near.point.latitude == 0)
        #expect(abs(near.metersAway - 111.2) < 0.1)
        #expect(abs(near.seconds - 40) < 1e-6)
        #expect(abs(near.metersAlong - 444.8) < 0.1)
        #expect(abs(way.lengthMeters - 2_223.9) < 0.1)
    }

    @Test func aWayGoesOnBeyondTheAntimeridian() throws {
        let way = try way([(0, 179.99, 0), (0, -179.99, 100)])
        let near = way.position(nearest: Coordinate(latitude: 0, longitude: -179.995))
        #expect(near.metersAway < 0.01)
        #expect(abs(near.seconds - 75) < 1e-6)
        #expect(abs(way.lengthMeters - 2_223.9) < 0.1)
        #expect(way.position(nearest: Coordinate(latitude: 0, longitude: 0)).metersAway > 1e6)
    }

    @Test func bytesGiveTheSameWay() {
        var maker = TripMaker(seed: 4, firstDay: .earliest)
        for _ in 0..<100 {
            let way = maker.trip().way
            #expect(Way(encoded: way.encoded) == way)
            #expect(way.encoded.count < way.vertices.count * 8)
        }
    }
}

@Suite struct TripCodingTests {
    private func trips(_ count: Int) throws -> [Trip] {
        var maker = TripMaker(seed: 5, firstDay: try #require(Day("2026-11-30")))
        return maker.trips(count)
    }

    @Test func bytesGiveTheSameTripAndFingerprint() throws {
        for trip in try trips(200) {
            let copy = try #require(Trip(encoded: trip.encoded))
            #expect(copy == trip)
            #expect(copy.fingerprint == trip.fingerprint)
            var newer = trip
            newer.version += 1
            #expect(newer.fingerprint != trip.fingerprint)
        }
    }

    @Test func bytesThatEndEarlyOrLateAreRefused() throws {
        for trip in try trips(20) {
            let bytes = trip.encoded
            for count in 0..<bytes.count { #expect(Trip(encoded: Array(bytes[..<count])) == nil) }
            #expect(Trip(encoded: bytes + [0]) == nil)
            let way = trip.way.encoded
            for count in 0..<way.count { #expect(Way(encoded: Array(way[..<count])) == nil) }
        }
    }

    @Test func garbageIsRefusedOrIsATripThatIsOneAgain() throws {
        var random = SeededNumbers(seed: 6)
        for trip in try trips(40) {
            for _ in 0..<50 {
                var bytes = trip.encoded
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[.random(in: bytes.indices, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                if let changed = Trip(encoded: bytes) {
                    #expect(Trip(encoded: changed.encoded) == changed)
                }
                _ = Way(encoded: Array(bytes.dropFirst(.random(in: 0...60, using: &random))))
            }
        }
        for length in 0..<2_000 {
            let bytes = (0..<length % 100).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = Way(encoded: bytes)
            _ = Trip(encoded: [1] + bytes)
        }
        #expect(Way(encoded: [UInt8](repeating: 0xFF, count: 100)) == nil)
    }
}
