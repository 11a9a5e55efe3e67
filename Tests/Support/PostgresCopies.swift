import Store

/// What services never do with a database.
extension PostgresConnection {
    /// To the server's own database, without a limit of time: tests run on machines with other work.
    static func open(_ address: PostgresAddress, database: String = "postgres") throws
        -> PostgresConnection
    {
        let connection = try PostgresConnection(address, database: database)
        try connection.run("SET statement_timeout = 0")
        return connection
    }

    /// Copies a database, file by file: by way of the log, as the server does unless told so, takes twice as long.
    func copy(_ database: String, as name: String) throws {
        try run("CREATE DATABASE \(name) TEMPLATE \(database) STRATEGY FILE_COPY")
    }

    /// Removes all rows but the lists of migrations, unless migrations have inserted some, which have the same
    /// transaction: returns false then. Throws where there are no migrations yet.
    func removeRows() throws -> Bool {
        let tables = try names(
            """
            SELECT quote_ident(tablename) AS name FROM pg_tables
            WHERE schemaname = 'public'
                AND tablename NOT IN ('store_migrations', 'store_additions')
            """)
        guard try !isEmpty("SELECT 1 AS one FROM store_migrations LIMIT 1") else {
            throw StoreError(.other, "no migrations yet")
        }
        let migrations = """
            SELECT xmin FROM store_migrations UNION ALL SELECT xmin FROM store_additions
            """
        let inserted = try tables.filter {
            try !isEmpty("SELECT 1 AS one FROM \($0) WHERE xmin IN (\(migrations)) LIMIT 1")
        }
        guard inserted.isEmpty else { return false }
        if !tables.isEmpty {
            try run("TRUNCATE \(tables.joined(separator: ", ")) RESTART IDENTITY")
        }
        return true
    }

    /// The column `name` of what a query answers.
    func names(_ sql: String) throws -> [String] {
        try rows(sql, [], limit: .max).map { try $0.get("name") }
    }

    private func isEmpty(_ sql: String) throws -> Bool { try rows(sql, [], limit: 1).isEmpty }
}
