import Metrics
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
    /// Several breakers may have the same name.
    private let open: Meter?

    /// Opens for `pause` after `threshold` failures in a row.
    ///
    /// - Parameter name: Name of the peer in the metrics; nil for a breaker that they leave out.
    public init(_ name: String? = nil, threshold: Int = 5, pause: Duration = .seconds(1)) {
        self.threshold = threshold
        self.pause = pause
        open = name.map {
            Meter(label: "openvalet_peer_circuits_open", dimensions: [("peer", $0)])
        }
    }

    deinit { succeeded() }

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

    public func succeeded() {
        let wasOpen = state.withLock { state in
            defer { state = State() }
            return state.openUntil != nil
        }
        if wasOpen { open?.decrement() }
    }

    /// The caller gave up before the outcome was known, so the next call may be the trial.
    public func abandoned() { state.withLock { $0.isTrying = false } }

    public func failed() {
        let opens = state.withLock { state in
            state.failures += 1
            state.isTrying = false
            guard state.failures >= threshold else { return false }
            defer { state.openUntil = ContinuousClock.now + pause }
            return state.openUntil == nil
        }
        if opens { open?.increment() }
    }
}
