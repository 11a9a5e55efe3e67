import Foundation

/// A rectangle of latitudes and longitudes, edges included.
///
/// `west` is greater than `east` when it crosses the antimeridian (RFC 7946 §5.2).
public struct BoundingBox: Hashable, Sendable {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    public init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// The smallest box around a circle. It contains all longitudes if the circle contains a pole.
    public init(center: Coordinate, radiusMeters: Double) {
        let angle = radiusMeters / Geo.earthRadiusMeters
        let south = center.latitude - Geo.degrees(angle)
        let north = center.latitude + Geo.degrees(angle)
        guard south > -90, north < 90 else {
            self.init(south: max(-90, south), west: -180, north: min(90, north), east: 180)
            return
        }
        // The longitude at which a meridian touches the circle: farther out than the circle's edge at its centre's
        // latitude.
        let reach = Geo.degrees(asin(sin(angle) / cos(Geo.radians(center.latitude))))
        self.init(
            south: south, west: Geo.normalizedLongitude(center.longitude - reach), north: north,
            east: Geo.normalizedLongitude(center.longitude + reach))
    }

    public var crossesAntimeridian: Bool { west > east }

    /// The box itself, or two boxes if it crosses the antimeridian.
    public var parts: [BoundingBox] {
        guard crossesAntimeridian else { return [self] }
        return [
            BoundingBox(south: south, west: west, north: north, east: 180),
            BoundingBox(south: south, west: -180, north: north, east: east),
        ]
    }

    public func contains(_ point: Coordinate) -> Bool {
        guard (south...north).contains(point.latitude) else { return false }
        return crossesAntimeridian
            ? point.longitude >= west || point.longitude <= east
            // 180 and −180 are the same meridian.
            : (west...east).contains(point.longitude)
                || abs(point.longitude) == 180 && (west == -180 || east == 180)
    }
}
