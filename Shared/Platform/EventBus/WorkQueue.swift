import Contracts
import Foundation
import Logging
import ServiceLifecycle
import Store

/// Scheduled work, one row each. A process leases the rows that it takes and renews the lease while it works on them,
/// a failed row is retried after a growing pause, and no row delays the others.
///
/// Work may be done twice, if a process dies between doing it and recording it, so it must be safe to repeat.
public struct WorkQueue: Service {
    public enum Outcome: Sendable {
        /// Deletes the row, unless it was rescheduled meanwhile.
        case done
        /// Not settled yet: try again after the next pause.
        case again
    }

    public typealias Handler = @Sendable (_ subject: String) async throws -> Outcome

    /// The pauses of a failed row in seconds; each is twice as long as the one before.
    public struct Pauses: Sendable {
        public var first: TimeInterval
        public var most: TimeInterval

        public init(first: TimeInterval = 1, most: TimeInterval = 300) {
            self.first = first
            self.most = most
        }

        func pause(after attempts: Int) -> TimeInterval {
            min(most, first * Double(1 << min(max(0, attempts - 1), 20)))
        }
    }

    /// Rows that a process takes at a time.
    static let batch = 100
    /// Rows that a process works on concurrently.
    static let width = 8
    /// How long a process leases a row, in seconds: how long a row waits whose process has died. Not a whole number, as
    /// other pauses are: a row whose time is no longer the end of its lease was rescheduled.
    static let lease: TimeInterval = 20.5
    /// How often a lease is renewed.
    static let renewal: Duration = .seconds(5)
    /// Maximum time between two rounds.
    static let interval: Duration = .seconds(5)
    /// Minimum time between two rounds, however often rows are added.
    static let shortestInterval: Duration = .milliseconds(100)

    public static let migrations = [
        Migration(
            "work-1",
            """
            CREATE TABLE work (
                kind TEXT NOT NULL,
                subject TEXT NOT NULL,
                due_at BIGINT NOT NULL,
                attempts BIGINT NOT NULL,
                PRIMARY KEY (kind, subject))
            """,
            "CREATE INDEX work_due ON work (due_at)")
    ]

    static let signal = "work"

    private let database: Database
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let pauses: Pauses
    private let handlers: [String: Handler]

