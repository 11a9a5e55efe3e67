import Foundation
import Geo

/// Grids of latitude and longitude with cells of 0.01 degrees, and of twice the size for each further level.
///
/// Lines are straight in latitude and longitude, and so is the plane on which a fit is measured: all places within
/// some metres of a point are within a box, and each place of a line is in the box of its piece. Both boxes are
/// widened before their cells are taken, so that rounding never loses one.
struct Grid: Hashable {
    static let smallest = 10_000
    static let levels = 0...11
    /// Millionths of a degree: 22 cm.
    static let margin = 2

    /// Millionths of a degree.
    let size: Int

    init(level: Int) { size = Self.smallest << level }

    private init(size: Int) { self.size = size }

    /// Sixteen cells for each cell of this grid.
    var quartered: Grid { Grid(size: size / 4) }

    /// Rows and columns count from the south-west.
    static func cell(row: Int, column: Int) -> UInt32 { UInt32(row) << 16 | UInt32(column) }

    /// One of 64 bits for a square of four cells. Neighbouring squares have different bits, which repeat every eighth
    /// row and column.
    @inline(__always)
    static func bit(of cell: UInt32) -> UInt64 {
        1 << UInt64((cell >> 17 & 7) << 3 | cell >> 1 & 7)
    }

    /// Calls the body once for each cell that a box touches.
    @inline(__always)
    func forEachCell(in box: Box, _ body: (_ row: Int, _ column: Int) -> Void) {
        let around = 360_000_000
        let first = max(0, box.south + around / 4 - Self.margin) / size
        let last = max(0, box.north + around / 4 + Self.margin) / size
        var west = box.west + around / 2 - Self.margin
        var east = box.east + around / 2 + Self.margin
        if east - west + size >= around { (west, east) = (0, around - 1) }
        let turn = west < 0 ? around : west >= around ? -around : 0
        (west, east) = (west + turn, east + turn)
        for row in first...last {
            for column in (west / size)...(min(east, around - 1) / size) {
                body(row, column)
            }
            guard east >= around else { continue }
            for column in 0...((east - around) / size) { body(row, column) }
        }
    }
}

/// Millionths of a degree; longitudes may exceed ±180 degrees.
struct Box {
    var south: Int
    var north: Int
    var west: Int
    var east: Int
}
