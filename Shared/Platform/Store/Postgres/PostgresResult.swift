internal import CPostgres
import Foundation

/// Sole owner of one `PGresult`.
struct PostgresResult: ~Copyable {
    /// The error code after a table has changed since the statement was prepared.
    static let planIsStale = "0A000"

    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var isError: Bool {
        switch PQresultStatus(pointer) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: false
        default: true
        }
    }

    /// SQLSTATE of an error; nil for libpq's own errors.
    var state: String? { cpostgres_sqlstate(pointer).map { String(cString: $0) } }

    var changedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// For example `COMMIT`, or `ROLLBACK` if the commit failed.
    var command: String { String(cString: PQcmdStatus(pointer)) }

    func rows(limit: Int) throws -> [Row] {
        let width = PQnfields(pointer)
        let columns = (0..<width).map { String(cString: PQfname(pointer, $0)) }
        let types = (0..<width).map { PQftype(pointer, $0) }
        return try (0..<PQntuples(pointer)).prefix(limit).map { row in
            let values = try types.enumerated().map { column, type in
                try value(row, Int32(column), type)
            }
            return Row(columns: columns, values: values)
        }
    }

    private func value(_ row: Int32, _ column: Int32, _ type: UInt32) throws -> SQLValue {
        guard PQgetisnull(pointer, row, column) == 0 else { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, row, column),
            count: Int(PQgetlength(pointer, row, column)))
        if type == PostgresType.bytes { return .blob(Self.bytes(bytes)) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let value = Self.value(text, type) else {
            throw StoreError(.decoding, "a value of type \(type) can't be read")
        }
        return value
    }

    private static func value(_ text: String, _ type: UInt32) -> SQLValue? {
        switch type {
        case PostgresType.boolean: .integer(text == "t" ? 1 : 0)
        case PostgresType.int8, PostgresType.int2, PostgresType.int4:
            Int64(text).map { .integer($0) }
        case PostgresType.float4, PostgresType.float8: Double(text).map { .real($0) }
        // A sum of whole numbers is read as a whole number, as in SQLite.
        case PostgresType.numeric:
            Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
        default: .text(text)
        }
    }

    /// Reads the form `\x00ff`.
    private static func bytes(_ text: UnsafeRawBufferPointer) -> Data {
        func digit(_ byte: UInt8) -> UInt8 { byte < 0x40 ? byte - 0x30 : (byte | 0x20) - 0x57 }
        var data = Data(capacity: max(0, text.count - 2) / 2)
        var index = 2
        while index + 1 < text.count {
            data.append(digit(text[index]) << 4 | digit(text[index + 1]))
            index += 2
        }
        return data
    }
}
