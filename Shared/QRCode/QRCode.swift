/// A QR code of a text (ISO/IEC 18004): byte mode, error correction M, versions 1 to 10.
public struct QRCode: Sendable, Hashable {
    /// Bytes of the longest text.
    public static let longest = 213
    /// Light modules on each side, without which readers don't find it.
    public static let quietZone = 4

    /// The text has more than `longest` bytes.
    public struct TooLong: Error, Hashable {}

    /// Modules of a side.
    public let size: Int
    private let modules: [Bool]

    public init(_ text: String) throws(TooLong) {
        let bytes = Array(text.utf8)
        guard let version = Version.all.first(where: { $0.capacity >= bytes.count }) else {
            throw TooLong()
        }
        let codewords = version.interleaved(version.data(bytes))
        // The mask that leaves the fewest patterns by which a reader could be misled.
        let best = (0..<8).map { mask in
            var matrix = Matrix(version)
            matrix.place(codewords, mask: mask)
            return matrix
        }.min { $0.penalty < $1.penalty }
        size = version.size
        modules = best?.modules ?? []
    }

    /// Whether the module is dark.
    public func isDark(x: Int, y: Int) -> Bool { modules[y * size + x] }

    /// As a picture of its own, with the quiet zone, which scales to any size.
    public var svg: String {
        let side = size + 2 * Self.quietZone
        let dark = (0..<size).flatMap { y in
            (0..<size).filter { isDark(x: $0, y: y) }
                .map { "M\($0 + Self.quietZone) \(y + Self.quietZone)h1v1h-1z" }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" \
            shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/>\
            <path d="\(dark.joined())"/></svg>
            """
    }
}
