import CQRencode

/// A QR code (ISO/IEC 18004) of a text, at error correction level M: about a sixth of it may be damaged.
public struct QRCode: Sendable, Equatable {
    /// Width of the white margin that scanners need, in modules.
    public static let quietZone = 4

    /// Modules per side, without the margin.
    public let size: Int
    /// Row by row; true is dark.
    public let modules: [Bool]

    /// The text is empty, or has more than 2,331 bytes.
    public struct Unfit: Error {}

    public init(_ text: String) throws(Unfit) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { throw Unfit() }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        modules = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// The dark modules as the `d` of an SVG path, with one rectangle for each run in a row. One module is one unit.
    /// The margin is left free, so an image is `size + 8` units wide.
    public var path: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let end = (x..<size).first { !modules[y * size + $0] } ?? size
                if end > x {
                    path += "M\(x + Self.quietZone) \(y + Self.quietZone)h\(end - x)v1h-\(end - x)z"
                }
                x = end + 1
            }
        }
        return path
    }
}
