/// Chunks of a PNG (W3C PNG, third edition).
struct PNGReader {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Chunks needed to show the picture correctly. Times, texts, EXIF and animation are removed.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP",
        "mDCV", "cLLI", "bKGD", "pHYs",
    ]
    private static let headerSize = 13
    /// Bytes of a chunk's length, name and checksum.
    private static let frame = 12

    private let bytes: Bytes
    private var offset = signature.count
    private var size: PictureSize?
    private var layout: PNGLayout?
    private var hasPalette = false
    private var data: [Range<Int>] = []
    private var orientation = Exif.normal
    private var comment: String?
    private var pieces: [Piece] = [.range(0..<signature.count)]

    private init(_ bytes: Bytes) { self.bytes = bytes }

    static func read(_ bytes: Bytes) throws(PictureError) -> PictureParts {
        guard bytes.count >= signature.count else { throw .truncated }
        guard bytes.starts(with: signature) else { throw .malformed }
        var reader = PNGReader(bytes)
        while try reader.readChunk() {}
        guard let size = reader.size, let layout = reader.layout,
            reader.hasPalette || !layout.needsPalette
        else { throw .malformed }
        try PNGPixels.check(layout, reader.data, in: bytes)
        return PictureParts(
            size: size, orientation: reader.orientation, comment: reader.comment,
            pieces: reader.pieces)
    }

    /// False after the last chunk.
    private mutating func readChunk() throws(PictureError) -> Bool {
        let length = try bytes.big(at: offset, bytes: 4)
        _ = try bytes[offset + 4..<offset + 8]
        let chunk = offset..<offset + Self.frame + length
        let content = offset + 8..<offset + 8 + length
        _ = try bytes[chunk]
        guard let name = bytes.text(at: offset + 4, count: 4) else { throw .malformed }
        guard (name == "IHDR") == (size == nil) else { throw .malformed }
        offset = chunk.upperBound
        switch name {
        case "IHDR": try readHeader(content, chunk)
        case "PLTE": hasPalette = true
        case "IDAT": data.append(content)
        case "eXIf": orientation = Exif.orientation(bytes.all[content])
        case "tEXt": readText(content)
        default: break
        }
        if Self.kept.contains(name) {
            if name == "IEND", orientation != Exif.normal { pieces.append(.bytes(turned)) }
            pieces.append(.range(chunk))
        } else if name.utf8.first.map({ $0 & 0x20 == 0 }) ?? true {
            // A capital letter marks a chunk without which the picture can't be shown.
            throw .malformed
        }
        return name != "IEND"
    }

    private mutating func readHeader(
        _ content: Range<Int>, _ chunk: Range<Int>
    ) throws(PictureError) {
        guard content.count == Self.headerSize else { throw .malformed }
        let sum = try bytes.big(at: content.upperBound, bytes: 4)
        let summed = try bytes[chunk.lowerBound + 4..<content.upperBound]
        guard Int(CRC32.of(summed)) == sum else { throw .malformed }
        let size = try PictureSize(
            width: bytes.big(at: content.lowerBound, bytes: 4),
            height: bytes.big(at: content.lowerBound + 4, bytes: 4))
        layout = try PNGLayout(size, bytes[content.lowerBound + 8..<content.upperBound])
        self.size = size
    }

    /// A keyword, a zero byte and Latin-1 text.
    private mutating func readText(_ content: Range<Int>) {
        let keyword = Array("Comment\0".utf8)
        guard comment == nil, content.count >= keyword.count,
            bytes.starts(with: keyword, at: content.lowerBound)
        else { return }
        let text = bytes.all[content.lowerBound + keyword.count..<content.upperBound]
        comment = String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }

    private var turned: [UInt8] {
        let content = Exif.tiff(orientation: orientation)
        let summed = Array("eXIf".utf8) + content
        return UInt32(content.count).bigEndianBytes + summed
            + CRC32.of(summed[...]).bigEndianBytes
    }
}

/// The checksum of PNG's chunks (ISO 3309).
enum CRC32 {
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
