import Geo

/// A line in one direction with known stops but unknown times.
public struct MadeUpLine: Sendable, Hashable {
    public struct Stop: Sendable, Hashable {
        /// The same for the same stop on every line.
        public var id: String
        public var name: String
        public var at: Coordinate
        public var wheelchair: Feed.Wheelchair

        public init(
            id: String, name: String, at: Coordinate, wheelchair: Feed.Wheelchair = .unknown
        ) {
            (self.id, self.name, self.at, self.wheelchair) = (id, name, at, wheelchair)
        }
    }

    public var id: String
    /// The name on the vehicle, for example `41`.
    public var ref: String
    public var name: String
    public var mode: TransitMode
    public var wheelchair: Feed.Wheelchair
    /// In the order of service.
    public var stops: [Stop]
    /// The route along streets or rails; empty if unknown.
    public var geometry: [Coordinate]

    public init(
        id: String, ref: String, name: String, mode: TransitMode,
        wheelchair: Feed.Wheelchair = .unknown, stops: [Stop], geometry: [Coordinate] = []
    ) {
        (self.id, self.ref, self.name, self.mode) = (id, ref, name, mode)
        (self.wheelchair, self.stops, self.geometry) = (wheelchair, stops, geometry)
    }
}
