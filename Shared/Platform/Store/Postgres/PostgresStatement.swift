/// Types by their numbers in the server's catalogue.
enum PostgresType {
    static let unknown: UInt32 = 0
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let numeric: UInt32 = 1_700
}

/// A statement to prepare: its text, and the types of its arguments. The server infers the type of a null argument.
struct PostgresStatement: Hashable {
    let sql: String
    let types: [UInt32]

    init(_ sql: String, _ arguments: [SQLValue]) {
        self.sql = sql
        types = arguments.map(\.postgresType)
    }

    /// Replaces each `?` outside of quotes and comments with `$1`, `$2`, ….
    static func numbered(_ sql: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var number = 0
        var quote: UInt8?
        var isComment = false
        var last: UInt8 = 0
        for byte in sql.utf8 {
            defer { last = byte }
            if isComment {
                isComment = byte != UInt8(ascii: "\n")
            } else if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "-"), last == UInt8(ascii: "-") {
                isComment = true
            } else if byte == UInt8(ascii: "?") {
                number += 1
                text += "$\(number)".utf8
                continue
            }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension SQLValue {
    var postgresType: UInt32 {
        switch self {
        case .null: PostgresType.unknown
        case .integer: PostgresType.int8
        case .real: PostgresType.float8
        case .text: PostgresType.text
        case .blob: PostgresType.bytes
        }
    }
}

/// Arguments for libpq: one buffer, and the offset at which each argument begins.
struct PostgresArguments {
    private(set) var bytes: [UInt8] = []
    /// Nil for null.
    private(set) var starts: [Int?] = []
    private(set) var lengths: [Int32] = []
    /// 1 for binary, which is used only for bytes.
    private(set) var formats: [Int32] = []

    init(_ values: [SQLValue]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null: break
            case .integer(let number): bytes += String(number).utf8
            case .real(let number): bytes += String(number).utf8
            case .text(let text): bytes += text.utf8
            case .blob(let data): bytes += data
            }
            starts.append(value == .null ? nil : start)
            lengths.append(Int32(bytes.count - start))
            if case .blob = value { formats.append(1) } else { formats.append(0) }
            bytes.append(0)
        }
    }
}
