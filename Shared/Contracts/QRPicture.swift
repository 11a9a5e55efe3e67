/// A QR code to draw: dark on white, in a square with its quiet zone.
public struct QRPicture: Codable, Sendable, Hashable {
    /// Units a side.
    public var size: Int
    /// What is dark, as the `d` of an SVG path.
    public var path: String

    public init(size: Int, path: String) { (self.size, self.path) = (size, path) }
}
