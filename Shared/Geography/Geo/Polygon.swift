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

    /// A point that represents the polygon, on a map for example: its centroid or, if that is beside it (a U) or in a
    /// hole, the middle of the widest stretch on the parallel halfway between south and north.
    public var pointOnSurface: Coordinate {
        let start = outlines[0].points[0]
        let moments = moments(about: start)
        let centroid = Coordinate(
            latitude: start.latitude + moments.y / moments.z,
            longitude: Geo.normalizedLongitude(start.longitude + moments.x / moments.z))
        if contains(centroid) { return centroid }
        let latitude = (outlines[0].south + outlines[0].north) / 2
        let crossings = outlines.flatMap { $0.crossings(of: latitude, near: start.longitude) }
            .sorted()
        let stretches = stride(from: 1, to: crossings.count, by: 2).map {
            (west: crossings[$0 - 1], east: crossings[$0])
        }
        guard let widest = stretches.max(by: { $0.east - $0.west < $1.east - $1.west }) else {
            return rings[0][0]
        }
        return Coordinate(
            latitude: latitude,
            longitude: Geo.normalizedLongitude((widest.west + widest.east) / 2))
    }

    /// Its area on a plane, in square degrees of the parallel in its middle.
    var surface: Double {
        let middle = (outlines[0].south + outlines[0].north) / 2
        return moments(about: outlines[0].points[0]).z * cos(Geo.radians(middle))
    }

    /// The area without holes in square degrees (z), and its moments about a point, by longitude (x) and latitude (y).
    private func moments(about start: Coordinate) -> SIMD3<Double> {
        outlines.dropFirst().reduce(outlines[0].moments(about: start)) {
            $0 - $1.moments(about: start)
        }
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

    /// The turns that bring its longitudes near those of another ring, in degrees.
    private func turn(toward longitude: Double) -> Double {
        let way = points[0].longitude - longitude
        return Self.shorterWay(way) - way
    }

    /// Where it crosses a parallel, in no order.
    func crossings(of latitude: Double, near longitude: Double) -> [Double] {
        let turn = turn(toward: longitude)
        return zip(points, points.dropFirst()).compactMap { a, b in
            guard (a.latitude > latitude) != (b.latitude > latitude) else { return nil }
            let share = (latitude - a.latitude) / (b.latitude - a.latitude)
            return a.longitude + share * (b.longitude - a.longitude) + turn
        }
    }

    /// Its area in square degrees (z), and the moments about a point, by longitude (x) and latitude (y). The area is
    /// positive in both directions of the ring (P. Bourke, "Calculating the area and centroid of a polygon", 1988).
    func moments(about start: Coordinate) -> SIMD3<Double> {
        let turn = turn(toward: start.longitude)
        let corners = points.map {
            SIMD2($0.longitude + turn - start.longitude, $0.latitude - start.latitude)
        }
        let sum = zip(corners, corners.dropFirst()).reduce(SIMD3<Double>.zero) { sum, side in
            let (a, b) = side
            let twice = a.x * b.y - b.x * a.y
            return sum + SIMD3((a.x + b.x) / 6, (a.y + b.y) / 6, 0.5) * twice
        }
        return sum.z < 0 ? -sum : sum
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
