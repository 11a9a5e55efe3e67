import CRdKafka
import Synchronization

typealias DeliveryResult = Result<Int64, KafkaError>

/// A continuation that travels through librdkafka as a message's opaque pointer.
///
/// librdkafka reports each accepted message exactly once: as delivered, timed out or purged.
final class Delivery: Sendable {
    private let complete: @Sendable (DeliveryResult) -> Void

    init(_ complete: @escaping @Sendable (DeliveryResult) -> Void) {
        self.complete = complete
    }

    /// The pointer for librdkafka; `take` must be called for it exactly once.
    func retained() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }

    static func take(_ opaque: UnsafeMutableRawPointer, _ result: DeliveryResult) {
        Unmanaged<Delivery>.fromOpaque(opaque).takeRetainedValue().complete(result)
    }
}

/// Waits for several deliveries, and stores the error of the earliest failed record.
final class DeliveryBatch: Sendable {
    private struct State {
        var outstanding: Int
        var failure: (index: Int, error: KafkaError)?
    }

    private let state: Mutex<State>
    private let done: CheckedContinuation<Result<Void, KafkaError>, Never>

    init(_ count: Int, _ done: CheckedContinuation<Result<Void, KafkaError>, Never>) {
        state = Mutex(State(outstanding: count))
        self.done = done
    }

    func complete(_ index: Int, _ result: DeliveryResult) {
        let outcome: Result<Void, KafkaError>? = state.withLock { state in
            if case .failure(let error) = result, index < state.failure?.index ?? .max {
                state.failure = (index, error)
            }
            state.outstanding -= 1
            guard state.outstanding == 0 else { return nil }
            return state.failure.map { .failure($0.error) } ?? .success(())
        }
        if let outcome { done.resume(returning: outcome) }
    }
}
