import Geo

/// How people change.
public struct TransferRules: Sendable, Hashable {
    /// Between stops that lie no further apart by the straight line there is a footpath; so is between those of one
    /// station, however far apart they are.
    public var maxMeters: Double
    /// How much longer than the straight line it is.
    public var detourFactor: Double
    public var metersPerSecond: Double
    /// Needed at least for getting from one vehicle into another, at the same stop as well.
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

    /// Between stops so far apart by the straight line.
    public func seconds(meters: Double) -> Int {
        max(minSeconds, Int((meters * detourFactor / metersPerSecond).rounded(.up)))
    }
}

/// Ways from stop to stop, each stop's to itself among them: that is a change there.
///
/// Between two rides one is used at most, so they need not be closed transitively: straight lines keep the triangle
/// inequality, so that a chain of them would be no shorter than the line, and only lead beyond the limit.
struct Footpaths: Sendable {
    struct Path: Sendable, Hashable {
        let stop: Int32
        let seconds: Int32
    }

    /// Those of stop `s` are `paths[offsets[s]..<offsets[s + 1]]`.
    private(set) var offsets: [Int32]
    private(set) var paths: [Path]

    /// - Parameter seconds: By stop, from each.
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

/// Stops by where they are, to find those nearby.
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

    /// In no order.
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
