import Foundation
import Geo

/// A line on the map along which somebody moves.
struct Path: Sendable, Equatable {
    let points: [Coordinate]
    /// Metres from the beginning to each point.
    private let marks: [Double]

    /// A line with at least one point; only `start` if there is no other.
    init(from start: Coordinate, through rest: [Coordinate]) {
        var (points, marks) = ([start], [0.0])
        for point in rest where point != points[points.count - 1] {
            marks.append(
                marks[marks.count - 1] + Geo.distanceMeters(points[points.count - 1], point))
            points.append(point)
        }
        (self.points, self.marks) = (points, marks)
    }

    var lengthMeters: Double { marks[marks.count - 1] }

    /// The point at that distance; limited to the first and the last point.
    func point(at meters: Double) -> Coordinate {
        guard let (from, share) = segment(at: meters) else {
            return meters <= 0 ? points[0] : points[points.count - 1]
        }
        let (a, b) = (points[from], points[from + 1])
        return Coordinate(
            latitude: a.latitude + (b.latitude - a.latitude) * share,
            longitude: a.longitude + (b.longitude - a.longitude) * share)
    }

    /// Degrees clockwise from north, 0..<360; nil without movement.
    func headingDegrees(at meters: Double) -> Double? {
        guard let (from, _) = segment(at: meters) else { return nil }
        let (a, b) = (points[from], points[from + 1])
        let east = (b.longitude - a.longitude) * cos(a.latitude * .pi / 180)
        let degrees = atan2(east, b.latitude - a.latitude) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    private func segment(at meters: Double) -> (from: Int, share: Double)? {
        guard meters >= 0, meters < lengthMeters,
            let next = marks.firstIndex(where: { $0 > meters })
        else { return nil }
        let from = next - 1
        return (from, (meters - marks[from]) / (marks[next] - marks[from]))
    }
}

/// Speeds in the simulated world, in metres per second.
enum TravelSpeed: Double, Sendable {
    case strolling = 1.4
    /// On the folding scooter that a valet brings.
    case riding = 6
    case driving = 9

    /// A server treats more than 70 m/s as an error of the phone; this leaves a margin.
    static let fastestMetersPerSecond = 60.0

    /// Metres per second of real time.
    func metersPerSecond(speed: Double) -> Double {
        min(rawValue * speed, Self.fastestMetersPerSecond)
    }
}
