import Synchronization

/// Opens connections. While the server is unavailable it fails at once, and tries it only now and then.
final class PostgresOpener: Sendable {
    private static let firstPause: Duration = .milliseconds(25)
    private static let longestPause: Duration = .seconds(1)

    private struct State {
        var failures = 0
        var lastFailure: StoreError?
        var retryTime = ContinuousClock.now
    }

    let address: PostgresAddress
    let database: String
    /// Number of open connections.
    let open = Atomic(0)
    private let state = Mutex(State())

    init(_ address: PostgresAddress, _ database: String) {
        self.address = address
        self.database = database
    }

    func connection() throws -> PostgresConnection {
        let failure = state.withLock { state in
            ContinuousClock.now < state.retryTime ? state.lastFailure : nil
        }
        if let failure { throw failure }
        do {
            let connection = try PostgresConnection(address, database: database)
            open.add(1, ordering: .relaxed)
            connection.onClose = { [self] in open.subtract(1, ordering: .relaxed) }
            state.withLock { $0 = State() }
            return connection
        } catch let error as StoreError {
            state.withLock { state in
                // Callers that tried at the same time failed together.
                if state.lastFailure != nil, ContinuousClock.now < state.retryTime { return }
                let pause = Self.firstPause * (1 << min(state.failures, 10))
                state.failures += 1
                state.lastFailure = error
                state.retryTime = .now + min(pause, Self.longestPause)
            }
            throw error
        }
    }
}
