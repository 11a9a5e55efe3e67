import Foundation
import Geo

/// The part of a shape between two stops of a trip.
enum ShapeCut {
    /// A stop that is further from its shape is none of it.
    private static let mostMeters = 1_000.0

    /// Where a stop is on a shape: so far along the segment of that number.
    private struct Place {
        let segment: Int
        let share: Double
        let meters: Double
        let at: Coordinate
    }

    /// From stop to stop where there is no shape, or one that the stops do not lie along.
    static func part(
        of shape: [Coordinate], stops: [Coordinate], from first: Int, to last: Int
    ) -> [Coordinate] {
        let straight = Array(stops[first...last])
        guard shape.count > 1, let places = places(of: stops, on: shape) else { return straight }
        let (start, end) = (places[first], places[last])
        guard (start.segment, start.share) <= (end.segment, end.share) else { return straight }
        var points = [start.at]
        points += shape[(start.segment + 1)..<(end.segment + 1)]
        points.append(end.at)
        return points.enumerated().filter { $0.offset == 0 || $0.element != points[$0.offset - 1] }
            .map(\.element)
    }

    /// The places of all stops, in order along the shape, with the least sum of squares of their distances: so that a
    /// trip that passes a street twice is on the right pass of it. Nil when a stop is far from all.
    private static func places(of stops: [Coordinate], on shape: [Coordinate]) -> [Place]? {
        let segments = shape.count - 1
        var cost = [Double](repeating: 0, count: segments)
        var before: [[Int]] = []
        var candidates: [[Place]] = []
        for stop in stops {
            let places = (0..<segments).map { segment in
                place(of: stop, segment, shape[segment], shape[segment + 1])
            }
            guard places.contains(where: { $0.meters <= mostMeters }) else { return nil }
            var (best, from): (Int, [Int]) = (0, [])
            var next = [Double](repeating: 0, count: segments)
            for segment in 0..<segments {
                if cost[segment] < cost[best] { best = segment }
                from.append(best)
                next[segment] = cost[best] + places[segment].meters * places[segment].meters
            }
            (cost, before, candidates) = (next, before + [from], candidates + [places])
        }
        var segment = cost.indices.min { cost[$0] < cost[$1] } ?? 0
        var chosen: [Place] = []
        for number in stops.indices.reversed() {
            chosen.append(candidates[number][segment])
            segment = before[number][segment]
        }
        return chosen.reversed()
    }

    /// On a plane around the stop, true to scale there.
    private static func place(
        of stop: Coordinate, _ segment: Int, _ a: Coordinate, _ b: Coordinate
    ) -> Place {
        let north = Geo.earthRadiusMeters * .pi / 180
        let east = north * cos(stop.latitude * .pi / 180)
        let (ax, ay) = (
            (a.longitude - stop.longitude) * east, (a.latitude - stop.latitude) * north
        )
        let (dx, dy) = ((b.longitude - a.longitude) * east, (b.latitude - a.latitude) * north)
        let length = dx * dx + dy * dy
        let share = length > 0 ? min(1, max(0, -(ax * dx + ay * dy) / length)) : 0
        let (x, y) = (ax + share * dx, ay + share * dy)
        return Place(
            segment: segment, share: share, meters: (x * x + y * y).squareRoot(),
            at: Coordinate(
                latitude: a.latitude + share * (b.latitude - a.latitude),
                longitude: a.longitude + share * (b.longitude - a.longitude)))
    }
}
