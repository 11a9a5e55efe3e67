internal import GRDB
import Synchronization

/// A writer that waits for its turn and for the commit.
struct PendingWrite: Sendable {
    /// Does the work, and returns what to call after the commit.
    let perform: @Sendable (Transaction) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
}

/// Collects waiting writers and gives them one transaction, and one fsync, together.
///
/// While one batch is written to the disk, the next one is collected, so batches grow with the load.
final class WriteQueue: Sendable {
    /// Maximum number of writers that share a commit.
    static let largestBatch = 64
    /// Maximum number of waiting writers; further ones fail with `busy`.
    static let mostWaiting = 4_096

    private struct State {
        var waiting: [PendingWrite] = []
        var isDraining = false
        var isClosed = false
    }

    private let writer: any DatabaseWriter
    private let signals: Signals
    private let state = Mutex(State())

    init(_ writer: any DatabaseWriter, _ signals: Signals) {
        self.writer = writer
        self.signals = signals
    }

    var waiting: Int { state.withLock { $0.waiting.count } }

    func add(_ write: PendingWrite) {
        enum Admission { case start, wait, refuse(StoreError) }
        let admission: Admission = state.withLock { state in
            if state.isClosed { return .refuse(StoreError(.other, "the database is closed")) }
            guard state.waiting.count < Self.mostWaiting else {
                return .refuse(StoreError(.busy, "too many writers wait for the database"))
            }
            state.waiting.append(write)
            defer { state.isDraining = true }
            return state.isDraining ? .wait : .start
        }
        switch admission {
        case .start: drain()
        case .wait: break
        case .refuse(let error): write.fail(error)
        }
    }

    /// Refuses new writers; those already waiting are still served.
    func close() { state.withLock { $0.isClosed = true } }

    /// Commits one batch per turn, so that a reader of an in-memory database gets its own turn in between.
    private func drain() {
        writer.asyncWriteWithoutTransaction { [self] connection in
            let batch = state.withLock { state in
                defer { state.waiting.removeFirst(min(Self.largestBatch, state.waiting.count)) }
                return Array(state.waiting.prefix(Self.largestBatch))
            }
            commit(batch, on: connection)
            let goesOn = state.withLock { state in
                state.isDraining = !state.waiting.isEmpty
                return state.isDraining
            }
            if goesOn { drain() }
        }
    }

    /// Each writer has its own savepoint, and none is answered before the batch is on the disk.
    private func commit(_ batch: [PendingWrite], on connection: GRDB.Database) {
        var committed: [@Sendable () -> Void] = []
        var refused: [(PendingWrite, any Error)] = []
        var fired: Set<String> = []
        do {
            try connection.beginTransaction(.immediate)
            for write in batch {
                let transaction = Transaction(SQLiteConnection(database: connection))
                switch try isolated(write, transaction, on: connection) {
                case .success(let tell):
                    committed.append(tell)
                    fired.formUnion(transaction.signals)
                case .failure(let error):
                    refused.append((write, error))
                }
            }
            try connection.commit()
        } catch {
            if connection.isInsideTransaction { try? connection.rollback() }
            let reason = StoreError.translate(error)
            for write in batch { write.fail(reason) }
            return
        }
        signals.fire(fired)
        for tell in committed { tell() }
        for (write, error) in refused { write.fail(error) }
    }

    /// A failure affects only this writer, whose work is undone. A thrown error ends the whole batch.
    private func isolated(
        _ write: PendingWrite, _ transaction: Transaction, on connection: GRDB.Database
    ) throws -> Result<@Sendable () -> Void, any Error> {
        try connection.cachedStatement(sql: "SAVEPOINT writer").execute()
        let result = Result { try write.perform(transaction) }
        // SQLite itself rolls the whole transaction back after some errors, such as a full disk.
        guard connection.isInsideTransaction else {
            if case .failure(let error) = result { throw error }
            throw StoreError(.other, "the transaction was rolled back")
        }
        if case .failure = result {
            try connection.cachedStatement(sql: "ROLLBACK TO SAVEPOINT writer").execute()
        }
        try connection.cachedStatement(sql: "RELEASE SAVEPOINT writer").execute()
        return result
    }
}
