/// How often a document was changed, and the count that its table held when it was read. In JSON it is the count alone.
public struct Version: Sendable, Hashable, Codable {
    public private(set) var number: Int
    public let stored: Int

    /// Of a new document.
    public init() { (number, stored) = (1, 1) }

    private init(number: Int, stored: Int) { (self.number, self.stored) = (number, stored) }

    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
        stored = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    /// Whether the document is another one than the table held.
    public var isChanged: Bool { number != stored }

    public mutating func advance() { number += 1 }

    /// The version of a document that was just written.
    var written: Version { Version(number: number, stored: number) }

    /// Of the count alone: what was read and what was written are the same document.
    public static func == (one: Version, other: Version) -> Bool { one.number == other.number }

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
