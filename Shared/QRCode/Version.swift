/// A size of code with all that follows from it, for error correction M.
struct Version: Sendable {
    let number: Int
    /// Error correction codewords of each block.
    private let correction: Int
    /// Data codewords of each block, the shorter ones first (ISO/IEC 18004, table 9).
    private let blocks: [Int]
    /// Centres of alignment patterns, in both directions (annex E).
    let alignments: [Int]

    static let all: [Version] = [
        Version(number: 1, correction: 10, blocks: [16], alignments: []),
        Version(number: 2, correction: 16, blocks: [28], alignments: [6, 18]),
        Version(number: 3, correction: 26, blocks: [44], alignments: [6, 22]),
        Version(number: 4, correction: 18, blocks: [32, 32], alignments: [6, 26]),
        Version(number: 5, correction: 24, blocks: [43, 43], alignments: [6, 30]),
        Version(number: 6, correction: 16, blocks: [27, 27, 27, 27], alignments: [6, 34]),
        Version(number: 7, correction: 18, blocks: [31, 31, 31, 31], alignments: [6, 22, 38]),
        Version(number: 8, correction: 22, blocks: [38, 38, 39, 39], alignments: [6, 24, 42]),
        Version(number: 9, correction: 22, blocks: [36, 36, 36, 37, 37], alignments: [6, 26, 46]),
        Version(
            number: 10, correction: 26, blocks: [43, 43, 43, 43, 44], alignments: [6, 28, 50]),
    ]

    /// Modules of a side.
    var size: Int { 17 + 4 * number }
    /// Bits of the number of bytes.
    private var lengthBits: Int { number < 10 ? 8 : 16 }
    private var dataCount: Int { blocks.reduce(0, +) }
    /// Bytes of the longest text: four bits say the mode.
    var capacity: Int { (dataCount * 8 - 4 - lengthBits) / 8 }

    /// Mode, length, bytes, and what fills the rest.
    func data(_ bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for shift in stride(from: count - 1, through: 0, by: -1) {
                bits.append(value >> shift & 1 == 1)
            }
        }
        append(0b0100, 4)
        append(bytes.count, lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, dataCount * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var padding = [0xEC, 0x11]
        while bits.count < dataCount * 8 {
            append(padding[0], 8)
            padding.swapAt(0, 1)
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    /// One codeword of each block in turn: first the data, then what corrects it.
    func interleaved(_ data: [UInt8]) -> [UInt8] {
        var rest = data[...]
        let parts = blocks.map { length -> [UInt8] in
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        let corrections = parts.map { ReedSolomon.remainder(of: $0, count: correction) }
        let longest = blocks.last ?? 0
        return (0..<longest).flatMap { index in
            parts.filter { $0.count > index }.map { $0[index] }
        } + (0..<correction).flatMap { index in corrections.map { $0[index] } }
    }
}

/// Over the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1.
enum ReedSolomon {
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for shift in stride(from: 7, through: 0, by: -1) {
            result = result << 1 ^ (result >> 7) * 0x11D
            if right >> shift & 1 == 1 { result ^= Int(left) }
        }
        return UInt8(result)
    }

    /// Coefficients of (x − 1)(x − 2)(x − 4)…, the highest, which is one, left out.
    private static func generator(_ count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                result[index] = product(result[index], root)
                if index + 1 < count { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(count)
        var result = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in 0..<count { result[index] ^= product(generator[index], factor) }
        }
        return result
    }
}
