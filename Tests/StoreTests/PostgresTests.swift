import Dispatch
import Foundation
import Support
import Synchronization
import Testing

@testable import Store

/// What only a server can do: go away, be shared, and be set up otherwise.
@Suite(.serialized) struct PostgresTests {
    private let server: TestPostgres

    init() throws { server = try TestPostgres.shared.get() }

    private func database(at location: Database.Location) throws -> Database {
        try Database(location, migrations: [schema])
    }

    @Test func aConnectionThatIsLostInATransactionCostsNothing() async throws {
        let database = try TestEngine.postgres.open()
        let tries = Mutex(0)
        try await database.write { [server] transaction in
            try transaction.execute("INSERT INTO things (id) VALUES ('a')")
            let isFirst = tries.withLock { tries in
                tries += 1
                return tries == 1
            }
            if isFirst { try server.end(transaction) }
            try transaction.execute("INSERT INTO things (id) VALUES ('b')")
        }
        #expect(tries.withLock { $0 } == 2)
        #expect(try await database.ids() == ["a", "b"])
    }

    @Test func aConnectionThatWasLostWhileIdleIsNotNoticed() async throws {
        let location = try server.newLocation()
        let database = try database(at: location)
        for round in 0..<3 {
            try await database.add("\(round)")
            try server.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(location.name)'
                """)
            #expect(try await database.ids().count == round + 1)
        }
    }

    @Test func aCommitWithoutAnAnswerIsNotTriedAgain() async throws {
        let database = try TestEngine.postgres.open([
            schema,
            Migration(
                "trap",
                """
                CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
                """,
                """
                CREATE CONSTRAINT TRIGGER trap AFTER INSERT ON labels
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trap()
                """),
        ])
        try await database.add("a")
        let tries = Mutex(0)
        let refused = try await kind {
            try await database.write { transaction in
                tries.withLock { $0 += 1 }
                try transaction.execute("INSERT INTO labels (thing, text) VALUES ('a', '')")
            }
        }
        #expect(refused == .outcomeUnknown)
        #expect(tries.withLock { $0 } == 1)
        try await database.add("b")
        #expect(try await database.ids() == ["a", "b"])
    }

    @Test func whoLosesPreparesNothingTwice() async throws {
        let database = try TestEngine.postgres.open([
            schema,
            Migration(
                "lose",
                """
                CREATE FUNCTION lose() RETURNS BIGINT LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END $$
                """),
        ])
        let tries = Mutex(0)
        let prepared = try await database.write { transaction in
            try transaction.execute("INSERT INTO things (id) VALUES ('a')")
            let losses = tries.withLock { tries in
                defer { tries += 1 }
                return tries
            }
            if losses < 5 { _ = try transaction.row("SELECT lose() AS never") }
            return try transaction.row("SELECT COUNT(*) AS count FROM pg_prepared_statements")?
                .get("count", as: Int.self)
        }
        #expect(tries.withLock { $0 } == 6)
        // The three that stand here.
        #expect(prepared == 3)
    }

    @Test func aServerThatIsAwayIsSaidSoAndUsedAgainWhenItIsBack() async throws {
        let server = try TestPostgres()
        let database = try database(at: try server.newLocation())
        var signals = database.signals("news").makeAsyncIterator()
        await signals.next()
        try await database.add("a")
        server.kill()
        #expect(
            try await eventually { try await kind { try await database.ids() } == .unavailable })
        #expect(try await kind { try await database.add("b") } == .unavailable)
        try server.restart()
        #expect(try await eventually { try await kind { try await database.add("c") } == nil })
        #expect(try await database.ids() == ["a", "c"])
        // What others have told meanwhile may be lost: who listens looks again.
        await signals.next()
    }

    @Test func withoutAFreeConnectionNewcomersAreToldToComeBack() async throws {
        let database = try TestEngine.postgres.open()
        let sessions = Database.standardConnections - 1
        let (entered, release) = (DispatchSemaphore(value: 0), Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { release.open() }
            for _ in 0..<sessions {
                group.addTask {
                    try await database.read { _ in
                        entered.signal()
                        release.pass()
                    }
                }
            }
            await entered.signalled(times: sessions)
            for _ in 0..<PostgresPool.mostWaiting {
                group.addTask { _ = try? await database.ids() }
            }
            try await database.untilWaiting(PostgresPool.mostWaiting)
            let refused = try await kind { try await database.add("beyond") }
            release.open()
            try await group.waitForAll()
            #expect(refused == .busy)
        }
        #expect(try await database.ids() == [])
    }

    /// As many transactions at once as there are tasks, with only `most` connections.
    @Test(arguments: TestEngine.servers)
    func moreConnectionsThanAllowedAreNeverOpen(engine: TestEngine) async throws {
        let location = try engine.newLocation()
        let database = try Database(location, migrations: [schema], connections: 3)
        var signals = database.signals("news").makeAsyncIterator()
        await signals.next()
        @Sendable func count() async throws -> Int {
            try await database.read { transaction in
                let row = try transaction.row(
                    """
                    SELECT COUNT(*) AS count FROM pg_stat_activity
                    WHERE datname = current_database()
                    """)
                return try row?.get("count") ?? .max
            }
        }
        // Those of the start may take a moment to leave; PgBouncer keeps theirs for other clients.
        if engine == .postgres { #expect(try await eventually { try await count() <= 2 }) }
        let seen = Recorder<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { seen.add(try await count()) } }
            try await group.waitForAll()
        }
        #expect(seen.count == 20)
        if engine == .postgres { #expect(seen.all.allSatisfy { $0 <= 3 }, "\(seen.all)") }
        let use = try #require(database.connections)
        #expect(use.most == 3)
        #expect((2...3).contains(use.open))
        #expect(use.inUse == 0)
        #expect(use.waiting == 0)
        try await database.close()
    }

    @Test func aConnectionThatNobodyUsesIsClosedAndOpenedAgain() async throws {
        let opener = try opener()
        let pool = PostgresPool(opener, sessions: 2, idleTime: .milliseconds(20))
        for _ in 0..<3 {
            #expect(
                try await pool.with { try await $0.read { try $0.row("SELECT 1 AS one") } } != nil)
            #expect(
                try await eventually { opener.open.load(ordering: .relaxed) == 0 && pool.busy == 0 }
            )
        }
        await pool.close()
    }

    @Test func aConnectionThatIsUsedAgainStaysOpen() async throws {
        let opener = try opener()
        let pool = PostgresPool(opener, sessions: 2)
        var pids: Set<Int> = []
        for _ in 0..<3 {
            let row = try await pool.with {
                try await $0.read { try $0.row("SELECT pg_backend_pid() AS pid") }
            }
            pids.insert(try #require(try row?.get("pid", as: Int.self)))
        }
        #expect(pids.count == 1)
        #expect(opener.open.load(ordering: .relaxed) == 1)
        await pool.close()
        #expect(opener.open.load(ordering: .relaxed) == 0)
    }

    @Test func waitingForAConnectionHasAnEnd() async throws {
        let pool = PostgresPool(try opener(), sessions: 1, longestWait: .milliseconds(20))
        let (entered, release) = (DispatchSemaphore(value: 0), Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { release.open() }
            group.addTask {
                try await pool.with { session in
                    try await session.read { _ in
                        entered.signal()
                        release.pass()
                    }
                }
            }
            await entered.signalled()
            // The one that has the connection goes on meanwhile.
            for _ in 0..<2 {
                let refused = try await kind {
                    try await pool.with { try await $0.read { try $0.row("SELECT 1 AS one") } }
                }
                #expect(refused == .busy)
            }
            #expect(pool.waiting == 0)
            release.open()
            try await group.waitForAll()
        }
        #expect(try await pool.with { try await $0.read { try $0.row("SELECT 1 AS one") } } != nil)
        await pool.close()
    }

    @Test func aServerTellsHowManyConnectionsItAllows() async throws {
        let address = try #require(PostgresAddress(server.address))
        // 400 of the test's server, without the 3 that are a superuser's.
        #expect(try address.connectionLimit(orOf: "orders") == 397)
        #expect(try TestEngine.postgres.open().connections?.serverLimit == 397)
        let away = try #require(PostgresAddress("postgres://me:s3cret@127.0.0.1:1/"))
        let error = #expect(throws: StoreError.self) { try away.connectionLimit(orOf: "orders") }
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test func aPoolerThatSharesSessionsIsRefused() throws {
        let pooler = try TestPgBouncer(before: server, mode: .transaction)
        let location = try pooler.newLocation()
        let error = #expect(throws: StoreError.self) { try database(at: location) }
        #expect(error?.message.contains("session mode") == true)
    }

    /// Opens connections to a new database without tables.
    private func opener() throws -> PostgresOpener {
        let location = try server.newLocation()
        _ = try Database(location, migrations: [])
        let address = try #require(PostgresAddress(server.address))
        return PostgresOpener(address, location.name)
    }

    @Test func thoseWhoStartTogetherMakeOneDatabase() async throws {
        for _ in 0..<5 {
            let location = try server.newLocation()
            let failures = Recorder<any Error>()
            let ended = Recorder<Void>()
            // Opening blocks: a thread each.
            for _ in 0..<8 {
                Thread {
                    do {
                        _ = try Database(location, migrations: [schema])
                    } catch {
                        failures.add(error)
                    }
                    ended.add(())
                }.start()
            }
            #expect(try await eventually { ended.count == 8 })
            #expect(failures.count == 0, "\(failures.all)")
            #expect(try await database(at: location).ids() == [])
        }
    }

    @Test func aServerThatSaysNothingIsAskedOnce() throws {
        let mute = try Listener()
        let address = try #require(PostgresAddress("postgres://me@127.0.0.1:\(mute.port)/"))
        let setup = PostgresSetup(address: address, database: "x", patienceSeconds: 2)
        let error = #expect(throws: StoreError.self) { try setup.run([]) }
        #expect(error?.kind == .unavailable)
        #expect(mute.connections() == 1)
    }

    @Test func aDatabaseThatSortsLikeALanguageIsRefused() throws {
        let location = try server.newLocation()
        try server.run(
            "CREATE DATABASE \(location.name) TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
        let error = #expect(throws: StoreError.self) { try database(at: location) }
        #expect(error?.message.contains("LOCALE 'C'") == true)
    }

    @Test(arguments: TestEngine.servers)
    func oneWakesTheOther(engine: TestEngine) async throws {
        let location = try engine.newLocation()
        let (one, other) = (try database(at: location), try database(at: location))
        var signals = other.signals("news").makeAsyncIterator()
        // The first comes when the listener has begun.
        await signals.next()
        try await one.write { $0.signal("news") }
        await signals.next()
        try await one.close()
        try await other.close()
    }

    @Test(arguments: TestEngine.servers)
    func oneLeadsAndAnotherTakesOver(engine: TestEngine) async throws {
        let location = try engine.newLocation()
        let (one, other) = (try database(at: location), try database(at: location))
        #expect(try await eventually { one.leads })
        #expect(!other.leads)
        // Its connection dies, as with its process.
        try server.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 2 AND objid = 3 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = '\(location.name)')
            """)
        #expect(try await eventually { one.leads != other.leads })
        try await one.close()
        #expect(try await eventually { other.leads })
        #expect(!one.leads)
        try await other.close()
    }

