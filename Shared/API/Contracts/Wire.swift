import Foundation

/// The format between processes: JSON in camelCase, with times in RFC 3339, UTC and milliseconds.
public enum Wire {
    public static func encode(_ value: some Encodable) throws -> Data {
        try encoder().encode(value)
    }

    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws -> Value {
        try decoder().decode(type, from: data)
    }

    /// Keys are sorted, so that equal values give equal bytes.
    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(date))
        }
        return encoder
    }

    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        return decoder
    }

    /// `2026-11-21T08:15:30.250Z`.
    public static func text(_ date: Date) -> String {
        // The style truncates to milliseconds, and the Double nearest to 0.293 is below 0.293: without the added half
        // millisecond, a time would lose one each time it is read and written.
        let whole = (date.timeIntervalSince1970 * 1_000).rounded()
        return Date(timeIntervalSince1970: (whole + 0.5) / 1_000).formatted(milliseconds)
    }

    /// Reads a time with or without a fraction, at any offset; nil when it is neither.
    public static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        return (try? milliseconds.parse(text)) ?? (try? seconds.parse(text))
    }

    /// As text, for a column or a value of Redis.
    public static func json(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }

    private static let seconds = Date.ISO8601FormatStyle()
    private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// One page of a list, newest first unless the operation states another order.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    /// Cursor of the next page for `?after=`; null on the last page.
    @Nullable public var next: String?

    public init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}

/// Default and maximum number of items of a list.
public enum PageLimit {
    public static let standard = 50
    public static let most = 200
}
