import Foundation

/// A JPEG, PNG or WebP, read from its headers. A PNG's pixels are decompressed to check them, but not kept.
public struct Picture: Sendable {
    public static let mostPixels = 50_000_000
    /// Maximum width and height in pixels.
    public static let longestSide = 12_000

    public let type: PictureType
    public let width: Int
    public let height: Int
    /// EXIF's value: 1 is upright, 2 to 8 are mirrored or rotated.
    public let orientation: Int
    /// JPEG's COM segment or PNG's tEXt chunk `Comment`.
    public let comment: String?

    private let bytes: Bytes
    private let pieces: [Piece]

    /// Throws unless the bytes are a complete picture of an accepted type and size.
    public init(_ data: Data) throws(PictureError) {
        guard !data.isEmpty else { throw .empty }
        let bytes = Bytes([UInt8](data))
        guard let type = PictureType(bytes) else { throw .unknownType }
        let parts: PictureParts =
            switch type {
            case .jpeg: try JPEGReader.read(bytes)
            case .png: try PNGReader.read(bytes)
            case .webp: try WebPReader.read(bytes)
            }
        self.type = type
        self.bytes = bytes
        width = parts.size.width
        height = parts.size.height
        orientation = parts.orientation
        comment = parts.comment
        pieces = parts.pieces
    }

    /// The same picture without EXIF, XMP, IPTC, comments, thumbnails and any bytes after its end. Orientation and
    /// colour profile stay.
    public func withoutMetadata() -> Data {
        var data = Data()
        data.reserveCapacity(bytes.count)
        for piece in pieces {
            switch piece {
            case .range(let range): data.append(contentsOf: bytes.all[range])
            case .bytes(let written): data.append(contentsOf: written)
            }
        }
        return data
    }
}

/// The result of a reader.
struct PictureParts {
    var size: PictureSize
    var orientation: Int
    var comment: String?
    var pieces: [Piece]
}

/// A width and height within the limits.
struct PictureSize: Equatable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .malformed }
        guard max(width, height) <= Picture.longestSide, width * height <= Picture.mostPixels
        else { throw .tooManyPixels }
        self.width = width
        self.height = height
    }
}
