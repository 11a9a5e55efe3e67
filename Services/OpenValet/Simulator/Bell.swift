import Synchronization

/// Wakes one task that waits for something to happen; a ring that nobody waited for is kept.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    func ring() {
        let waiting = state.withLock { state in
            state.isRung = state.waiting == nil
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: true)
    }

    /// True when it rang, false when the time was over.
    @discardableResult
    func wait(upTo limit: Duration) async throws -> Bool {
        let isRung = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.isRung() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            // A ring between the end of the time and now is one, too.
            return await group.reduce(first) { $0 || $1 }
        }
        try Task.checkCancellation()
        return isRung
    }

    /// False when the task was cancelled.
    private func isRung() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Bool? = state.withLock { state in
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    if Task.isCancelled { return false }
                    state.waiting = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(returning: false)
        }
    }
}
