/// Chunks of a WebP (RFC 9649).
struct WebPReader {
    private static let header = 12
    /// Flags of the `VP8X` chunk.
    private enum Flag {
        static let animation: UInt8 = 0x02
        static let xmp: UInt8 = 0x04
        static let exif: UInt8 = 0x08
    }

    private let bytes: Bytes
    private let end: Int
    private var offset = header
    private var canvas: PictureSize?
    private var size: PictureSize?
    private var extended: Range<Int>?
    private var orientation = Exif.normal
    private var kept: [Range<Int>] = []

    private init(_ bytes: Bytes, end: Int) {
        self.bytes = bytes
        self.end = end
    }

    static func read(_ bytes: Bytes) throws(PictureError) -> PictureParts {
        guard bytes.count >= header else { throw .truncated }
        let end = 8 + (try bytes.little(at: 4, bytes: 4))
        guard end >= header else { throw .malformed }
        guard end <= bytes.count else { throw .truncated }
        var reader = WebPReader(bytes, end: end)
        while reader.offset < end { try reader.readChunk() }
        guard let size = reader.size else { throw .malformed }
        return PictureParts(
            size: reader.canvas ?? size, orientation: reader.orientation, comment: nil,
            pieces: try reader.pieces())
    }

    private mutating func readChunk() throws(PictureError) {
        guard offset + 8 <= end, let name = bytes.text(at: offset, count: 4) else {
            throw .malformed
        }
        let length = try bytes.little(at: offset + 4, bytes: 4)
        let content = offset + 8..<offset + 8 + length
        guard content.upperBound <= end else { throw .malformed }
        // Chunks begin at even offsets.
        let chunk = offset..<min(content.upperBound + length % 2, end)
        offset = chunk.upperBound
        switch name {
        case "VP8X": try readExtended(content)
        case "VP8 ": try readLossy(content)
        case "VP8L": try readLossless(content)
        case "EXIF": orientation = Exif.orientation(Self.tiff(bytes.all[content]))
        case "ANIM", "ANMF": throw .malformed
        default: break
        }
        if ["ICCP", "ALPH", "VP8 ", "VP8L"].contains(name) { kept.append(chunk) }
    }

    /// Some writers put JPEG's prefix before the TIFF bytes.
    private static func tiff(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let prefix = Array("Exif\0\0".utf8)
        return content.starts(with: prefix) ? content.dropFirst(prefix.count) : content
    }

    private mutating func readExtended(_ content: Range<Int>) throws(PictureError) {
        guard extended == nil, size == nil, content.count >= 10 else { throw .malformed }
        let start = content.lowerBound
        guard try bytes[start] & Flag.animation == 0 else { throw .malformed }
        canvas = try PictureSize(
            width: bytes.little(at: start + 4, bytes: 3) + 1,
            height: bytes.little(at: start + 7, bytes: 3) + 1)
        extended = content
    }

    private mutating func readLossy(_ content: Range<Int>) throws(PictureError) {
        let start = content.lowerBound
        guard size == nil, content.count >= 10, try bytes[start] & 1 == 0,
            bytes.starts(with: [0x9D, 0x01, 0x2A], at: start + 3)
        else { throw .malformed }
        size = try PictureSize(
            width: bytes.little(at: start + 6, bytes: 2) & 0x3FFF,
            height: bytes.little(at: start + 8, bytes: 2) & 0x3FFF)
    }

    private mutating func readLossless(_ content: Range<Int>) throws(PictureError) {
        let start = content.lowerBound
        guard size == nil, content.count >= 5, try bytes[start] == 0x2F else { throw .malformed }
        let bits = try bytes.little(at: start + 1, bytes: 4)
        size = try PictureSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }

    private func pieces() throws(PictureError) -> [Piece] {
        var pieces: [Piece] = []
        // Only the extended format can store the orientation.
        let isTurned = extended != nil && orientation != Exif.normal
        if let extended {
            var content = Array(bytes.all[extended])
            content[0] &= ~(Flag.exif | Flag.xmp)
            if isTurned { content[0] |= Flag.exif }
            pieces.append(.bytes(Self.chunk("VP8X", content)))
        }
        pieces += kept.map(Piece.range)
        if isTurned {
            pieces.append(.bytes(Self.chunk("EXIF", Exif.tiff(orientation: orientation))))
        }
        let length = pieces.reduce(4) { length, piece in
            switch piece {
            case .range(let range): length + range.count
            case .bytes(let written): length + written.count
            }
        }
        let header =
            Array("RIFF".utf8) + UInt32(length).littleEndianBytes + Array("WEBP".utf8)
        return [.bytes(header)] + pieces
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + UInt32(content.count).littleEndianBytes + content
            + (content.count % 2 == 1 ? [0] : [])
    }
}
