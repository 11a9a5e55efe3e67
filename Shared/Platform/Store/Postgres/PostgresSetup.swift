/// Creates a database if it is missing, and updates its schema.
struct PostgresSetup {
    /// Other processes that start at the same time wait for this lock.
    private static let lock = "pg_advisory_xact_lock(7016601, 2)"
    /// Databases that every server has; we connect to one of them to create ours.
    static let others = ["postgres", "template1"]
    /// `reserved_connections` exists from PostgreSQL 16 on.
    static let limit = """
        SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - COALESCE(current_setting('reserved_connections', true)::int, 0) AS connections
        """

    let address: PostgresAddress
    let database: String
    /// Longer than for requests: nobody waits for an answer yet, and a server that many services call at once is
    /// slow.
    var patienceSeconds = 30

    /// Returns how many connections the server allows all of its clients together.
    func run(_ migrations: [Migration]) throws -> Int {
        let connection = try connect()
        try requireSession(connection)
        try requireBytewiseOrder(connection)
        try connection.run("BEGIN; SET LOCAL statement_timeout = 0; SELECT \(Self.lock)")
        try Migration.apply(migrations, to: connection)
        try connection.commit()
        return try connection.rows(Self.limit, [], limit: 1).first?.get("connections") ?? 0
    }

    private func connect() throws -> PostgresConnection {
        // libpq counts whole seconds.
        let silence = ContinuousClock.now + .seconds(patienceSeconds - 1)
        do {
            return try connect(to: database)
        } catch let failure {
            // If the server does not answer, don't try its other databases.
            guard .now < silence, try make() else { throw failure }
            return try connect(to: database)
        }
    }

    private func connect(to name: String) throws -> PostgresConnection {
        try PostgresConnection(address, database: name, answersWithin: patienceSeconds)
    }

    /// Creates the database unless it exists. False if we can connect to no other database to do so.
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

    /// Signals, the leader's lock and prepared statements belong to a session of the server. A pooler that gives one
    /// session to several connections would break them quietly.
    private func requireSession(_ connection: PostgresConnection) throws {
        let other = try connect(to: database)
        guard try connection.backend() != other.backend() else {
            throw StoreError(
                .other,
                "two connections share one session of the server: set the pooler to session mode")
        }
    }

    /// Texts must compare by their bytes, as in SQLite: cursors and pages depend on it.
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
