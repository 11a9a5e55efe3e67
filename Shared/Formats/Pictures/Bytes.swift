/// A picture's bytes; every index is checked.
struct Bytes: Sendable {
    let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    var count: Int { all.count }

    func starts(with prefix: [UInt8], at offset: Int = 0) -> Bool {
        offset >= 0 && offset + prefix.count <= count
            && all[offset..<offset + prefix.count].elementsEqual(prefix)
    }

    subscript(offset: Int) -> UInt8 {
        get throws(PictureError) {
            guard all.indices.contains(offset) else { throw .truncated }
            return all[offset]
        }
    }

    subscript(range: Range<Int>) -> ArraySlice<UInt8> {
        get throws(PictureError) {
            guard range.lowerBound >= 0, range.upperBound <= count else { throw .truncated }
            return all[range]
        }
    }

    /// Most significant byte first.
    func big(at offset: Int, bytes: Int) throws(PictureError) -> Int {
        try self[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Least significant byte first.
    func little(at offset: Int, bytes: Int) throws(PictureError) -> Int {
        try self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// ASCII; nil beyond the end.
    func text(at offset: Int, count: Int) -> String? {
        guard let bytes = try? self[offset..<offset + count] else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        guard offset < count else { return nil }
        return all.withUnsafeBufferPointer { buffer in
            buffer[offset...].firstIndex(of: byte)
        }
    }
}

/// A part of the output: original bytes, or bytes that we write.
enum Piece: Sendable {
    case range(Range<Int>)
    case bytes([UInt8])
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
