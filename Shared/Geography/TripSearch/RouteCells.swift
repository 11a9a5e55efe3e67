/// A passage of a trip through one cell in one tenth of an hour, where a passenger may board.
struct Passage: Hashable {
    let cell: UInt32
    /// Tenths of an hour since local midnight of the day of departure; may be more than a day.
    let tenth: Int32
    /// Sixteenths of the cell that the line touches then, as bits of `Passage.part`.
    var parts: UInt16
    /// Bits of the cells that the line touches from then on: a superset of where a passenger may alight.
    var onwards: UInt64

    /// Row and column of a quartered grid.
    static func part(row: Int, column: Int) -> UInt16 { 1 << UInt16((row & 3) << 2 | column & 3) }
}

extension Trip {
    static let secondsOfTenth = 360
    static let tenthsOfDay = 86_400 / secondsOfTenth

    /// Maximum number of cells of a route; a route with more gets a coarser grid.
    static let mostCells = 32

    /// The finest level, at least the given one, at which the route can't touch more cells than that.
    func level(from least: Int) -> Int {
        var length = 0
        for (a, b) in zip(way.vertices, way.vertices.dropFirst()) {
            length += abs(Int(b.latitude) - Int(a.latitude)) + abs(Way.eastward(a, b))
        }
        var level = least
        while level < Grid.levels.upperBound, length / Grid(level: level).size >= Self.mostCells {
            level += 1
        }
        return level
    }

    /// Every cell and tenth of an hour that the line touches.
    ///
    /// The line is cut into pieces of at most a quarter of a cell. Each adds the sixteenths of cells that its box
    /// touches, up to a second later than it is driven. It starts at the line's end, so that the cells onwards are
    /// known.
    func passages(_ grid: Grid) -> [Passage] {
        var passages: [Passage] = []
        passages.reserveCapacity(2 * Self.mostCells)
        var onwards: UInt64 = 0
        let fine = grid.quartered
        let vertices = way.vertices
        for index in stride(from: vertices.count - 2, through: 0, by: -1) {
            let (a, b) = (vertices[index], vertices[index + 1])
            let north = Int(b.latitude) - Int(a.latitude)
            let east = Way.eastward(a, b)
            let seconds = Int(b.seconds) - Int(a.seconds)
            let pieces = 1 + max(abs(north), abs(east)) / fine.size
            for piece in stride(from: pieces - 1, through: 0, by: -1) {
                // Division rounds toward zero: an error below one unit, which the margins cover.
                func part(_ whole: Int, _ step: Int) -> Int { whole * step / pieces }
                let (y0, y1) = (part(north, piece), part(north, piece + 1))
                let (x0, x1) = (part(east, piece), part(east, piece + 1))
                let box = Box(
                    south: Int(a.latitude) + min(y0, y1), north: Int(a.latitude) + max(y0, y1),
                    west: Int(a.longitude) + min(x0, x1), east: Int(a.longitude) + max(x0, x1))
                let start = schedule.secondOfDay + Int(a.seconds)
                let first = (start + part(seconds, piece)) / Self.secondsOfTenth
                let last = (start + part(seconds, piece + 1) + 1) / Self.secondsOfTenth
                fine.forEachCell(in: box) { row, column in
                    onwards |= Grid.bit(of: Grid.cell(row: row >> 2, column: column >> 2))
                }
                fine.forEachCell(in: box) { row, column in
                    let cell = Grid.cell(row: row >> 2, column: column >> 2)
                    let part = Passage.part(row: row, column: column)
                    for tenth in first...last {
                        Self.note(
                            Passage(
                                cell: cell, tenth: Int32(tenth), parts: part,
                                onwards: onwards), in: &passages)
                    }
                }
            }
        }
        return passages
    }

    private static func note(_ passage: Passage, in passages: inout [Passage]) {
        let known = passages.lastIndex {
            $0.cell == passage.cell && $0.tenth == passage.tenth
        }
        guard let known else { return passages.append(passage) }
        passages[known].parts |= passage.parts
        passages[known].onwards = passage.onwards
    }
}
