import Contracts
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Collects positions while a call to location is in progress, and sends them together in the next one.
///
/// The call through the gateway is the most expensive part of a position, and most of its cost is per call. So the
/// batches grow with the load, while a single position is sent at once. Each sender still waits for their own result.
final class PositionGatherer: Service {
    /// The most positions in one call.
    static let mostEntries = 200
    /// Concurrent calls: location works on one while we read the answer of another.
    static let mostCalls = 2
    /// The most positions that wait for a call; more are refused with 503.
    static let mostWaiting = 4_000

    typealias Outcome = PositionBatchAnswer.Outcome
    typealias Send = @Sendable (PositionBatch) async throws -> PositionBatchAnswer

    private struct Waiting {
        let entry: PositionBatch.Entry
        let sender: CheckedContinuation<Result<Outcome, any Error>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isOpen = true
    }

    private let send: Send
    private let mostWaiting: Int
    private let state = Mutex(State())
    /// Signals something to send; one pending signal is enough.
    private let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(mostWaiting: Int = PositionGatherer.mostWaiting, send: @escaping Send) {
        self.mostWaiting = mostWaiting
        self.send = send
    }

    /// Returns when location has judged this position. Throws `Refusal.unavailable` if it can't.
    func record(_ entry: PositionBatch.Entry) async throws -> Outcome {
        try await withCheckedContinuation { sender in
            if !enqueue(Waiting(entry: entry, sender: sender)) {
                sender.resume(
                    returning: .failure(
                        Refusal.unavailable("Too many positions at once.", retryAfterSeconds: 1)))
            }
        }.get()
    }

    private func enqueue(_ one: Waiting) -> Bool {
        let count: Int? = state.withLock { state in
            guard state.isOpen, state.waiting.count < mostWaiting else { return nil }
            state.waiting.append(one)
            return state.waiting.count
        }
        if count == 1 { signals.continuation.yield() }
        return count != nil
    }

    func run() async {
        await cancelWhenGracefulShutdown { await self.sendUntilCancelled() }
        let left = state.withLock { state in
            state.isOpen = false
            defer { state.waiting = [] }
            return state.waiting
        }
        fail(left)
    }

    private func sendUntilCancelled() async {
        await withTaskGroup(of: Void.self) { calls in
            var underWay = 0
            for await _ in signals.stream {
                while hasWaiting {
                    if underWay == Self.mostCalls {
                        await calls.next()
                        underWay -= 1
                    }
                    // Taken only now, so that it includes what arrived while we waited for a call to end.
                    guard let batch = nextBatch() else { break }
                    underWay += 1
                    calls.addTask { await self.deliver(batch) }
                }
            }
        }
    }

    private var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    private func nextBatch() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let batch = Array(state.waiting.prefix(Self.mostEntries))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }

    private func deliver(_ batch: [Waiting]) async {
        do {
            let answer = try await send(PositionBatch(entries: batch.map(\.entry)))
            guard answer.outcomes.count == batch.count else { return fail(batch) }
            for (one, outcome) in zip(batch, answer.outcomes) {
                one.sender.resume(returning: .success(outcome))
            }
        } catch {
            fail(batch)
        }
    }

    private func fail(_ batch: [Waiting]) {
        let error = Refusal.unavailable(
            "We can't store positions at the moment.", retryAfterSeconds: 1)
        for one in batch { one.sender.resume(returning: .failure(error)) }
    }
}
