/// Name of a product, for example `valet`: 1 to 40 lower-case letters, digits and hyphens.
///
/// The set is open: the platform's services know no product by name.
public struct Product: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible,
    Codable
{
    public let description: String

    public init?(_ text: String) {
        let isName = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        guard isName, (1...40).contains(text.utf8.count) else { return nil }
        description = text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let product = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the name of a product")
        }
        self = product
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Product: ExpressibleByStringLiteral {
    /// For names that are written in the source; an invalid one stops the program at once.
    public init(stringLiteral text: StaticString) {
        description = text.description
        precondition(Product(description) != nil, "not the name of a product: \(description)")
    }
}
