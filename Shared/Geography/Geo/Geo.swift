import Foundation

/// Distances and directions on a sphere.
///
/// A sphere is within 0.5 % of the ellipsoid everywhere: accurate enough to find nearby people.
public enum Geo {
    /// IUGG mean radius R₁ = (2a + b) / 3 of the WGS 84 ellipsoid, 6,371,008.77 m
    /// (H. Moritz, "Geodetic Reference System 1980", Journal of Geodesy 74, 2000).
    public static let earthRadiusMeters = 6_371_008.8

    /// The distance along the great circle by the haversine formula, which is also exact for close points.
    public static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
        let halfLatitude = sin(radians(b.latitude - a.latitude) / 2)
        let halfLongitude = sin(radians(b.longitude - a.longitude) / 2)
        let chord =
            halfLatitude * halfLatitude
            + cos(radians(a.latitude)) * cos(radians(b.latitude)) * halfLongitude * halfLongitude
        return 2 * earthRadiusMeters * asin(min(1, chord.squareRoot()))
    }

    /// The point at a distance in a direction; the bearing is in degrees clockwise from north.
    public static func destination(
        from start: Coordinate, bearingDegrees: Double, distanceMeters: Double
    ) -> Coordinate {
        let angle = distanceMeters / earthRadiusMeters
        let bearing = radians(bearingDegrees)
        let latitude = radians(start.latitude)
        let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
        let turned = atan2(
            sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sine)
        return Coordinate(
            latitude: degrees(asin(max(-1, min(1, sine)))),
            longitude: normalizedLongitude(start.longitude + degrees(turned)))
    }

    /// The same meridian in −180…180; 180 stays as it is.
    public static func normalizedLongitude(_ longitude: Double) -> Double {
        if (-180.0...180.0).contains(longitude) { return longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        return turned < 0 ? turned + 180 : turned - 180
    }

    static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
