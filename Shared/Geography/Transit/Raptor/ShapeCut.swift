import Foundation
import Geo
import Synchronization

/// Finds the part of a shape between two stops of a trip.
enum ShapeCut {
    /// A stop farther from the shape does not belong to it.
    private static let mostMeters = 1_000.0
    /// Maximum number of pairs of stops and points of a shape; real ones have a tenth of it.
    private static let mostPairs = 1_000_000

    /// The position of a stop on a shape: a share of the segment with that number.
    struct Place: Sendable {
        let segment: Int
        let share: Double
        let meters: Double
        let at: Coordinate
    }

    /// Nil if the stops aren't along the shape.
    static func part(
        of shape: [Coordinate], _ places: [Place], from first: Int, to last: Int
    ) -> [Coordinate]? {
        let (start, end) = (places[first], places[last])
        guard (start.segment, start.share) <= (end.segment, end.share) else { return nil }
        let points = [start.at] + shape[(start.segment + 1)..<(end.segment + 1)] + [end.at]
        return points.enumerated().filter { $0.offset == 0 || $0.element != points[$0.offset - 1] }
            .map(\.element)
    }

    /// The positions of all stops, in order along the shape, with the least sum of squared distances, so that a trip
    /// that uses a street twice is on the right pass. Nil if a stop is far from all segments.
    static func places(of stops: [Coordinate], on shape: [Coordinate]) -> [Place]? {
        guard shape.count > 1, shape.count * stops.count <= mostPairs else { return nil }
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

/// Caches the positions of patterns' stops on shapes: finding them takes as long as a search.
final class ShapeShelf: Sendable {
    struct Key: Hashable {
        let layer: Int
        let pattern: Int
        let shape: Int
    }

    /// Maximum number of entries of some kilobytes each; beyond it all are discarded.
    private static let most = 4_096

    private let known = Mutex<[Key: [ShapeCut.Place]?]>([:])

    /// The positions for a key, made if unknown. Concurrent callers may each make them, which does no harm.
    func places(_ key: Key, make: () -> [ShapeCut.Place]?) -> [ShapeCut.Place]? {
        if let places = known.withLock({ $0[key] }) { return places }
        let places = make()
        known.withLock { known in
            if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
            known[key] = .some(places)
        }
        return places
    }
}
