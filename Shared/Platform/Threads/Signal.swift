import Synchronization

/// Wakes the one task that waits. A signal raised while nobody waits is kept for the next wait.
public final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    public init() {}

    public func raise() {
        let waiter = state.withLock { state in
            state.isRaised = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume(returning: true)
    }

    /// Whether it was raised within the time. Throws if the task is cancelled.
    @discardableResult
    public func wait(upTo limit: Duration) async throws -> Bool {
        let isRaised = await isRaised(within: limit)
        try Task.checkCancellation()
        return isRaised
    }

    /// Returns when it is raised, after the limit, or when the task is cancelled. The result says whether it was
    /// raised.
    @discardableResult
    public func isRaised(within limit: Duration?) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.next() }
            if let limit {
                group.addTask {
                    try? await Task.sleep(for: limit)
                    return false
                }
            }
            // A signal raised between the end of the time and now counts, too.
            var isRaised = false
            for await result in group {
                isRaised = isRaised || result
                group.cancelAll()
            }
            return isRaised
        }
    }

    /// False if the task was cancelled.
    private func next() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = state.withLock { state in
                    if state.isRaised || Task.isCancelled {
                        defer { state.isRaised = false }
                        return state.isRaised
                    }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume(returning: false)
        }
    }
}
