/// A QR code to draw, dark on white, in a square that includes the quiet zone.
public struct QRPicture: Codable, Sendable, Hashable {
    /// Length of a side of the square, in the units of `path`.
    public var size: Int
    /// The dark parts, as the `d` attribute of an SVG path.
    public var path: String

    public init(size: Int, path: String) { (self.size, self.path) = (size, path) }
}
