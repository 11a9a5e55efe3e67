import Contracts
import Synchronization

/// Wakes the one task that waits; a call while nobody waits is kept for the next who does.
final class Wake: Sendable {
    private struct State {
        var isCalled = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    func call() {
        let waiter = state.withLock { state in
            state.isCalled = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume(returning: true)
    }

    /// Returns when called, after the limit, or when the task is cancelled; whether it was called.
    @discardableResult
    func wait(atMost limit: Duration?) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.wait() }
            if let limit {
                group.addTask {
                    try? await Task.sleep(for: limit)
                    return false
                }
            }
            var isCalled = false
            for await result in group {
                isCalled = isCalled || result
                group.cancelAll()
            }
            return isCalled
        }
    }

    private func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = state.withLock { state in
                    if state.isCalled || Task.isCancelled {
                        defer { state.isCalled = false }
                        return state.isCalled
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

/// The areas that this process has heard of, each with the wake of its loop.
final class Areas: Sendable {
    /// Far above what one process can serve.
    static let most = 10_000

    private let wakes = Mutex<[ServiceAreaID: Wake]>([:])
    private let continuation: AsyncStream<(ServiceAreaID, Wake)>.Continuation
    /// Each area once, for the one who starts its loop.
    let discovered: AsyncStream<(ServiceAreaID, Wake)>

    init() {
        (discovered, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.most))
    }

    /// Something may be decided there now.
    func call(_ area: ServiceAreaID) {
        let (wake, isNew) = wakes.withLock { wakes in
            if let wake = wakes[area] { return (wake, false) }
            let wake = Wake()
            wakes[area] = wake
            return (wake, true)
        }
        if isNew { continuation.yield((area, wake)) }
        wake.call()
    }
}
