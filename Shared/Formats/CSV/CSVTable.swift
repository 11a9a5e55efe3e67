/// Reads a table of comma-separated values row by row: RFC 4180 in UTF-8, with or without a byte order mark. Lines
/// end in LF, CR LF or CR; spaces around fields are removed.
public struct CSVTable: Sendable {
    /// The character between two fields of a row. Spreadsheets write a semicolon where the comma is the decimal mark.
    public enum Separator: UInt8, CaseIterable, Sendable {
        case comma = 0x2C
        case semicolon = 0x3B
        case tab = 0x09
        case bar = 0x7C
    }

    private struct Field {
        var start: Int
        var end: Int
        /// Whether it contains doubled quotes.
        var isEscaped = false
    }

    public enum Fault: Sendable {
        /// An unterminated quote, or text after one.
        case quotes
        case notUTF8
    }

    /// Maximum length of a quoted field in bytes; a longer one has lost its end.
    private static let mostQuoted = 1 << 16
    private static let (quote, newline, carriageReturn, space) = (
        UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " ")
    )

    private let bytes: [UInt8]
    private let separator: UInt8
    private var position = 0
    private var nextLine = 1
    private var fields: [Field] = []

    /// The line at which the latest row begins, from 1.
    public private(set) var line = 0
    public private(set) var fault: Fault?
    public private(set) var header: [String] = []

    /// Reads the first row as the header.
    public init(_ bytes: [UInt8], separator: Separator = .comma) {
        (self.bytes, self.separator) = (bytes, separator.rawValue)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        readHeader()
    }

    /// Reads a table with any separator: that of a first line `sep=;`, which spreadsheets write, or else the one with
    /// which the header has the most fields.
    public init(anySeparator bytes: [UInt8]) {
        let tables = Separator.allCases.map { CSVTable(bytes, separator: $0) }
        let readable = tables.filter { $0.fault == nil }
        if let named = readable.first(where: \.isSeparatorLine) {
            self = named
            readHeader()
        } else {
            // A separator within quotes is none.
            let whole = readable.filter { !$0.header.contains { $0.contains("\"") } }
            self =
                (whole.isEmpty ? readable : whole).max { $0.fieldCount < $1.fieldCount }
                ?? tables[0]
        }
    }

    private var isSeparatorLine: Bool {
        header.count == 2 && header[0].lowercased() == "sep=" && header[1].isEmpty
    }

    private mutating func readHeader() {
        header = next() ? fields.indices.map { self[$0] } : []
    }

    /// The place of a row, for reading it again.
    public struct Mark: Sendable {
        fileprivate let position, line: Int
    }

    /// Where the next row begins.
    public var mark: Mark {
        get { Mark(position: position, line: nextLine) }
        set { (position, nextLine) = (newValue.position, newValue.line) }
    }

    public var fieldCount: Int { fields.count }

    /// The index of the column; -1 if there is none.
    public func column(_ name: String) -> Int { header.firstIndex(of: name) ?? -1 }

    /// The text of a field; empty if the row or the header lacks it.
    public subscript(_ column: Int) -> String {
        guard fields.indices.contains(column) else { return "" }
        let field = fields[column]
        let text = String(decoding: bytes[field.start..<field.end], as: UTF8.self)
        return field.isEscaped ? text.replacing("\"\"", with: "\"") : text
    }

    /// Reads the next row that isn't empty. False at the end.
    public mutating func next() -> Bool {
        while position < bytes.count,
            bytes[position] == Self.newline
                || bytes[position] == Self.carriageReturn
        {
            endLine()
        }
        guard position < bytes.count else { return false }
        (line, fault) = (nextLine, nil)
        fields.removeAll(keepingCapacity: true)
        let start = position
        while readField() {}
        let row = bytes[start..<position]
        if fault == nil, row.contains(where: { $0 >= 0x80 }),
            String(validating: row, as: UTF8.self) == nil
        {
            fault = .notUTF8
        }
        if position < bytes.count { endLine() }
        return true
    }

    /// False once the row has ended.
    private mutating func readField() -> Bool {
        while position < bytes.count, bytes[position] == Self.space { position += 1 }
        var field = Field(start: position, end: position)
        if position < bytes.count, bytes[position] == Self.quote {
            guard readQuoted(&field) else { return false }
        } else {
            skip { [separator] in !Self.isEnd($0, separator) }
            field.end = position
        }
        while field.end > field.start, bytes[field.end - 1] == Self.space { field.end -= 1 }
        fields.append(field)
        guard position < bytes.count, bytes[position] == separator else { return false }
        position += 1
        return true
    }

    /// False if the quote does not end, or text follows it; the row then ends with its first line.
    private mutating func readQuoted(_ field: inout Field) -> Bool {
        let (start, startLine) = (position, nextLine)
        position += 1
        field.start = position
        while position < bytes.count, position - start < Self.mostQuoted {
            let byte = bytes[position]
            if byte == Self.newline { nextLine += 1 }
            position += 1
            guard byte == Self.quote else { continue }
            if position < bytes.count, bytes[position] == Self.quote {
                field.isEscaped = true
                position += 1
                continue
            }
            field.end = position - 1
            skip { $0 == Self.space }
            if position == bytes.count || Self.isEnd(bytes[position], separator) { return true }
            break
        }
        (position, nextLine, fault) = (start, startLine, .quotes)
        skip { $0 != Self.newline && $0 != Self.carriageReturn }
        return false
    }

    /// Whether the byte ends a field.
    private static func isEnd(_ byte: UInt8, _ separator: UInt8) -> Bool {
        byte == separator || byte == newline || byte == carriageReturn
    }

    private mutating func skip(while isWithin: (UInt8) -> Bool) {
        while position < bytes.count, isWithin(bytes[position]) { position += 1 }
    }

    private mutating func endLine() {
        let isPair =
            bytes[position] == Self.carriageReturn && position + 1 < bytes.count
            && bytes[position + 1] == Self.newline
        position += isPair ? 2 : 1
        nextLine += 1
    }
}