    @Test(arguments: [
        ("SELECT ?", "SELECT $1"), ("a = ? AND b = '?' AND c = ?", "a = $1 AND b = '?' AND c = $2"),
        (#"SELECT "?", ?"#, #"SELECT "?", $1"#), ("-- ?\n ? -", "-- ?\n $1 -"),
        ("'it''s ?' ? - ?", "'it''s ?' $1 - $2"),
    ])
    func argumentsAreNumberedWhereTheyAreNotText(sql: String, numbered: String) {
        #expect(PostgresStatement.numbered(sql) == numbered)
    }

    @Test func anAddressTellsItsPartsAndKeepsItsPassword() throws {
        let address = try #require(
            PostgresAddress("postgres://me:s3cret@db:5433/staging?sslmode=require"))
        #expect(address.database(of: "orders") == "staging_orders")
        #expect(address.hasPassword)
        #expect(address.server == "db:5433")
        #expect(address.url == "postgres://me:s3cret@db:5433/?sslmode=require")
        #expect(!"\(address)".contains("s3cret") && !String(reflecting: address).contains("s3cret"))
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("s3cret"))
        let short = try #require(PostgresAddress("postgresql://me@db"))
        #expect(short.database(of: "orders") == "openvalet_orders")
        #expect(!short.hasPassword)
        #expect(short.server == "db:5432")
        for wrong in ["", "db:5432", "mysql://db/", "postgres://db/A-b", "postgres://db/?sslmod=x"]
        {
            #expect(PostgresAddress(wrong) == nil)
        }
    }

    @Test func whoIsNotLetInHearsNoPassword() throws {
        let address = try #require(
            PostgresAddress(
                server.address.replacing("postgres@", with: "nobody:s3cret@")))
        let error = #expect(throws: StoreError.self) {
            try Database(.postgres(address, database: "x"), migrations: [])
        }
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains("s3cret") == false)
    }
}

extension Database.Location {
    fileprivate var name: String {
        if case .postgres(_, let name) = self { name } else { "" }
    }
}

extension TestPostgres {
    /// Ends the connection of an open transaction.
    fileprivate func end(_ transaction: Transaction) throws {
        let pid = try transaction.row("SELECT pg_backend_pid() AS pid")?.get("pid", as: Int.self)
        try run("SELECT pg_terminate_backend(\(pid ?? 0), 10000)")
    }
}
