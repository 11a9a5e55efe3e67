import CQRencode

/// A text as a QR code (ISO/IEC 18004), at error correction level M: a sixth of it may be dirty.
public struct QRCode: Sendable, Equatable {
    /// White modules that scanners want around it.
    public static let quietZone = 4

    /// Modules a side, without the quiet zone.
    public let size: Int
    /// Row by row; true is dark.
    public let modules: [Bool]

    /// There is nothing to encode, or more than 2,331 bytes.
    public struct Unfit: Error {}

    public init(_ text: String) throws(Unfit) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { throw Unfit() }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        modules = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Its dark modules as the `d` of an SVG path, each run of a row one rectangle; one module is one unit, and the
    /// quiet zone is left free: a picture of it is `size + 8` units wide.
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
