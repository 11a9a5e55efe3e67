import Geo

/// A point with the words that people use for it.
public struct Place: Hashable, Codable, Sendable {
    public var latitude: Double
    public var longitude: Double
    /// At most 200 characters.
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
