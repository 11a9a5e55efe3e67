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
    fileprivate var straight: [Route] {
        zip(self, dropFirst()).map { StraightLine.route(from: $0, to: $1) }
    }
}
