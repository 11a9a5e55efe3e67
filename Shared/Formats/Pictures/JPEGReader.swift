/// Segments of a JPEG (ITU-T T.81, annex B).
struct JPEGReader {
    private static let mark: UInt8 = 0xFF
    private static let exif = Array("Exif\0\0".utf8)
    private static let jfif = Array("JFIF\0".utf8)
    private static let profile = Array("ICC_PROFILE\0".utf8)
    private static let adobe = Array("Adobe".utf8)
    /// Length of JFIF's fields before its thumbnail, in bytes.
    private static let jfifFields = 14

    private let bytes: Bytes
    private var offset = 2
    private var size: PictureSize?
    private var orientation = Exif.normal
    private var comment: String?
    private var head: [Piece] = []
    private var body: [Piece] = []
    private var hasScan = false

    private init(_ bytes: Bytes) { self.bytes = bytes }

    static func read(_ bytes: Bytes) throws(PictureError) -> PictureParts {
        var reader = JPEGReader(bytes)
        while try reader.readSegment() {}
        guard let size = reader.size, reader.hasScan else { throw .malformed }
        var pieces: [Piece] = [.range(0..<2)] + reader.head
        if reader.orientation != Exif.normal {
            let payload = exif + Exif.tiff(orientation: reader.orientation)
            pieces.append(.bytes(segment(0xE1, payload)))
        }
        return PictureParts(
            size: size, orientation: reader.orientation, comment: reader.comment,
            pieces: pieces + reader.body)
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [mark, marker] + UInt16(payload.count + 2).bigEndianBytes + payload
    }

    /// False at the end of the picture. Bytes after it are neither read nor kept.
    private mutating func readSegment() throws(PictureError) -> Bool {
        let start = offset
        guard try bytes[offset] == Self.mark else { throw .malformed }
        // Any number of fill bytes may precede a marker.
        while try bytes[offset] == Self.mark { offset += 1 }
        let marker = try bytes[offset]
        offset += 1
        switch marker {
        case 0xD9:
            body.append(.bytes([Self.mark, marker]))
            return false
        case 0x01, 0xD0...0xD7:
            body.append(.range(start..<offset))
            return true
        case 0x00, 0xD8:
            throw .malformed
        default:
            break
        }
        let length = try bytes.big(at: offset, bytes: 2)
        guard length >= 2 else { throw .malformed }
        let payload = offset + 2..<offset + length
        _ = try bytes[payload]
        offset = payload.upperBound
        try keep(marker, payload, from: start)
        return true
    }

    private mutating func keep(
        _ marker: UInt8, _ payload: Range<Int>, from start: Int
    ) throws(PictureError) {
        switch marker {
        case 0xE0...0xEF, 0xFE:
            readApplication(marker, payload)
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard size == nil, payload.count >= 6 else { throw .malformed }
            size = try PictureSize(
                width: bytes.big(at: payload.lowerBound + 3, bytes: 2),
                height: bytes.big(at: payload.lowerBound + 1, bytes: 2))
            body.append(.range(start..<payload.upperBound))
        case 0xDA:
            guard size != nil else { throw .malformed }
            hasScan = true
            try skipScan()
            body.append(.range(start..<offset))
        case 0xC4, 0xCC, 0xDB...0xDF:
            body.append(.range(start..<payload.upperBound))
        default:
            // Decoders ignore it, so it could hide data.
            break
        }
    }

    private mutating func readApplication(_ marker: UInt8, _ payload: Range<Int>) {
        let start = payload.lowerBound
        let whole = Piece.range(start - 4..<payload.upperBound)
        switch marker {
        case 0xE0 where bytes.starts(with: Self.jfif, at: start):
            guard payload.count >= Self.jfifFields else { return }
            // The last two fields are the size of the thumbnail, which is removed.
            let fields = Array(bytes.all[start..<start + Self.jfifFields - 2]) + [0, 0]
            head.append(.bytes(Self.segment(marker, fields)))
        case 0xE1 where bytes.starts(with: Self.exif, at: start):
            orientation = Exif.orientation(bytes.all[start + Self.exif.count..<payload.upperBound])
        case 0xE2 where bytes.starts(with: Self.profile, at: start):
            body.append(whole)
        case 0xEE where bytes.starts(with: Self.adobe, at: start):
            body.append(whole)
        case 0xFE:
            comment = comment ?? String(decoding: bytes.all[payload], as: UTF8.self)
        default:
            break
        }
    }

    /// Skips to the next marker. Within a scan, a mark is followed by zero, or is a restart.
    private mutating func skipScan() throws(PictureError) {
        while true {
            guard let mark = bytes.firstIndex(of: Self.mark, from: offset) else {
                throw .truncated
            }
            let next = try bytes[mark + 1]
            switch next {
            case 0x00, 0xD0...0xD7: offset = mark + 2
            case Self.mark: offset = mark + 1
            default:
                offset = mark
                return
            }
        }
    }
}
