/// Writes numbers in as few bytes as possible: LEB128, with zigzag for signed ones, as in Protocol Buffers.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func write(byte: UInt8) { bytes.append(byte) }

    mutating func write(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    mutating func write(unsigned value: Int) {
        var rest = UInt64(bitPattern: Int64(value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(signed value: Int) {
        write(unsigned: (value << 1) ^ (value >> (Int.bitWidth - 1)))
    }
}

/// Reads the output of `ByteWriter`. Returns nil for invalid bytes and never traps.
struct ByteReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var remaining: Int { bytes.count - place }

    mutating func byte() -> UInt8? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func raw(_ count: Int) -> UnsafeBufferPointer<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { place += count }
        return UnsafeBufferPointer(rebasing: bytes[place..<(place + count)])
    }

    mutating func unsigned() -> Int? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = byte() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(Int64(bitPattern: value)) }
            shift += 7
            if shift > 63 { return nil }
        }
        return nil
    }

    mutating func signed() -> Int? {
        guard let value = unsigned() else { return nil }
        let bits = UInt64(bitPattern: Int64(value))
        return Int(Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1))
    }

    mutating func unsigned(_ range: ClosedRange<Int>) -> Int? {
        guard let value = unsigned(), range.contains(value) else { return nil }
        return value
    }

    mutating func signed(_ range: ClosedRange<Int>) -> Int? {
        guard let value = signed(), range.contains(value) else { return nil }
        return value
    }
}
