import Foundation
import Geo

/// The rows that a MySQL dump inserts, by table; everything else in it is skipped.
///
/// It reads bytes, not characters: strings have points as the database stores them.
struct SQLDump {
    /// One value of a row.
    enum Value: Equatable {
        case null
        /// A number, as text.
        case plain(String)
        case bytes([UInt8])
        case point(Coordinate)
    }

    struct Failure: Error, Equatable {
        /// Offset in the file, in bytes.
        var offset: Int
    }

    typealias Row = [String: Value]

    /// By the table's name in lower case.
    private(set) var tables: [String: [Row]] = [:]

    private let text: [UInt8]
    private var place = 0

    init(_ data: Data) throws {
        text = [UInt8](data)
        while place < text.count {
            skipBlank()
            if word() == "insert" { try insert() } else { skipStatement() }
        }
    }

    // MARK: Statements

    private mutating func insert() throws {
        skipBlank()
        var word = self.word()
        while ["ignore", "into"].contains(word) {
            skipBlank()
            word = self.word()
        }
        let table = try word.isEmpty ? name() : word
        var columns: [String] = []
        skipBlank()
        if peek == UInt8(ascii: "(") {
            place += 1
            repeat { columns.append(try name()) } while separator()
            try require(")")
        }
        skipBlank()
        guard self.word() == "values" else { throw Failure(offset: place) }
        repeat {
            skipBlank()
            try require("(")
            var values: [Value] = []
            repeat { values.append(try value()) } while separator()
            try require(")")
            let names = columns.isEmpty ? Self.columns[table.lowercased()] ?? [] : columns
            guard names.count >= values.count || names.isEmpty else { throw Failure(offset: place) }
            tables[table.lowercased(), default: []].append(
                Dictionary(zip(names, values)) { $1 })
        } while separator()
        skipStatement()
    }

    /// The original's columns, for a dump that names none.
    private static let columns = [
        "user": [
            "id", "username", "password", "name", "surname", "email", "mobileNumber", "isVerified",
        ],
        "route": [
            "id", "startingPoint", "endPoint", "driver", "originAdress", "destinationAdress",
            "distance", "duration",
        ],
        "routedate": ["id", "route", "route_date", "weekly_repeat"],
        "ride": ["id", "route"], "passenger": ["id", "ride", "passenger", "inTheCar"],
        "rating": ["id", "author", "target", "ride", "stars", "comment", "postDate"],
        "favoriteroute": ["id", "routeId", "userId"],
    ]

