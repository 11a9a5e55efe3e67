import Dispatch
import Synchronization

/// Runs an actor on a thread of its own, so that a blocking C call never holds a thread of the
/// cooperative pool.
public final class BlockingExecutor: SerialExecutor {
    /// Calls that `run` lets wait for the thread.
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

    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// What `work`, on the thread, answers within the limit. After it, and where too many wait already, `TooSlow` is
    /// thrown: a blocking call goes on by itself until it ends, and what has not begun is not done.
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

    /// Is answered once.
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

/// Blocking work took longer than its caller may wait.
public struct TooSlow: Error {
    public init() {}
}
