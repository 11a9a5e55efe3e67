/// The modules while they are drawn.
struct Matrix {
    private let version: Version
    private let size: Int
    private(set) var modules: [Bool]
    /// Those that carry no data.
    private var isFunction: [Bool]

    init(_ version: Version) {
        self.version = version
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFunction = modules
        drawPatterns()
    }

    private func isDark(_ x: Int, _ y: Int) -> Bool { modules[y * size + x] }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y * size + x] = isDark
        isFunction[y * size + x] = true
    }
}

// MARK: What is the same in each code of a version

extension Matrix {
    private mutating func drawPatterns() {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let (centres, last) = (version.alignments, version.alignments.count - 1)
        for (row, y) in centres.enumerated() {
            for (column, x) in centres.enumerated() {
                let isCorner = [(0, 0), (0, last), (last, 0)].contains { $0 == (row, column) }
                if !isCorner { drawAlignment(x, y) }
            }
        }
        drawFormat(mask: 0)
        if version.number >= 7 { drawVersion() }
    }

    /// With the light border around it.
    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 where (0..<size).contains(x + dx) && (0..<size).contains(y + dy) {
                let distance = max(abs(dx), abs(dy))
                set(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    /// Error correction M (00) and the mask, twice, protected by a BCH code (section 7.9).
    private mutating func drawFormat(mask: Int) {
        let bits = (mask << 10 | Self.remainder(mask << 10, by: 0x537)) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            switch index {
            case 0...5: set(8, index, isDark)
            case 6: set(8, 7, isDark)
            case 7: set(8, 8, isDark)
            case 8: set(7, 8, isDark)
            default: set(14 - index, 8, isDark)
            }
            if index < 8 {
                set(size - 1 - index, 8, isDark)
            } else {
                set(8, size - 15 + index, isDark)
            }
        }
        set(8, size - 8, true)
    }

    /// The version, twice, protected by a BCH code (section 7.10).
    private mutating func drawVersion() {
        let bits =
            version.number << 12 | Self.remainder(version.number << 12, by: 0x1F25)
        for index in 0..<18 {
            let (across, along) = (size - 11 + index % 3, index / 3)
            set(across, along, bits >> index & 1 == 1)
            set(along, across, bits >> index & 1 == 1)
        }
    }

    /// Of a division of polynomials over bits.
    private static func remainder(_ value: Int, by divisor: Int) -> Int {
        var rest = value
        while rest.significantBits >= divisor.significantBits {
            rest ^= divisor << (rest.significantBits - divisor.significantBits)
        }
        return rest
    }
}

extension Int {
    fileprivate var significantBits: Int { bitWidth - leadingZeroBitCount }
}

// MARK: Data

extension Matrix {
    /// In columns of two, upwards and downwards in turn, from the right, over what is free.
    mutating func place(_ codewords: [UInt8], mask: Int) {
        var index = 0
        for (turn, right) in columns.enumerated() {
            for step in 0..<size {
                let y = turn % 2 == 0 ? size - 1 - step : step
                for x in [right, right - 1] where !isFunction[y * size + x] {
                    let isSet =
                        index < codewords.count * 8
                        && codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    modules[y * size + x] = isSet != Self.inverts(mask, x, y)
                    index += 1
                }
            }
        }
        drawFormat(mask: mask)
    }

    /// The right ones; the timing pattern's column is nobody's.
    private var columns: [Int] {
        Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}

// MARK: How well it can be read

extension Matrix {
    /// The fewer, the better (section 7.8.3).
    var penalty: Int {
        let rows = (0..<size).map { y in (0..<size).map { isDark($0, y) } }
        let columns = (0..<size).map { x in (0..<size).map { isDark(x, $0) } }
        let lines = (rows + columns).reduce(0) { $0 + Self.runs(in: $1) + Self.finders(in: $1) }
        let dark = modules.count { $0 } * 20
        let imbalance = abs(dark - modules.count * 10) / modules.count
        return lines + squares * 3 + imbalance * 10
    }

    /// Five or more of one colour in a row.
    private static func runs(in line: [Bool]) -> Int {
        var (total, length) = (0, 0)
        for (index, isDark) in line.enumerated() {
            length = index > 0 && line[index - 1] == isDark ? length + 1 : 1
            if length == 5 { total += 3 } else if length > 5 { total += 1 }
        }
        return total
    }

    /// What looks like a finder pattern.
    private static func finders(in line: [Bool]) -> Int {
        let core = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        return (0...line.count - 11).count { start in
            let part = Array(line[start..<start + 11])
            return part == core + light || part == light + core
        } * 40
    }

    /// Two by two of one colour.
    private var squares: Int {
        (0..<size - 1).reduce(0) { total, y in
            total
                + (0..<size - 1).count { x in
                    let colour = isDark(x, y)
                    return isDark(x + 1, y) == colour && isDark(x, y + 1) == colour
                        && isDark(x + 1, y + 1) == colour
                }
        }
    }
}
