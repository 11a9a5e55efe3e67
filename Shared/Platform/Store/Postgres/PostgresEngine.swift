/// A database on a PostgreSQL server, which several processes may share.
///
/// Each write is its own transaction at SERIALIZABLE. Services are written as if there were one writer, and only this
/// level keeps rows that they read but did not write from changing meanwhile. A transaction that loses fails with
/// `conflict`, and `Database` runs it again.
final class PostgresEngine: Engine {
    private let most: Int
    /// How many connections the server allows all of its clients together.
    private let serverLimit: Int
    private let opener: PostgresOpener
    private let pool: PostgresPool
    private let listener: PostgresListener
    private let signals: Signals

    /// `connections`: maximum number of this process, the listener's included; at least 2.
    init(
        _ address: PostgresAddress, _ database: String, _ migrations: [Migration],
        _ signals: Signals, connections: Int
    ) throws {
        most = max(2, connections)
        serverLimit = try PostgresSetup(address: address, database: database).run(migrations)
        opener = PostgresOpener(address, database)
        pool = PostgresPool(opener, sessions: most - 1)
        listener = PostgresListener(opener, signals)
        self.signals = signals
    }

    deinit { listener.stop() }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await pool.with { try await $0.read(body) }
    }

    func write<T: Sendable>(
        inLine: Bool, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let done = try await pool.with { try await $0.write(inLine: inLine, body) }
        signals.fire(done.signals)
        listener.announce(done.signals)
        return done.value
    }

    func listen() { listener.start() }

    var leads: Bool { listener.leads }

    var waitingWriters: Int { pool.waiting }

    var connections: DatabaseConnections? {
        DatabaseConnections(
            open: opener.open.load(ordering: .relaxed), inUse: pool.busy, waiting: pool.waiting,
            most: most, serverLimit: serverLimit)
    }

    func close() async throws {
        await pool.close()
        listener.stop()
    }
}