    /// - Parameter handlers: The handler of each kind of row.
    public init(
        _ database: Database, now: @escaping @Sendable () -> Date, logger: Logger,
        pauses: Pauses = Pauses(), handlers: [String: Handler]
    ) {
        self.database = database
        self.now = now
        self.logger = logger
        self.pauses = pauses
        self.handlers = handlers
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Listen before the round, with a new stream each time: a stream ends with its reader's task.
                let signals = database.signals(Self.signal)
                await round()
                await next(signals)
            }
        }
    }

    private func next(_ signals: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: Self.interval) }
            group.addTask {
                for await _ in signals {
                    try? await Task.sleep(for: Self.shortestInterval)
                    return
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Work that is done once, with the subject that `read` returns.
    public static func once<Subject: Sendable>(
        _ read: @escaping @Sendable (String) -> Subject?,
        _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> Handler {
        until(read) {
            try await body($0)
            return .done
        }
    }

    /// Work that is repeated until it is settled.
    public static func until<Subject: Sendable>(
        _ read: @escaping @Sendable (String) -> Subject?,
        _ body: @escaping @Sendable (Subject) async throws -> Outcome
    ) -> Handler {
        { subject in
            guard let subject = read(subject) else { return .done }
            return try await body(subject)
        }
    }

    /// Does everything that is due.
    public func round() async {
        let start = now()
        while !Task.isCancelled {
            do {
                let rows = try await take(dueAt: start)
                await withTaskGroup(of: Void.self) { group in
                    for (index, row) in rows.enumerated() {
                        if index >= Self.width { await group.next() }
                        group.addTask { await handle(row) }
                    }
                }
                if rows.count < Self.batch { return }
            } catch {
                logger.warning(
                    "due work could not be claimed",
                    metadata: ["error": "\(loggable(error))"])
                return
            }
        }
    }

    private struct Taken: Sendable {
        let kind: String
        let subject: String
        let attempts: Int
        var leasedUntil: Date
    }

    private enum Wake: Sendable {
        case ended(isDone: Bool)
        case renewal
    }

    private func take(dueAt start: Date) async throws -> [Taken] {
        let until = now().addingTimeInterval(Self.lease)
        let kinds = handlers.keys.sorted()
        return try await database.write { transaction in
            // Rows of other kinds are for a process of another release on the same database.
            let due = try transaction.rows(
                """
                SELECT kind, subject, attempts FROM work
                WHERE due_at <= ? AND kind IN (\(transaction.marks(kinds.count)))
                ORDER BY due_at LIMIT ?
                """, arguments: [start] + kinds.map { $0 } + [Self.batch])
            return try due.compactMap { row in
                let row = Taken(
                    kind: try row.get("kind"), subject: try row.get("subject"),
                    attempts: try row.get("attempts", as: Int.self) + 1, leasedUntil: until)
                let changed = try transaction.execute(
                    """
                    UPDATE work SET due_at = ?, attempts = ?
                    WHERE kind = ? AND subject = ? AND due_at <= ?
                    """, until, row.attempts, row.kind, row.subject, start)
                return changed == 1 ? row : nil
            }
        }
    }

    private func handle(_ taken: Taken) async {
        // Rows before it may have taken so long that another process has it.
        guard now() < taken.leasedUntil else { return }
        let (isDone, row) = await withTaskGroup(of: Wake.self) { group in
            var row = taken
            group.addTask { .ended(isDone: await finishes(taken)) }
            group.addTask { await Self.nextRenewal() }
            for await wake in group {
                if case .ended(let isDone) = wake {
                    group.cancelAll()
                    return (isDone, row)
                }
                if Task.isCancelled { continue }
                await renew(&row)
                group.addTask { await Self.nextRenewal() }
            }
            return (false, row)
        }
        await store(isDone, row)
    }

    private func finishes(_ row: Taken) async -> Bool {
        do {
            guard let handler = handlers[row.kind] else {
                throw StoreError(.decoding, "work.kind")
            }
            return try await handler(row.subject) == .done
        } catch {
            logger.info(
                "work failed; retrying later",
                metadata: [
                    "kind": "\(row.kind)", "attempts": "\(row.attempts)",
                    "error": "\(loggable(error))",
                ])
            return false
        }
    }

    private static func nextRenewal() async -> Wake {
        try? await Task.sleep(for: renewal)
        return .renewal
    }

    private func renew(_ row: inout Taken) async {
        let (old, until) = (row, now().addingTimeInterval(Self.lease))
        let isOurs = try? await database.write { transaction in
            try transaction.execute(
                "UPDATE work SET due_at = ? WHERE kind = ? AND subject = ? AND due_at = ?",
                until, old.kind, old.subject, old.leasedUntil) == 1
        }
        if isOurs == true { row.leasedUntil = until }
    }

    /// Tries for as long as the lease lasts: the database may have gone in the middle of the work.
    private func store(_ isDone: Bool, _ row: Taken) async {
        let end = ContinuousClock.now + .seconds(Self.lease)
        var backoff = Backoff(first: .milliseconds(100), most: .seconds(2))
        while true {
            let next = now().addingTimeInterval(max(0.001, pauses.pause(after: row.attempts)))
            do {
                _ = try await database.write { transaction in
                    // A row that was rescheduled meanwhile is no longer ours.
                    let sql =
                        isDone
                        ? "DELETE FROM work WHERE kind = ? AND subject = ? AND due_at = ?"
                        : "UPDATE work SET due_at = ? WHERE kind = ? AND subject = ? AND due_at = ?"
                    return try transaction.execute(
                        sql,
                        arguments: (isDone ? [] : [next])
                            + [row.kind, row.subject, row.leasedUntil])
                }
                return
            } catch {
                guard !isStopping, .now < end else {
                    return logger.warning(
                        "the result of work could not be stored; its lease has to end first",
                        metadata: ["kind": "\(row.kind)", "error": "\(loggable(error))"])
                }
                await backoff.wait()
            }
        }
    }
}

extension Transaction {
    /// Schedules a row; an existing one is moved to this time and counts as new.
    public func schedule(_ kind: String, _ subject: some CustomStringConvertible, at time: Date)
        throws
    {
        try execute(
            """
            INSERT INTO work (kind, subject, due_at, attempts) VALUES (?, ?, ?, 0)
            ON CONFLICT (kind, subject) DO UPDATE SET due_at = excluded.due_at, attempts = 0
            """, kind, subject.description, time)
        signal(WorkQueue.signal)
    }

    /// Moves a row to an earlier time, unless it was already tried.
    public func hasten(_ kind: String, _ subject: some CustomStringConvertible, to time: Date)
        throws
    {
        try execute(
            """
            UPDATE work SET due_at = ? WHERE kind = ? AND subject = ? AND attempts = 0 AND due_at > ?
            """, time, kind, subject.description, time)
        signal(WorkQueue.signal)
    }

    /// Deletes a row whose work is no longer needed.
    public func unschedule(_ kind: String, _ subject: some CustomStringConvertible) throws {
        try execute(
            "DELETE FROM work WHERE kind = ? AND subject = ?", kind, subject.description)
    }
}
