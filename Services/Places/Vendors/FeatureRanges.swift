/// Finds the features of a GeoJSON FeatureCollection (RFC 7946, section 3.3) without decoding them, so that a large
/// file takes no more memory than its bytes. Each feature is decoded, and thereby checked, by itself.
struct FeatureRanges {
    private static let (quote, backslash, comma, colon) = (
        UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ":")
    )
    private static let features = Array("features".utf8)

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes of each feature; nil if the text is no JSON object (RFC 8259) with a list of features.
    static func all(in bytes: [UInt8]) -> [Range<Int>]? {
        var reader = FeatureRanges(bytes)
        guard let found = reader.collection() else { return nil }
        reader.skipSpace()
        return reader.position == bytes.count ? found : nil
    }

    private mutating func collection() -> [Range<Int>]? {
        var found: [Range<Int>]?
        guard take("{") else { return nil }
        repeat {
            guard let name = value(), take(":") else { return nil }
            // With the quotes around it.
            if bytes[name].dropFirst().dropLast().elementsEqual(Self.features) {
                found = list()
                if found == nil { return nil }
            } else if value() == nil {
                return nil
            }
        } while take(",")
        return take("}") ? found : nil
    }

    private mutating func list() -> [Range<Int>]? {
        guard take("[") else { return nil }
        if take("]") { return [] }
        var found: [Range<Int>] = []
        repeat {
            guard let one = value() else { return nil }
            found.append(one)
        } while take(",")
        return take("]") ? found : nil
    }

    /// The next value: a text, a list or an object with all that is in it, or a word or number; nil if it doesn't end.
    private mutating func value() -> Range<Int>? {
        skipSpace()
        let start = position
        var depth = 0
        repeat {
            guard position < bytes.count else { return nil }
            switch bytes[position] {
            case Self.quote: guard skipText() else { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return nil }
                depth -= 1
                position += 1
            case Self.comma, Self.colon:
                guard depth > 0 else { return nil }
                position += 1
            default: skipWord()
            }
        } while depth > 0
        return start..<position
    }

    private mutating func skipText() -> Bool {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case Self.quote:
                position += 1
                return true
            case Self.backslash: position += 2
            default: position += 1
            }
        }
        return false
    }

    /// Skips a word or a number, or space within a list or an object.
    private mutating func skipWord() {
        repeat { position += 1 } while position < bytes.count && !Self.endsWord(bytes[position])
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case quote, comma, colon, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: isSpace(byte)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: wanted) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }
}
