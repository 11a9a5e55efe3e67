import Foundation
import Geo

/// Outlines of time zones on a grid of cells; `data/time_zones.py` describes the file.
struct TimeZoneOutlines: Sendable {
    private static let cellsPerDegree = 2
    /// Into which a cell's width and its height are divided.
    private static let units = 4_096.0
    private static let (rows, columns) = (180 * cellsPerDegree, 360 * cellsPerDegree)

    let zones: [TimeZones.Zone]
    /// Currencies (ISO 4217) of countries (ISO 3166) that have no zone of their own.
    let currenciesWithoutZone: [String: String]
    private let bytes: [UInt8]
    /// From the south-west, row by row: the zone of the whole cell or, if negative, the position of its rings in
    /// `bytes`.
    private let cells: [Int32]

    /// Nil if the file is damaged.
    init?(_ file: Data) {
        guard let end = file.firstRange(of: Data("\n\n".utf8)) else { return nil }
        var (zones, currencies) = ([TimeZones.Zone](), [String: String]())
        for line in String(decoding: file[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
        {
            let words = line.split(separator: " ").map(String.init)
            switch words.count {
            case 3:
                let currency = words[2] == "-" ? nil : words[2]
                zones.append(.init(name: words[0], country: words[1], currency: currency))
            case 2: currencies[words[0]] = words[1]
            default: return nil
            }
        }
        bytes = Array(file[end.upperBound...])
        guard let cells = Self.cells(in: bytes, zones: zones.count) else { return nil }
        (self.zones, self.cells, currenciesWithoutZone) = (zones, cells, currencies)
    }

    private static func cells(in bytes: [UInt8], zones: Int) -> [Int32]? {
        var reader = Reader(bytes)
        var cells: [Int32] = []
        cells.reserveCapacity(rows * columns)
        while cells.count < rows * columns {
            let (length, value) = (reader.number(), reader.number())
            guard length > 0, cells.count + length <= rows * columns, value <= zones else {
                return nil
            }
            cells.append(contentsOf: repeatElement(Int32(value), count: length))
        }
        for index in cells.indices where cells[index] == zones {
            let length = reader.number()
            guard length <= bytes.count - reader.position else { return nil }
            cells[index] = -Int32(reader.position)
            reader.position += length
        }
        return reader.position == bytes.count ? cells : nil
    }

    /// Nil off the globe.
    func zone(at point: Coordinate) -> TimeZones.Zone? {
        guard point.isOnGlobe else { return nil }
        let x = (point.longitude + 180) * Double(Self.cellsPerDegree)
        let y = (point.latitude + 90) * Double(Self.cellsPerDegree)
        let (column, row) = (min(Int(x), Self.columns - 1), min(Int(y), Self.rows - 1))
        let cell = cells[row * Self.columns + column]
        guard cell < 0 else { return zones[Int(cell)] }
        let place = SIMD2(x - Double(column), y - Double(row)) * Self.units
        let shrink = cos(point.latitude * .pi / 180)
        return zones[zone(at: place, shrink: shrink, inCellAt: Int(-cell))]
    }

    /// The number of the zone whose rings contain the point, by the even-odd rule; else that of the rest of the cell
    /// or, if that is sea, the zone whose ring is nearest.
    private func zone(at place: SIMD2<Double>, shrink: Double, inCellAt position: Int) -> Int {
        var reader = Reader(bytes, at: position)
        let rest = reader.number()
        var nearest = (zone: 0, distance: Double.infinity)
        for _ in 0..<reader.number() {
            let zone = reader.number()
            var isInside = false
            for _ in 0..<reader.number() {
                let ring = reader.ring(around: place, shrink: shrink)
                if ring.isAround { isInside.toggle() }
                if ring.distance < nearest.distance { nearest = (zone, ring.distance) }
            }
            if isInside { return zone }
        }
        return rest < zones.count ? rest : nearest.zone
    }
}

/// Reads numbers of seven bits a byte, the lowest first; zeros after the end.
private struct Reader {
    private let bytes: [UInt8]
    var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

    mutating func number() -> Int {
        var (number, shift) = (0, 0)
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            number |= Int(byte & 127) << shift
            if byte < 128 { break }
            shift += 7
        }
        return number
    }

    private mutating func step() -> Double {
        let number = number()
        return Double(number & 1 == 0 ? number >> 1 : -(number + 1) >> 1)
    }

    private mutating func steps() -> SIMD2<Double> {
        let east = step()
        return SIMD2(east, step())
    }

    /// Reads a ring: whether it goes around the point, and the square of its distance, in which degrees of longitude
    /// count less by `shrink`.
    mutating func ring(
        around place: SIMD2<Double>, shrink: Double
    ) -> (isAround: Bool, distance: Double) {
        let count = number()
        let first = steps()
        var (from, isAround, nearest) = (first, false, Double.infinity)
        for index in 0..<count {
            let to = index == count - 1 ? first : from + steps()
            let (side, way) = (to - from, place - from)
            if (from.y > place.y) != (to.y > place.y), way.x < way.y / side.y * side.x {
                isAround.toggle()
            }
            let scale = SIMD2(shrink, 1)
            let (along, off) = (side * scale, way * scale)
            let length = (along * along).sum()
            let share = length == 0 ? 0 : max(0, min(1, (along * off).sum() / length))
            let gap = off - along * share
            nearest = min(nearest, (gap * gap).sum())
            from = to
        }
        return (isAround, nearest)
    }
}
