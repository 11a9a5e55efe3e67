import Foundation

/// Why rings don't form a polygon. Rings and points count from 0.
public enum GeoError: Error, Hashable, Sendable {
    case empty
    case tooFewPoints(ring: Int)
    case tooManyPoints(limit: Int)
    case notClosed(ring: Int)
    case offGlobe(ring: Int, point: Int)
    /// The ring goes all the way around the Earth, so it has no inside in the plane.
    case enclosesPole(ring: Int)
    case noSurface(ring: Int)
}

/// A GeoJSON polygon (RFC 7946 §3.1.6): an outer ring and holes, edges included.
///
/// Edges are straight in longitude and latitude, as in GeoJSON, and take the shorter way around the Earth: a ring may
/// cross the antimeridian.
public struct Polygon: Hashable, Sendable {
    /// Maximum number of points of a polygon, all rings together.
    public static let mostPoints = 20_000

    public let rings: [[Coordinate]]
    public let boundingBox: BoundingBox
    private let outlines: [Outline]

    /// Rings are closed: the last point repeats the first. Their direction does not matter.
    public init(rings: [[Coordinate]]) throws(GeoError) {
        guard !rings.isEmpty else { throw .empty }
        guard rings.reduce(0, { $0 + $1.count }) <= Self.mostPoints else {
            throw .tooManyPoints(limit: Self.mostPoints)
        }
        var outlines: [Outline] = []
        for (index, ring) in rings.enumerated() {
            outlines.append(try Outline(ring, index: index))
        }
        self.rings = rings
        self.outlines = outlines
        boundingBox = outlines[0].boundingBox
    }

    public func contains(_ point: Coordinate) -> Bool {
        guard point.isOnGlobe else { return false }
        switch outlines[0].side(of: point) {
        case .outside: return false
        case .edge: return true
        case .inside: return !outlines.dropFirst().contains { $0.side(of: point) == .inside }
        }
    }

    /// Zero inside, else the distance to the nearest point of an edge.
    ///
    /// It uses a plane that touches the Earth at `point`: accurate to a percent over some hundred kilometres, and
    /// good enough beyond that to find the nearest area.
    public func distanceMeters(to point: Coordinate) -> Double {
        if contains(point) { return 0 }
        return outlines.map { $0.distanceMeters(to: point) }.min() ?? .infinity
    }
}

/// A ring with continuous longitudes, so that plane geometry works across ±180°.
private struct Outline: Hashable, Sendable {
    enum Side { case inside, edge, outside }

    /// In degrees: a tenth of a millimetre.
    static let edgeTolerance = 1e-9

    let points: [Coordinate]
    let south, west, north, east: Double

    init(_ ring: [Coordinate], index: Int) throws(GeoError) {
        guard ring.count >= 4 else { throw .tooFewPoints(ring: index) }
        if let off = ring.firstIndex(where: { !$0.isOnGlobe }) {
            throw .offGlobe(ring: index, point: off)
        }
        guard ring.first == ring.last else { throw .notClosed(ring: index) }
        var points = [ring[0]]
        for point in ring.dropFirst() {
            let last = points[points.count - 1].longitude
            points.append(
                Coordinate(
                    latitude: point.latitude,
                    longitude: last + Self.shorterWay(point.longitude - last)))
        }
        guard abs(points[points.count - 1].longitude - points[0].longitude) < 180 else {
            throw .enclosesPole(ring: index)
        }
        self.points = points
        south = points.map(\.latitude).min() ?? 0
        north = points.map(\.latitude).max() ?? 0
        west = points.map(\.longitude).min() ?? 0
        east = points.map(\.longitude).max() ?? 0
        guard south < north, west < east else { throw .noSurface(ring: index) }
    }

    var boundingBox: BoundingBox {
        guard east - west < 360 else {
            return BoundingBox(south: south, west: -180, north: north, east: 180)
        }
        return BoundingBox(
            south: south, west: Geo.normalizedLongitude(west), north: north,
            east: Geo.normalizedLongitude(east))
    }

    /// The same angle in −180…180.
    static func shorterWay(_ degrees: Double) -> Double {
        degrees - 360 * (degrees / 360).rounded()
    }

    func side(of point: Coordinate) -> Side {
        guard (south...north).contains(point.latitude) else { return .outside }
        for turn in [-360.0, 0, 360] {
            let longitude = point.longitude + turn
            guard longitude >= west - Self.edgeTolerance, longitude <= east + Self.edgeTolerance
            else { continue }
            let side = side(latitude: point.latitude, longitude: longitude)
            if side != .outside { return side }
        }
        return .outside
    }

    /// By the even-odd rule: how often a ray to the east crosses the ring.
    private func side(latitude: Double, longitude: Double) -> Side {
        var isInside = false
        for (a, b) in zip(points, points.dropFirst()) {
            if isOnEdge(a, b, latitude, longitude) { return .edge }
            guard (a.latitude > latitude) != (b.latitude > latitude) else { continue }
            let share = (latitude - a.latitude) / (b.latitude - a.latitude)
            if longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
        }
        return isInside ? .inside : .outside
    }

    private func isOnEdge(
        _ a: Coordinate, _ b: Coordinate, _ latitude: Double, _ longitude: Double
    ) -> Bool {
        let (x, y) = (longitude - a.longitude, latitude - a.latitude)
        let (dx, dy) = (b.longitude - a.longitude, b.latitude - a.latitude)
        let length = dx * dx + dy * dy
        let share = length == 0 ? 0 : max(0, min(1, (x * dx + y * dy) / length))
        return hypot(x - share * dx, y - share * dy) <= Self.edgeTolerance
    }

    func distanceMeters(to point: Coordinate) -> Double {
        let shrink = cos(Geo.radians(point.latitude))
        var nearest = Double.infinity
        for (a, b) in zip(points, points.dropFirst()) {
            let x = Self.shorterWay(a.longitude - point.longitude) * shrink
            let y = a.latitude - point.latitude
            let (dx, dy) = ((b.longitude - a.longitude) * shrink, b.latitude - a.latitude)
            let length = dx * dx + dy * dy
            let share = length == 0 ? 0 : max(0, min(1, -(x * dx + y * dy) / length))
            let closest = Coordinate(
                latitude: a.latitude + share * (b.latitude - a.latitude),
                longitude: a.longitude + share * (b.longitude - a.longitude))
            nearest = min(nearest, Geo.distanceMeters(point, closest))
        }
        return nearest
    }
}
