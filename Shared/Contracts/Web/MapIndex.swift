import Geo

/// What `GET /tiles` says: the house's own maps, beside the API.
public struct MapIndex: Codable, Sendable, Hashable {
    /// In degrees.
    public struct Bounds: Codable, Sendable, Hashable {
        public var south, west, north, east: Double

        public init(south: Double, west: Double, north: Double, east: Double) {
            (self.south, self.west, self.north, self.east) = (south, west, north, east)
        }

        public func contains(_ point: Coordinate) -> Bool {
            BoundingBox(south: south, west: west, north: north, east: east).contains(point)
        }
    }

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

    /// With `{z}`, `{x}` and `{y}`; nil without maps.
    public var tiles: String?
    public var mostZoom: Int
    public var maps: [Map]

    public init(tiles: String?, mostZoom: Int, maps: [Map]) {
        (self.tiles, self.mostZoom, self.maps) = (tiles, mostZoom, maps)
    }
}
