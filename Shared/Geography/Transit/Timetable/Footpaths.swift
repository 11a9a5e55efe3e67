import Geo

public struct TransferRules: Sendable, Hashable {
    /// There is a footpath between stops that are at most this far apart by the straight line, and between all stops
    /// of a station.
    public var maxMeters: Double
    /// How much longer a footpath is than the straight line.
    public var detourFactor: Double
    public var metersPerSecond: Double
    /// Minimum time for a change in seconds, also at the same stop.
    public var minSeconds: Int

    public init(
        maxMeters: Double = 300, detourFactor: Double = 1.3, metersPerSecond: Double = 1.2,
        minSeconds: Int = 60
    ) {
        self.maxMeters = maxMeters
        self.detourFactor = detourFactor
        self.metersPerSecond = metersPerSecond
        self.minSeconds = minSeconds
    }

    /// For stops that far apart by the straight line.
    public func seconds(meters: Double) -> Int {
        max(minSeconds, Int((meters * detourFactor / metersPerSecond).rounded(.up)))
    }
}

/// Footpaths from stop to stop, including one from each stop to itself: a change there.
///
/// At most one is used between two rides, so they need not be closed transitively: because of the triangle
/// inequality, a chain of them would not be shorter than the direct line, and would only lead beyond the limit.
struct Footpaths: Sendable {
    struct Path: Sendable, Hashable {
        let stop: Int32
        let seconds: Int32
    }

    /// The footpaths of stop `s` are `paths[offsets[s]..<offsets[s + 1]]`.
    private(set) var offsets: [Int32]
    private(set) var paths: [Path]

    /// - Parameter seconds: For each stop, the seconds to other stops.
    init(_ seconds: [[Int: Int]]) {
        (offsets, paths) = ([0], [])
        for ways in seconds {
            for (stop, seconds) in ways.sorted(by: { $0.key < $1.key }) {
                paths.append(Path(stop: Int32(stop), seconds: Int32(seconds)))
            }
            offsets.append(Int32(paths.count))
        }
    }

    var reversed: Footpaths {
        var seconds = [[Int: Int]](repeating: [:], count: offsets.count - 1)
        for from in 0..<(offsets.count - 1) {
            for path in paths[Int(offsets[from])..<Int(offsets[from + 1])] {
                seconds[Int(path.stop)][from] = Int(path.seconds)
            }
        }
        return Footpaths(seconds)
    }

    func seconds(from: Int, to: Int) -> Int? {
        paths[Int(offsets[from])..<Int(offsets[from + 1])].first { $0.stop == to }
            .map { Int($0.seconds) }
    }
}

/// Stops by position, for finding nearby ones.
struct StopGrid: Sendable {
    private static let cellDegrees = 0.005

    private struct Cell: Hashable {
        let row: Int
        let column: Int
    }

    private let points: [Coordinate]
    private let cells: [Cell: [Int32]]

    init(_ points: [Coordinate]) {
        self.points = points
        cells = Dictionary(grouping: points.indices.map(Int32.init)) {
            Self.cell(points[Int($0)])
        }
    }

    private static func cell(_ point: Coordinate) -> Cell {
        Cell(
            row: Int((point.latitude / cellDegrees).rounded(.down)),
            column: Int((point.longitude / cellDegrees).rounded(.down)))
    }

    /// In no particular order.
    func near(_ point: Coordinate, meters: Double) -> [(stop: Int, meters: Double)] {
        var found: [(stop: Int, meters: Double)] = []
        for box in BoundingBox(center: point, radiusMeters: meters).parts {
            let low = Self.cell(Coordinate(latitude: box.south, longitude: box.west))
            let high = Self.cell(Coordinate(latitude: box.north, longitude: box.east))
            // If the box has more cells than there are cells with stops, go through the latter.
            let isWide = (high.row - low.row + 1) * (high.column - low.column + 1) > cells.count
            let candidates =
                isWide
                ? cells.filter {
                    (low.row...high.row).contains($0.key.row)
                        && (low.column...high.column).contains($0.key.column)
                }.flatMap(\.value)
                : (low.row...high.row).flatMap { row in
                    (low.column...high.column).flatMap { cells[Cell(row: row, column: $0)] ?? [] }
                }
            for stop in candidates {
                let distance = Geo.distanceMeters(point, points[Int(stop)])
                if distance <= meters { found.append((Int(stop), distance)) }
            }
        }
        return found
    }
}
