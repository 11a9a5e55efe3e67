/// A database on a PostgreSQL server, which several processes may share.
///
/// Each write is its own transaction at SERIALIZABLE. Services are written as if there were one writer, and only this
/// level keeps rows that they read but did not write from changing meanwhile. A transaction that loses fails with
/// `conflict`, and `Database` runs it again.
final class PostgresEngine: Engine {
    private let pool: PostgresPool
    private let listener: PostgresListener
    private let signals: Signals

    init(
        _ address: PostgresAddress, _ database: String, _ migrations: [Migration],
        _ signals: Signals
    ) throws {
        try PostgresSetup(address: address, database: database).run(migrations)
        let opener = PostgresOpener(address, database)
        pool = PostgresPool(opener)
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

    func close() async throws {
        await pool.close()
        listener.stop()
    }
}
