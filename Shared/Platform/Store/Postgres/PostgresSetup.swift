/// Makes a database when it is missing, and brings its schema up to date.
struct PostgresSetup {
    /// Another process that starts at the same time waits for this.
    private static let lock = "pg_advisory_xact_lock(7016601, 2)"
    /// Databases that every server has; from one of them ours is made.
    private static let others = ["postgres", "template1"]

    let address: PostgresAddress
    let database: String
    /// Nobody waits for an answer yet, and a server of which many services ask at once takes its time.
    var patienceSeconds = 30

    func run(_ migrations: [Migration]) throws {
        let connection = try connect()
        try requireBytewiseOrder(connection)
        try connection.run("BEGIN; SET LOCAL statement_timeout = 0; SELECT \(Self.lock)")
        try Migration.apply(migrations, to: connection)
        try connection.commit()
    }

    private func connect() throws -> PostgresConnection {
        // libpq counts whole seconds.
        let silence = ContinuousClock.now + .seconds(patienceSeconds - 1)
        do {
            return try connect(to: database)
        } catch let failure {
            // A server that says nothing is not asked for its other databases.
            guard .now < silence, try make() else { throw failure }
            return try connect(to: database)
        }
    }

    private func connect(to name: String) throws -> PostgresConnection {
        try PostgresConnection(address, database: name, answersWithin: patienceSeconds)
    }

    /// Whether it is there now, perhaps since somebody else has made it meanwhile; false, too, when nobody lets
    /// us look.
    private func make() throws -> Bool {
        let connection = Self.others.lazy.compactMap { other in
            try? connect(to: other)
        }.first
        guard let connection else { return false }
        let sql = "SELECT 1 FROM pg_database WHERE datname = ?"
        func isThere() throws -> Bool {
            try !connection.rows(sql, [.text(database)], limit: 1).isEmpty
        }
        if try isThere() { return true }
        let name = database.replacing("\"", with: "\"\"")
        do {
            try connection.run("SET statement_timeout = 0")
            try connection.run(
                "CREATE DATABASE \"\(name)\" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        } catch {
            guard try isThere() else { throw error }
        }
        return true
    }

    /// Texts compare by their bytes, as they do in SQLite: cursors and pages depend on it.
    private func requireBytewiseOrder(_ connection: PostgresConnection) throws {
        let row = try connection.rows(
            """
            SELECT datcollate IN ('C', 'POSIX') AND pg_encoding_to_char(encoding) = 'UTF8' AS fits
            FROM pg_database WHERE datname = current_database()
            """, [], limit: 1
        ).first
        guard try row?.get("fits") == true else {
            throw StoreError(
                .other,
                "the database \(database) needs ENCODING 'UTF8' and LOCALE 'C': make it from template0"
            )
        }
    }
}
