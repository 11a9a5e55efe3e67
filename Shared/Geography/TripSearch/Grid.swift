import Foundation
import Geo

/// Squares of latitude and longitude, of 0.01 degrees and of twice that, again and again.
///
/// Lines are straight in latitude and longitude, and so is the plane on which a fit is measured: within
/// so many metres of a point is within a box, and each place of a line is in a box of its piece. Both
/// are widened before cells are taken, so that no rounding loses one.
struct Grid: Hashable {
    static let smallest = 10_000
    static let levels = 0...11
    /// Millionths of a degree: 22 cm.
    static let margin = 2

    /// Millionths of a degree.
    let size: Int

    init(level: Int) { size = Self.smallest << level }

    private init(size: Int) { self.size = size }

    /// Sixteen to a cell.
    var quartered: Grid { Grid(size: size / 4) }

    /// Rows and columns are counted from the south-west.
    static func cell(row: Int, column: Int) -> UInt32 { UInt32(row) << 16 | UInt32(column) }

    /// A bit of 64 for a square of four cells. Neighbours have different ones, and in each eighth row and
    /// column the bits begin again.
    @inline(__always)
    static func bit(of cell: UInt32) -> UInt64 {
        1 << UInt64((cell >> 17 & 7) << 3 | cell >> 1 & 7)
    }

    /// Each cell that a box touches, once.
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

/// Millionths of a degree; longitudes may be beyond ±180 degrees.
struct Box {
    var south: Int
    var north: Int
    var west: Int
    var east: Int
}