    /// Skips up to the semicolon that ends the statement; those in strings don't count.
    private mutating func skipStatement() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: ";"):
                place += 1
                return
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): _ = try? string()
            case UInt8(ascii: "-"), UInt8(ascii: "#"), UInt8(ascii: "/"):
                let before = place
                skipBlank()
                if place == before { place += 1 }
            default: place += 1
            }
        }
    }

    // MARK: Values

    private mutating func value() throws -> Value {
        skipBlank()
        switch peek ?? 0 {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .bytes(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        default: break
        }
        let word = word()
        switch word {
        case "null": return .null
        case "true": return .plain("1")
        case "false": return .plain("0")
        case "x" where peek == UInt8(ascii: "'"):
            return .bytes(try Self.hex(string(), at: place))
        case let charset where charset.hasPrefix("_"): return try value()
        case "st_geomfromtext", "geomfromtext", "st_pointfromtext", "pointfromtext",
            "st_geomfromwkb", "geomfromwkb":
            return try geometry()
        default: throw Failure(offset: place)
        }
    }

    private mutating func number() throws -> Value {
        let start = place
        while let byte = peek, Self.isWord(byte) || "+-.".utf8.contains(byte) { place += 1 }
        let text = String(decoding: self.text[start..<place], as: UTF8.self)
        guard text.lowercased().hasPrefix("0x") else { return .plain(text) }
        return .bytes(try Self.hex(Array(text.utf8.dropFirst(2)), at: start))
    }

    /// `ST_GeomFromText('POINT(35.9 14.5)')`, or of bytes.
    private mutating func geometry() throws -> Value {
        skipBlank()
        try require("(")
        let inner = try value()
        while separator() { _ = try value() }
        try require(")")
        guard case .bytes(let bytes) = inner else { return inner }
        let text = String(decoding: bytes, as: UTF8.self)
        let pattern = /\s*(?i:POINT)\s*\(\s*([-+.\deE]+)\s+([-+.\deE]+)\s*\)\s*/
        if let match = text.wholeMatch(of: pattern)?.output, let x = Double(match.1),
            let y = Double(match.2)
        {
            return .point(Coordinate(latitude: x, longitude: y))
        }
        return inner
    }

    /// A text in quotes with MySQL's escapes; two quotes stand for one.
    private mutating func string() throws -> [UInt8] {
        guard let quote = peek else { throw Failure(offset: place) }
        let start = place
        place += 1
        var found: [UInt8] = []
        while let byte = peek {
            place += 1
            if byte == quote {
                guard peek == quote else { return found }
                place += 1
                found.append(quote)
            } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "`") {
                guard let escaped = peek else { break }
                place += 1
                found.append(Self.escapes[escaped] ?? escaped)
            } else {
                found.append(byte)
            }
        }
        throw Failure(offset: start)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "0"): 0, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
        UInt8(ascii: "b"): 8, UInt8(ascii: "Z"): 26,
    ]

    private static func hex(_ digits: [UInt8], at offset: Int) throws -> [UInt8] {
        let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard nibbles.count == digits.count, nibbles.count % 2 == 0 else {
            throw Failure(offset: offset)
        }
        return stride(from: 0, to: nibbles.count, by: 2).map {
            UInt8(nibbles[$0] << 4 | nibbles[$0 + 1])
        }
    }

    // MARK: Letters

    private var peek: UInt8? { place < text.count ? text[place] : nil }

    /// Letters, digits and underscores, in lower case; empty if there are none.
    private mutating func word() -> String {
        let start = place
        while let byte = peek, Self.isWord(byte) { place += 1 }
        return String(decoding: text[start..<place], as: UTF8.self).lowercased()
    }

    private mutating func name() throws -> String {
        skipBlank()
        if peek == UInt8(ascii: "`") { return String(decoding: try string(), as: UTF8.self) }
        let start = place
        while let byte = peek, Self.isWord(byte) { place += 1 }
        guard place > start else { throw Failure(offset: place) }
        return String(decoding: text[start..<place], as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    private mutating func separator() -> Bool {
        skipBlank()
        guard peek == UInt8(ascii: ",") else { return false }
        place += 1
        return true
    }

    private mutating func require(_ letter: Unicode.Scalar) throws {
        skipBlank()
        guard peek == UInt8(ascii: letter) else { throw Failure(offset: place) }
        place += 1
    }

    /// White space and comments.
    private mutating func skipBlank() {
        while let byte = peek {
            let next = place + 1 < text.count ? text[place + 1] : 0
            if byte <= 0x20 {
                place += 1
            } else if byte == UInt8(ascii: "#") || byte == 0x2D && next == 0x2D {
                while let letter = peek, letter != 10 { place += 1 }
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                place += 2
                while place < text.count {
                    if text[place] == UInt8(ascii: "*"), place + 1 < text.count,
                        text[place + 1] == UInt8(ascii: "/")
                    {
                        break
                    }
                    place += 1
                }
                place = min(place + 2, text.count)
            } else {
                return
            }
        }
    }
}

extension SQLDump.Value {
    var text: String? {
        switch self {
        case .null, .point: nil
        case .plain(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    var int: Int? { text.flatMap { Int($0) } }

    /// A point as MySQL stores it: four bytes for the reference system, then WKB. phpMyAdmin reads these bytes as
    /// Windows-1252 and writes them as UTF-8.
    var point: Coordinate? {
        switch self {
        case .null, .plain: return nil
        case .point(let point): return point.isOnGlobe ? point : nil
        case .bytes(let bytes):
            let found = Self.point(in: bytes) ?? Self.point(in: Self.unmangled(bytes))
            return found.flatMap { $0.isOnGlobe ? $0 : nil }
        }
    }

    private static func point(in bytes: [UInt8]) -> Coordinate? {
        guard bytes.count == 25 || bytes.count == 21 else { return nil }
        let wkb = Array(bytes.suffix(21))
        // Little-endian, a point.
        guard wkb[0] == 1, wkb[1] == 1, wkb[2...4].allSatisfy({ $0 == 0 }) else { return nil }
        func double(_ start: Int) -> Double {
            let bits = wkb[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Double(bitPattern: bits)
        }
        return Coordinate(latitude: double(5), longitude: double(13))
    }

    private static func unmangled(_ bytes: [UInt8]) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            if let index = windows.firstIndex(of: scalar) { return UInt8(0x80 + index) }
            return scalar.value < 0x100 ? UInt8(scalar.value) : 0
        }
    }

    /// 0x80 to 0x9F of Windows-1252; undefined ones are control characters.
    private static let windows = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
