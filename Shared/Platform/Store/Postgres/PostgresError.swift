internal import CPostgres

extension StoreError {
    /// An error of the server. Its message is kept only if it names tables and columns, not values.
    init(_ result: borrowing PostgresResult) {
        let state = result.state ?? "?"
        let message = cpostgres_primary(result.pointer).map { String(cString: $0) } ?? ""
        let kind = Self.kind(state)
        self.init(kind, Self.maySay(state) ? "\(message) (\(state))" : "PostgreSQL error \(state)")
    }

    /// The kind by SQLSTATE, from appendix A of PostgreSQL's manual.
    private static func kind(_ state: String) -> Kind {
        switch state {
        case "23505": .uniqueViolation
        case "23503": .foreignKeyViolation
        case "23502", "23514": .checkViolation
        // Serialisation failure and deadlock.
        case "40001", "40P01", PostgresResult.planIsStale: .conflict
        // Statement or lock time-out; out of memory.
        case "57014", "55P03", "53200": .busy
        case "53100": .full
        // Protocol violation, for example too few arguments: always our own error.
        case "08P01": .other
        // Shutdown, crash of another process, start, too many connections; lost in an open transaction.
        case "57P01", "57P02", "57P03", "53300", "25P03", "25P04": .unavailable
        default: state.hasPrefix("08") ? .unavailable : .other
        }
    }

    private static func maySay(_ state: String) -> Bool {
        // Constraints, transactions, resources, names and syntax, operators.
        ["08", "0A", "23", "25", "28", "3D", "40", "42", "53", "55", "57"].contains(
            String(state.prefix(2)))
    }
}
