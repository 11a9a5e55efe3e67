/// The number of changes to a document, and the number in its table when it was read. In JSON it is the first number
/// only.
public struct Version: Sendable, Hashable, Codable {
    public private(set) var number: Int
    public let stored: Int

    /// The version of a new document.
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

    /// Whether the document has changed since it was read.
    public var isChanged: Bool { number != stored }

    public mutating func advance() { number += 1 }

    /// The version of a document after writing it.
    var written: Version { Version(number: number, stored: number) }

    /// Compares the number of changes only: a document is equal to itself before and after it is written.
    public static func == (one: Version, other: Version) -> Bool { one.number == other.number }

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
