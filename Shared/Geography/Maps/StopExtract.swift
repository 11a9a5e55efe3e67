import Contracts
import Foundation
import Geo
import Threads

/// A place where a car can stop briefly to let people in or out.
public struct StoppingPlace: Codable, Sendable, Hashable {
    public let name: String?
    public let point: Coordinate

    public init(name: String?, point: Coordinate) { (self.name, self.point) = (name, point) }
}

/// The places of a map where a car can stop: bus stops, lay-bys, rest areas, and meeting points for carpools.
public enum StopExtract {
    /// Filters in osmium's syntax.
    public static let filters = [
        "n/highway=bus_stop", "nwr/amenity=car_pooling", "nwr/highway=rest_area",
        "nwr/parking=layby",
    ]
    private static let longestName = 80

    /// Returns the number of places. `features` is the result of the filters, including objects that it refers to.
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

/// Where a car can stop, from all maps. It finds maps that are added while it is in use.
public actor StopBook {
    /// The thread that reads the maps.
    public nonisolated let executor = BlockingExecutor(label: "maps.stops")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private var cache: OpenMapCache<[Cell: [StoppingPlace]]>

    public init(_ folder: MapFolder) {
        cache = OpenMapCache(folder) { map in
            // Maps of earlier versions don't have the file.
            guard FileManager.default.fileExists(atPath: map.stops) else { return [:] }
            let data = try Data(contentsOf: URL(filePath: map.stops))
            let stops = try Wire.decode([StoppingPlace].self, from: data)
            return Dictionary(grouping: stops) { Cell(containing: $0.point) }
        }
    }

    /// The stops within a distance, nearest first.
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
