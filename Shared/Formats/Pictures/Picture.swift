import Foundation

/// A JPEG, PNG or WebP, as far as its headers tell. A PNG's pixels are decompressed to see that they are there, and
/// never kept.
public struct Picture: Sendable {
    /// Pixels of a picture at most.
    public static let mostPixels = 50_000_000
    /// Pixels of width and of height at most.
    public static let longestSide = 12_000

    public let type: PictureType
    public let width: Int
    public let height: Int
    /// EXIF's number: 1 is upright, 2 to 8 are mirrored or turned.
    public let orientation: Int
    /// JPEG's COM segment or PNG's tEXt chunk `Comment`.
    public let comment: String?

    private let bytes: Bytes
    private let pieces: [Piece]

    /// Throws unless the bytes are a whole picture of a type and size that is taken.
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

    /// The same picture without EXIF, XMP, IPTC, comments, thumbnails and whatever follows its end; orientation
    /// and colour profile stay.
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

/// What a reader finds.
struct PictureParts {
    var size: PictureSize
    var orientation: Int
    var comment: String?
    var pieces: [Piece]
}

/// A width and height that are taken.
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
