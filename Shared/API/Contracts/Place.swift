import Geo

/// A point (WGS 84, in degrees), with the address or other words that people use for it.
public struct Place: Hashable, Codable, Sendable {
    public var latitude: Double
    public var longitude: Double
    /// Address, or other words that people use for the point.
    public var address: String?

    public init(latitude: Double, longitude: Double, address: String? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.address = address
    }

    public init(_ coordinate: Coordinate, address: String? = nil) {
        self.init(
            latitude: coordinate.latitude, longitude: coordinate.longitude, address: address)
    }

    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}
