import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import TripSearch

/// The routes of trips: along roads if a router answers and knows the points, otherwise straight lines, which are
/// marked as such.
struct TripWays: Sendable {
    let roads: Roads

    func course(through points: [Coordinate]) async throws -> TripRecord.Course {
        var legs: [Route] = []
        for (start, end) in zip(points, points.dropFirst()) {
            let leg: Route?
            do {
                leg = try await roads.drive(from: start, to: end)
            } catch { throw Refusal.noRoad }
            guard let leg else { return try Self.course(points.straight, isStraightLine: true) }
            legs.append(leg)
        }
        return try Self.course(legs, isStraightLine: false)
    }

    private static func course(
        _ legs: [Route], isStraightLine: Bool
    ) throws -> TripRecord.Course {
        var (points, seconds, start) = ([Coordinate](), [Double](), 0.0)
        for leg in legs {
            points += leg.points
            seconds += leg.secondsAlong.map { start + $0 }
            start += leg.durationSeconds
        }
        guard let way = Way(points, seconds: seconds)?.simplified() else {
            throw Refusal.noRoad
        }
        return TripRecord.Course(
            line: Data(way.encoded), isStraightLine: isStraightLine,
            distanceMeters: legs.reduce(0) { $0 + $1.distanceMeters }.rounded(),
            durationSeconds: Int(start.rounded()))
    }

    /// The driver's detour to the meeting points and back, in seconds; nil if the router does not answer.
    func detourSeconds(of fit: Fit, from way: Way) async -> Int? {
        let ends = [fit.pickUp.point, fit.dropOff.point].flatMap { point in
            [way.position(nearest: point).point, point]
        }
        guard let seconds = await roads.travelSeconds(from: ends, to: ends),
            let there = seconds[0][1], let back = seconds[1][0], let out = seconds[2][3],
            let home = seconds[3][2]
        else { return nil }
        return Int((there + back + out + home).rounded())
    }
}

extension [Coordinate] {
    /// The part of a straight line that is driven as slowly as in a town, in metres.
    private static let townMeters = 20_000.0
    /// Speed along the line beyond it: 70 km/h on roads, which are longer than the line.
    private static let openMetersPerSecond = 15.0

    /// Straight lines between the points. All of them together are as fast as a trip of that length usually is.
    fileprivate var straight: [Route] {
        let legs = zip(self, dropFirst()).map { StraightLine.route(from: $0, to: $1) }
        let meters = zip(self, dropFirst()).reduce(0) { $0 + Geo.distanceMeters($1.0, $1.1) }
        guard meters > Self.townMeters else { return legs }
        let seconds =
            StraightLine.seconds(meters: Self.townMeters)
            + (meters - Self.townMeters) / Self.openMetersPerSecond
        return legs.map { leg in
            var leg = leg
            leg.durationSeconds *= seconds / StraightLine.seconds(meters: meters)
            return leg
        }
    }
}
