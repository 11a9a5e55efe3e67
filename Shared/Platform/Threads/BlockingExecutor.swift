import Dispatch
import Synchronization

/// Runs an actor on its own thread, so that a blocking C call never occupies a thread of the cooperative pool.
public final class BlockingExecutor: SerialExecutor {
    /// Maximum number of calls of `run` that may wait for the thread.
    public static let mostWaiting = 64

    private let queue: DispatchQueue
    private let waiting = Mutex(0)

    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Runs `work` on the thread, after what waits there, and returns at once.
    public func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs `work` on the thread and returns its result within the limit. Throws `TooSlow` after the limit, or if too
    /// many calls are waiting. A blocking call that has begun continues to its end; one that has not is dropped.
    public func run<Value: Sendable>(
        within limit: DispatchTimeInterval, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let isFull = waiting.withLock { waiting in
            if waiting < Self.mostWaiting { waiting += 1 } else { return true }
            return false
        }
        if isFull { throw TooSlow() }
        return try await withCheckedThrowingContinuation { continuation in
            let caller = Caller(continuation)
            queue.async { [self] in
                if caller.isWaiting { caller.resume(Result { try work() }) }
                waiting.withLock { $0 -= 1 }
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
                caller.resume(.failure(TooSlow()))
            }
        }
    }

    /// A caller that is answered once.
    private final class Caller<Value: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

        init(_ continuation: CheckedContinuation<Value, any Error>) {
            self.continuation = Mutex(continuation)
        }

        var isWaiting: Bool { continuation.withLock { $0 != nil } }

        func resume(_ result: Result<Value, any Error>) {
            continuation.withLock { $0.take() }?.resume(with: result)
        }
    }
}

/// Blocking work took longer than its caller allowed.
public struct TooSlow: Error {
    public init() {}
}
