import Foundation

/// Finds the field whose bare value (a number, or what should be one) stops a JSON decoder.
///
/// Foundation names the field for a wrong type, but reports `1e999`, `NaN` or a fraction for an `Int` as invalid JSON
/// without a position. We still want to name the field to people.
struct UnreadableValue {
    /// Maximum size of a body in bytes, and of values that are tried.
    static let longestBody = 16 * 1_024
    static let mostTries = 50

    struct Scalar: Equatable {
        let path: String
        let range: Range<Int>
        let text: String
    }

    /// The path of the first value that can't be read, but could be if it were 0; nil if there is none.
    static func path(in body: Data, decodes: (Data) -> Bool) -> String? {
        guard body.count <= longestBody else { return nil }
        let scalars = Self(body).scalars()
        if let odd = scalars.first(where: { !isJSON($0.text) }) { return odd.path }
        let bytes = Data(body)
        for scalar in scalars.filter({ Int32($0.text) == nil && Double($0.text) != nil }).prefix(
            mostTries)
        {
            let mended =
                bytes[..<scalar.range.lowerBound] + Data("0".utf8)
                + bytes[scalar.range.upperBound...]
            if decodes(Data(mended)) { return scalar.path }
        }
        return nil
    }

    /// Whether it is a literal or a number that fits a double.
    private static func isJSON(_ text: String) -> Bool {
        if ["true", "false", "null"].contains(text) { return true }
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
            return false
        }
        return Double(text)?.isFinite ?? false
    }

    private enum Level {
        case object(key: String?)
        case array(index: Int)
    }

    private let bytes: [UInt8]
    private var levels: [Level] = []

    private init(_ body: Data) { bytes = Array(body) }

    /// Bare values in order; strings are skipped or taken as keys.
    private func scalars() -> [Scalar] {
        var scanner = self
        var found: [Scalar] = []
        var position = 0
        while position < bytes.count {
            let start = position
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = scanner.takeString(at: position)
            case UInt8(ascii: "{"): scanner.levels.append(.object(key: nil)); position += 1
            case UInt8(ascii: "["): scanner.levels.append(.array(index: 0)); position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = scanner.levels.popLast(); position += 1
            case UInt8(ascii: ","): scanner.next(); position += 1
            case let byte where Self.isBare(byte):
                while position < bytes.count, Self.isBare(bytes[position]) { position += 1 }
                let text = String(decoding: bytes[start..<position], as: UTF8.self)
                found.append(Scalar(path: scanner.path, range: start..<position, text: text))
            default: position += 1
            }
        }
        return found
    }

    /// Letters, digits, signs and the decimal point.
    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Skips a string and returns the position after it. The string is the key of the next value if the object
    /// expects one.
    private mutating func takeString(at start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        if case .object(key: nil) = levels.last {
            let end = min(position, bytes.count)
            let key = String(decoding: bytes[min(start + 1, end)..<end], as: UTF8.self)
            levels[levels.count - 1] = .object(key: key)
        }
        return position + 1
    }

    private mutating func next() {
        switch levels.last {
        case .object: levels[levels.count - 1] = .object(key: nil)
        case .array(let index): levels[levels.count - 1] = .array(index: index + 1)
        case nil: break
        }
    }

    private var path: String {
        levels.reduce(into: "") { path, level in
            switch level {
            case .object(let key): path += (path.isEmpty ? "" : ".") + (key ?? "")
            case .array(let index): path += "[\(index)]"
            }
        }
    }
}
