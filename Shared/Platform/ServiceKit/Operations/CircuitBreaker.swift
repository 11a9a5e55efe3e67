import Contracts
import Synchronization

/// Stops calling a peer that fails repeatedly, and tries it once in a while (Nygard, Release It!, 2007).
public final class CircuitBreaker: Sendable {
    private struct State {
        var failures = 0
        var openUntil: ContinuousClock.Instant?
        var isTrying = false
    }

    private let threshold: Int
    private let pause: Duration
    private let state = Mutex(State())

    /// Opens for `pause` after `threshold` failures in a row.
    public init(threshold: Int = 5, pause: Duration = .seconds(1)) {
        self.threshold = threshold
        self.pause = pause
    }

    /// True while calls are refused. Reading it does not use up the trial call.
    public var isOpen: Bool {
        state.withLock { state in
            state.openUntil.map { ContinuousClock.now < $0 || state.isTrying } ?? false
        }
    }

    /// False while open; true for one trial call after the pause.
    public func mayCall() -> Bool {
        state.withLock { state in
            guard let openUntil = state.openUntil else { return true }
            guard ContinuousClock.now >= openUntil, !state.isTrying else { return false }
            state.isTrying = true
            return true
        }
    }

    public func succeeded() { state.withLock { $0 = State() } }

    /// The caller gave up before the outcome was known, so the next call may be the trial.
    public func abandoned() { state.withLock { $0.isTrying = false } }

    public func failed() {
        state.withLock { state in
            state.failures += 1
            state.isTrying = false
            if state.failures >= threshold {
                state.openUntil = ContinuousClock.now + pause
            }
        }
    }
}
