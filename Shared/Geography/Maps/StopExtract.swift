import Contracts
import Foundation
import Geo
import Threads

/// Somewhere that a car can stop for a moment, so that somebody gets in or out.
public struct StoppingPlace: Codable, Sendable, Hashable {
    /// Nil where it has none.
    public let name: String?
    public let point: Coordinate

    public init(name: String?, point: Coordinate) { (self.name, self.point) = (name, point) }
}

/// The places of a map where a car can stop: bus stops, lay-bys, rest areas, and where people meet who share a car.
public enum StopExtract {
    /// As osmium takes them.
    public static let filters = [
        "n/highway=bus_stop", "nwr/amenity=car_pooling", "nwr/highway=rest_area",
        "nwr/parking=layby",
    ]
    private static let longestName = 80

    /// How many there are. `features` is of what the filters let through, and of whatever that refers to.
    public static func make(_ path: String, from features: URL) throws -> Int {
        var stops: [StoppingPlace] = []
        try MapFeature.each(of: features) { feature in
            let tags = feature.tags
            guard
                tags["highway"] == "bus_stop" || tags["amenity"] == "car_pooling"
                    || tags["highway"] == "rest_area" || tags["parking"] == "layby",
                let point = feature.middle
            else { return }
            let name = tags["name"].map { String($0.prefix(longestName)) }
            stops.append(StoppingPlace(name: name, point: point))
        }
        try Wire.encode(stops).write(to: URL(filePath: path))
        return stops.count
    }
}

/// Where a car can stop, of all maps; those that are added while it is read included.
public actor StopBook {
    /// The thread on which the maps are read.
    public nonisolated let executor = BlockingExecutor(label: "maps.stops")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private var cache: OpenMapCache<[Cell: [StoppingPlace]]>

    public init(_ folder: MapFolder) {
        cache = OpenMapCache(folder) { map in
            // Maps of earlier versions have none.
            guard FileManager.default.fileExists(atPath: map.stops) else { return [:] }
            let data = try Data(contentsOf: URL(filePath: map.stops))
            let stops = try Wire.decode([StoppingPlace].self, from: data)
            return Dictionary(grouping: stops) { Cell(containing: $0.point) }
        }
    }

    /// Nearest first.
    public func stops(near point: Coordinate, within meters: Double) -> [StoppingPlace] {
        let cells = Cell.covering(center: point, radiusMeters: meters)
        var found: [(meters: Double, stop: StoppingPlace)] = []
        for entry in cache.current() {
            for stop in cells.flatMap({ entry.book[$0] ?? [] }) {
                found.append((Geo.distanceMeters(stop.point, point), stop))
            }
        }
        return found.filter { $0.meters <= meters }.sorted { $0.meters < $1.meters }.map(\.stop)
    }
}
