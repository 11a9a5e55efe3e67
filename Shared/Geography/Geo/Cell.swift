import Foundation

/// One cell of a fixed grid over the whole Earth, about `sizeMeters` high and wide.
///
/// Rows are bands of latitude of equal height. A row has as many columns as fit around the Earth at its edge nearer
/// to the equator, so no cell is wider than its size there, and the rows at the poles have few columns. The text form
/// never changes: `500.24970.60533`.
public struct Cell: Hashable, Sendable {
    public static let standardSizeMeters = 500

    public let sizeMeters: Int
    /// Counted from the south pole.
    public let row: Int
    /// Counted eastwards from the antimeridian.
    public let column: Int

    public init(containing point: Coordinate, sizeMeters: Int = standardSizeMeters) {
        let grid = Grid(sizeMeters: sizeMeters)
        self.sizeMeters = grid.size
        row = grid.row(of: point.latitude)
        column = grid.column(of: point.longitude, among: grid.columns(in: row))
    }

    private init(sizeMeters: Int, row: Int, column: Int) {
        self.sizeMeters = sizeMeters
        self.row = row
        self.column = column
    }

    public var boundingBox: BoundingBox {
        let grid = Grid(sizeMeters: sizeMeters)
        let width = 360 / Double(grid.columns(in: row))
        return BoundingBox(
            south: grid.latitude(ofRow: row), west: -180 + Double(column) * width,
            north: grid.latitude(ofRow: row + 1), east: -180 + Double(column + 1) * width)
    }

    /// All cells that a circle touches. Their number grows with the square of the radius: about 460 for 6 km and
    /// cells of 500 m. The caller must limit the radius.
    public static func covering(
        center: Coordinate, radiusMeters: Double, sizeMeters: Int = standardSizeMeters
    ) -> [Cell] {
        let grid = Grid(sizeMeters: sizeMeters)
        let circle = Circle(center: center, radiusMeters: radiusMeters)
        let first = grid.row(of: circle.south)
        let last = grid.row(of: circle.north)
        var cells: [Cell] = []
        for row in first...last {
            let count = grid.columns(in: row)
            let reach = circle.reachDegrees(
                south: grid.latitude(ofRow: row), north: grid.latitude(ofRow: row + 1))
            for column in grid.columns(around: center.longitude, reach: reach, among: count) {
                cells.append(Cell(sizeMeters: grid.size, row: row, column: column))
            }
        }
        return cells
    }
}

extension Cell: LosslessStringConvertible {
    public var description: String { "\(sizeMeters).\(row).\(column)" }

    /// Nil unless the text names a cell of the grid.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let size = Int(parts[0]), let row = Int(parts[1]),
            let column = Int(parts[2]), Grid.sizes.contains(size)
        else { return nil }
        let grid = Grid(sizeMeters: size)
        guard (0..<grid.rows).contains(row), (0..<grid.columns(in: row)).contains(column) else {
            return nil
        }
        self.init(sizeMeters: size, row: row, column: column)
        // "+500.1.1" and "0500.1.1" would be other names for the same cell.
        guard self.description == description else { return nil }
    }
}

private struct Grid {
    /// Allowed sizes in metres: larger cells would not be local, smaller ones would be almost empty.
    static let sizes = 10...1_000_000

    let size: Int
    let rows: Int

    init(sizeMeters: Int) {
        size = min(max(sizeMeters, Self.sizes.lowerBound), Self.sizes.upperBound)
        rows = Int((.pi * Geo.earthRadiusMeters / Double(size)).rounded())
    }

    func latitude(ofRow row: Int) -> Double { -90 + 180 * Double(row) / Double(rows) }

    /// The first row for an invalid latitude: converting NaN to `Int` would stop the process.
    func row(of latitude: Double) -> Int {
        guard (-90.0...90.0).contains(latitude) else { return 0 }
        return min(rows - 1, Int((latitude + 90) / 180 * Double(rows)))
    }

    func columns(in row: Int) -> Int {
        let (south, north) = (latitude(ofRow: row), latitude(ofRow: row + 1))
        let widest = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
        let around = 2 * Double.pi * Geo.earthRadiusMeters * cos(Geo.radians(widest))
        return max(1, Int((around / Double(size)).rounded(.up)))
    }

    func column(of longitude: Double, among count: Int) -> Int {
        guard longitude.isFinite else { return 0 }
        return Int((Geo.normalizedLongitude(longitude) + 180) / 360 * Double(count)) % count
    }

    /// The columns between `reach` degrees to the west and to the east, each once.
    func columns(around longitude: Double, reach: Double, among count: Int) -> [Int] {
        let width = 360 / Double(count)
        let west = Int(((longitude - reach + 180) / width).rounded(.down))
        let east = Int(((longitude + reach + 180) / width).rounded(.down))
        guard east - west + 1 < count else { return Array(0..<count) }
        return (west...east).map { ($0 % count + count) % count }
    }
}

private struct Circle {
    /// Added to the radius, so that rounding never loses a cell.
    static let marginMeters = 1.0

    let latitude: Double
    let angle: Double

    init(center: Coordinate, radiusMeters: Double) {
        latitude = Geo.radians(center.latitude)
        angle = (max(0, radiusMeters) + Self.marginMeters) / Geo.earthRadiusMeters
    }

    var south: Double { max(-90, Geo.degrees(latitude - angle)) }
    var north: Double { min(90, Geo.degrees(latitude + angle)) }

    /// How far the circle reaches east and west of its centre inside a band of latitudes, in degrees.
    ///
    /// The reach grows up to the latitude where a meridian touches the circle, then shrinks, so its maximum in the
    /// band is at the latitude nearest to that one.
    func reachDegrees(south: Double, north: Double) -> Double {
        let touching = Geo.degrees(asin(max(-1, min(1, sin(latitude) / cos(angle)))))
        let band = max(max(south, self.south), min(min(north, self.north), touching))
        let parallel = Geo.radians(band)
        let scale = cos(latitude) * cos(parallel)
        guard scale > 1e-12 else { return 180 }
        let cosine = (cos(angle) - sin(latitude) * sin(parallel)) / scale
        return Geo.degrees(acos(max(-1, min(1, cosine))))
    }
}
