import Synchronization

/// A few sessions. Each transaction has one to itself, in the order of arrival.
final class PostgresPool: Sendable {
    /// Sessions of one process, besides the listener's. A server allows 100 by default, for all services and their
    /// replicas.
    static let sessions = 6
    /// Maximum number of waiting transactions; further ones fail with `busy`.
    static let mostWaiting = 4_096
    /// A transaction that has waited longer fails with `busy`: its client has given up.
    static let longestWait: Duration = .seconds(8)

    private struct Waiter {
        let continuation: CheckedContinuation<PostgresSession, any Error>
        let deadline: ContinuousClock.Instant
    }

    private struct State {
        var idle: [PostgresSession]
        var busy = 0
        var waiting: [Waiter] = []
        var isClosed = false
        var whenIdle: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ opener: PostgresOpener) {
        state = Mutex(State(idle: (0..<Self.sessions).map { _ in PostgresSession(opener) }))
    }

    var waiting: Int { state.withLock { $0.waiting.count } }

    func with<T: Sendable>(
        _ work: @Sendable (PostgresSession) async throws -> T
    ) async throws -> T {
        let session = try await take()
        defer { giveBack(session) }
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
        for session in idle { await session.close() }
    }

    private func take() async throws -> PostgresSession {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<PostgresSession, any Error>? = state.withLock { state in
                if state.isClosed {
                    return .failure(StoreError(.other, "the database is closed"))
                }
                if let session = state.idle.popLast() {
                    state.busy += 1
                    return .success(session)
                }
                guard state.waiting.count < Self.mostWaiting else {
                    return .failure(StoreError(.busy, "too many wait for the database"))
                }
                state.waiting.append(
                    Waiter(continuation: continuation, deadline: .now + Self.longestWait))
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    private func giveBack(_ session: PostgresSession) {
        let (late, next, whenIdle) = state.withLock { state in
            let late = state.waiting.prefix { $0.deadline < .now }
            state.waiting.removeFirst(late.count)
            if !state.waiting.isEmpty {
                return (
                    late, state.waiting.removeFirst() as Waiter?,
                    nil as CheckedContinuation<Void, Never>?
                )
            }
            state.idle.append(session)
            state.busy -= 1
            guard state.busy == 0 else { return (late, nil, nil) }
            defer { state.whenIdle = nil }
            return (late, nil, state.whenIdle)
        }
        for waiter in late {
            waiter.continuation.resume(
                throwing: StoreError(.busy, "the database has no connection left"))
        }
        next?.continuation.resume(returning: session)
        whenIdle?.resume()
    }
}
