import Dispatch
import Synchronization

/// A few sessions. Each transaction has one to itself, in the order of arrival. Connections are opened when they are
/// needed, and closed when nobody has used them for a while.
final class PostgresPool: Sendable {
    /// Maximum number of waiting transactions; further ones fail with `busy`.
    static let mostWaiting = 4_096
    /// A transaction that has waited longer fails with `busy`: its client has given up.
    static let longestWait: Duration = .seconds(8)
    /// A connection that was idle for this long is closed.
    static let idleTime: Duration = .seconds(60)

    private struct Waiter {
        let continuation: CheckedContinuation<PostgresSession, any Error>
        let deadline: ContinuousClock.Instant
    }

    private struct IdleSession {
        let session: PostgresSession
        /// Since when its connection is idle; nil if it has none.
        let since: ContinuousClock.Instant?
    }

    private struct State {
        /// The last one was used last; those without a connection come first.
        var idle: [IdleSession]
        var busy = 0
        var waiting: [Waiter] = []
        var isClosed = false
        var whenIdle: CheckedContinuation<Void, Never>?
        /// Whether a look at the waiters, and at idle connections, is due.
        var watchesWaiters = false
        var watchesIdle = false
    }

    private let state: Mutex<State>
    private let longestWait: Duration
    private let idleTime: Duration

    init(
        _ opener: PostgresOpener, sessions: Int, longestWait: Duration = PostgresPool.longestWait,
        idleTime: Duration = PostgresPool.idleTime
    ) {
        let idle = (0..<sessions).map { _ in
            IdleSession(session: PostgresSession(opener), since: nil)
        }
        state = Mutex(State(idle: idle))
        self.longestWait = longestWait
        self.idleTime = idleTime
    }

    var busy: Int { state.withLock { $0.busy } }

    var waiting: Int { state.withLock { $0.waiting.count } }

    func with<T: Sendable>(
        _ work: @Sendable (PostgresSession) async throws -> T
    ) async throws -> T {
        let session = try await take()
        defer { giveBack(session, usedAt: .now) }
        return try await work(session)
    }

    /// Refuses new transactions, and returns once all waiting ones are served.
    func close() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.busy > 0 { state.whenIdle = continuation }
                return state.busy == 0
            }
            if isIdle { continuation.resume() }
        }
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for one in idle { await one.session.close() }
    }

    private func take() async throws -> PostgresSession {
        try await withCheckedThrowingContinuation { continuation in
            var isFirst = false
            let result: Result<PostgresSession, any Error>? = state.withLock { state in
                if state.isClosed {
                    return .failure(StoreError(.other, "the database is closed"))
                }
                if let idle = state.idle.popLast() {
                    state.busy += 1
                    return .success(idle.session)
                }
                guard state.waiting.count < Self.mostWaiting else {
                    return .failure(StoreError(.busy, "too many wait for the database"))
                }
                state.waiting.append(
                    Waiter(continuation: continuation, deadline: .now + longestWait))
                isFirst = !state.watchesWaiters
                state.watchesWaiters = true
                return nil
            }
            if isFirst { after(longestWait) { $0.refuseLate() } }
            if let result { continuation.resume(with: result) }
        }
    }

    /// `usedAt` is nil if its connection is closed.
    private func giveBack(_ session: PostgresSession, usedAt: ContinuousClock.Instant?) {
        var isFirst = false
        let (next, whenIdle) = state.withLock { state in
            if !state.waiting.isEmpty {
                return (
                    state.waiting.removeFirst() as Waiter?,
                    nil as CheckedContinuation<Void, Never>?
                )
            }
            let idle = IdleSession(session: session, since: usedAt)
            state.idle.insert(idle, at: usedAt == nil ? 0 : state.idle.count)
            if usedAt != nil {
                isFirst = !state.watchesIdle
                state.watchesIdle = true
            }
            state.busy -= 1
            guard state.busy == 0 else { return (nil, nil) }
            defer { state.whenIdle = nil }
            return (nil, state.whenIdle)
        }
        if isFirst { after(idleTime) { $0.closeIdle() } }
        next?.continuation.resume(returning: session)
        whenIdle?.resume()
    }

    /// Refuses transactions that have waited too long. Looks again while others wait.
    private func refuseLate() {
        let (late, next) = state.withLock { state in
            let late = state.waiting.prefix { $0.deadline <= .now }
            state.waiting.removeFirst(late.count)
            let next = state.waiting.first?.deadline
            state.watchesWaiters = next != nil
            return (late, next)
        }
        for waiter in late {
            waiter.continuation.resume(
                throwing: StoreError(.busy, "the database has no connection left"))
        }
        if let next { after(ContinuousClock.now.duration(to: next)) { $0.refuseLate() } }
    }

    /// Closes connections that were idle for too long. Looks again while others are open.
    private func closeIdle() {
        let limit = ContinuousClock.now - idleTime
        func isOld(_ idle: IdleSession) -> Bool { idle.since.map { $0 <= limit } ?? false }
        let (old, next) = state.withLock { state in
            let old = state.idle.filter(isOld)
            state.idle.removeAll(where: isOld)
            // Nobody gets a session while it closes.
            state.busy += old.count
            let next = state.idle.compactMap(\.since).min()
            state.watchesIdle = next != nil
            return (old, next)
        }
        for idle in old {
            idle.session.close(then: { [weak self] in self?.giveBack(idle.session, usedAt: nil) })
        }
        if let next { after(ContinuousClock.now.duration(to: next + idleTime)) { $0.closeIdle() } }
    }

    /// Runs it after a time, if the pool still exists.
    private func after(_ time: Duration, _ work: @escaping @Sendable (PostgresPool) -> Void) {
        let (seconds, attoseconds) = time.components
        let nanoseconds = max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
            [weak self] in
            if let self { work(self) }
        }
    }
}
