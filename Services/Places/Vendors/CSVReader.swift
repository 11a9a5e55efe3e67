import Foundation

/// Records of comma-separated values (RFC 4180) in UTF-8, one after another; line ends are CRLF, LF or CR.
struct CSVReader {
    struct Record {
        /// On which it begins, from 1.
        let line: Int
        /// Nil where it is no UTF-8, or has a quote that never ends.
        let fields: [String]?
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ data: Data) { bytes = Array(data) }

    /// Nil at the end; empty lines are passed over.
    mutating func next() -> Record? {
        while index < bytes.count, Self.isLineEnd(bytes[index]) { endLine() }
        guard index < bytes.count else { return nil }
        let start = line
        var fields: [String?] = []
        var isWhole = true
        repeat {
            let field = field()
            isWhole = isWhole && field != nil
            fields.append(field)
        } while take(UInt8(ascii: ","))
        if index < bytes.count { endLine() }
        return Record(line: start, fields: isWhole ? fields.compactMap(\.self) : nil)
    }

    private mutating func field() -> String? {
        guard take(UInt8(ascii: "\"")) else {
            let start = index
            while index < bytes.count, bytes[index] != UInt8(ascii: ","),
                !Self.isLineEnd(bytes[index])
            { index += 1 }
            return String(validating: bytes[start..<index], as: UTF8.self)
        }
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard take(byte) else { return String(validating: text, as: UTF8.self) }
            } else if byte == 0x0A {
                line += 1
            }
            text.append(byte)
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func endLine() {
        // What follows a closing quote belongs to no field.
        while index < bytes.count, !Self.isLineEnd(bytes[index]) { index += 1 }
        guard index < bytes.count else { return }
        let isCarriageReturn = bytes[index] == 0x0D
        index += 1
        if isCarriageReturn { _ = take(0x0A) }
        line += 1
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
