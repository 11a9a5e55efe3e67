import Geo

/// A line in one direction of which the stops are known, but no times.
public struct MadeUpLine: Sendable, Hashable {
    public struct Stop: Sendable, Hashable {
        /// The same for the same stop of every line.
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
    /// What it is called on the vehicle, as `41`.
    public var ref: String
    public var name: String
    public var mode: TransitMode
    public var wheelchair: Feed.Wheelchair
    /// In the order in which they are served.
    public var stops: [Stop]
    /// The way along streets or rails; empty when it is not known.
    public var geometry: [Coordinate]

    public init(
        id: String, ref: String, name: String, mode: TransitMode,
        wheelchair: Feed.Wheelchair = .unknown, stops: [Stop], geometry: [Coordinate] = []
    ) {
        (self.id, self.ref, self.name, self.mode) = (id, ref, name, mode)
        (self.wheelchair, self.stops, self.geometry) = (wheelchair, stops, geometry)
    }
}
