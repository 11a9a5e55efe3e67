/// One row of a result, whose columns are read by name and type.
public struct Row: Sendable {
    let columns: [String]
    let values: [SQLValue]

    /// The column's value. The error names the column if it is missing, null or of another type.
    public func get<V: SQLConvertible>(_ column: String, as type: V.Type = V.self) throws -> V {
        let value = try value(column)
        if let converted = V(sqlValue: value) { return converted }
        let what = value == .null ? "null" : "not a valid value"
        throw StoreError(.decoding, "column \(column) is \(what) where \(V.self) was asked for")
    }

    /// Like `get`, but nil if the column is null.
    public func getIfPresent<V: SQLConvertible>(
        _ column: String, as type: V.Type = V.self
    ) throws -> V? {
        if try value(column) == .null { return nil }
        return try get(column, as: type)
    }

    private func value(_ column: String) throws -> SQLValue {
        guard let index = columns.firstIndex(of: column) else {
            throw StoreError(.decoding, "no column \(column) in the answer")
        }
        return values[index]
    }
}
