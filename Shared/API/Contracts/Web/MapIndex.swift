import Geo

/// The maps that the server has, with the address of their tiles.
///
/// `GET /tiles` returns it; it is not part of the API.
public struct MapIndex: Codable, Sendable, Hashable {
    /// Bounds of a map, in degrees.
    public struct Bounds: Codable, Sendable, Hashable {
        public var south, west, north, east: Double

        public init(south: Double, west: Double, north: Double, east: Double) {
            (self.south, self.west, self.north, self.east) = (south, west, north, east)
        }

        public func contains(_ point: Coordinate) -> Bool {
            BoundingBox(south: south, west: west, north: north, east: east).contains(point)
        }
    }

    /// A map.
    public struct Map: Codable, Sendable, Hashable {
        public var name: String
        public var bounds: Bounds
        public var attribution: String
        public var version: String

        public init(name: String, bounds: Bounds, attribution: String, version: String) {
            (self.name, self.bounds) = (name, bounds)
            (self.attribution, self.version) = (attribution, version)
        }
    }

    /// Template of a tile's address, with `{z}`, `{x}` and `{y}`; absent without maps.
    public var tiles: String?
    /// Highest zoom level of the tiles.
    public var mostZoom: Int
    public var maps: [Map]

    public init(tiles: String?, mostZoom: Int, maps: [Map]) {
        (self.tiles, self.mostZoom, self.maps) = (tiles, mostZoom, maps)
    }
}
