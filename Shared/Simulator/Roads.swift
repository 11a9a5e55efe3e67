import Geo
import Synchronization

/// The routes from the server as one network. People without a route from the server use it, in both directions.
final class Roads: Sendable {
    /// Maximum number of points: more than a town's roads have.
    static let mostPoints = 20_000
    /// Maximum distance from a point to the network, in metres.
    static let reachMeters = 120.0

    /// A point rounded to a metre, so that two routes along the same road share their points.
    private struct Spot: Hashable {
        let latitude, longitude: Int

        init(_ point: Coordinate) {
            latitude = Int((point.latitude * 1e5).rounded())
            longitude = Int((point.longitude * 1e5).rounded())
        }

        var point: Coordinate {
            Coordinate(latitude: Double(latitude) / 1e5, longitude: Double(longitude) / 1e5)
        }
    }

    /// Neighbours in the order in which they were added.
    private let net = Mutex<[Spot: [Spot]]>([:])

    var isEmpty: Bool { net.withLock(\.isEmpty) }

    func learn(_ way: [Coordinate]) {
        let spots = way.map(Spot.init)
        net.withLock { net in
            for (from, to) in zip(spots, spots.dropFirst()) where from != to {
                guard net.count < Self.mostPoints else { return }
                for (one, other) in [(from, to), (to, from)]
                where net[one]?.contains(other) != true {
                    net[one, default: []].append(other)
                }
            }
        }
    }

    /// The shortest known route, ending at the destination; nil if there is none.
    func way(from start: Coordinate, to goal: Coordinate) -> [Coordinate]? {
        let net = net.withLock { $0 }
        guard let first = Self.nearest(to: start, in: net),
            let last = Self.nearest(to: goal, in: net)
        else { return nil }
        var meters = [first: 0.0]
        var before: [Spot: Spot] = [:]
        var open = [first]
        var index = 0
        while index < open.count {
            let spot = open[index]
            index += 1
            let here = meters[spot] ?? 0
            guard here < meters[last] ?? .infinity else { continue }
            for next in net[spot] ?? [] {
                let there = here + Geo.distanceMeters(spot.point, next.point)
                guard there < meters[next] ?? .infinity else { continue }
                (meters[next], before[next]) = (there, spot)
                open.append(next)
            }
        }
        guard meters[last] != nil else { return nil }
        var way = [last]
        while let spot = before[way[way.count - 1]] { way.append(spot) }
        return way.reversed().map(\.point) + [goal]
    }

    /// A random route along the network of that length; empty if the network is not nearby.
    func stroll(
        from start: Coordinate, meters: Double, _ generator: inout SeededGenerator
    ) -> [Coordinate] {
        let net = net.withLock { $0 }
        guard var spot = Self.nearest(to: start, in: net) else { return [] }
        var way = [spot.point]
        var (left, last): (Double, Spot?) = (meters, nil)
        while left > 0, let around = net[spot] {
            let onwards = around.filter { $0 != last }
            guard let next = generator.pick(onwards) else { break }
            left -= Geo.distanceMeters(spot.point, next.point)
            way.append(next.point)
            (last, spot) = (spot, next)
        }
        return way
    }

    private static func nearest(to point: Coordinate, in net: [Spot: [Spot]]) -> Spot? {
        let near = net.keys.map { (spot: $0, meters: Geo.distanceMeters(point, $0.point)) }
            .min {
                ($0.meters, $0.spot.latitude, $0.spot.longitude)
                    < ($1.meters, $1.spot.latitude, $1.spot.longitude)
            }
        return near.flatMap { $0.meters <= reachMeters ? $0.spot : nil }
    }
}
