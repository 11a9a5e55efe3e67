/// A point on the Earth, WGS 84, in degrees.
///
/// On the wire: `{ "latitude": 22.2819, "longitude": 114.1556 }`.
public struct Coordinate: Hashable, Codable, Sendable {
    /// Degrees north of the equator, −90…90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180…180.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// False for NaN, infinities and anything off the globe.
    public var isOnGlobe: Bool {
        (-90.0...90.0).contains(latitude) && (-180.0...180.0).contains(longitude)
    }
}
