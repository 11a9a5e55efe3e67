import Synchronization

/// Admits a limited number of readers, and none once it is closed.
final class ReadGate: Sendable {
    private struct State {
        var readers = 0
        var isClosed = false
        var whenEmpty: CheckedContinuation<Void, Never>?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func enter() throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            if state.isClosed { throw StoreError(.other, "the database is closed") }
            guard state.readers < limit else {
                throw StoreError(.busy, "too many readers wait for the database")
            }
            state.readers += 1
        }
    }

    func leave() {
        let waiter = state.withLock { state in
            state.readers -= 1
            guard state.readers == 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.whenEmpty = nil }
            return state.whenEmpty
        }
        waiter?.resume()
    }

    /// Returns once the last reader has left. Call it once.
    func close() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                state.isClosed = true
                if state.readers > 0 { state.whenEmpty = continuation }
                return state.readers == 0
            }
            if isEmpty { continuation.resume() }
        }
    }
}
