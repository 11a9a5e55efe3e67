import ServiceLifecycle

/// The pause before the next try: it doubles each time up to a limit, with a random part so that processes don't
/// retry in step.
struct Backoff {
    let first: Duration
    let most: Duration
    private(set) var failures = 0

    init(first: Duration, most: Duration) {
        self.first = first
        self.most = most
    }

    mutating func reset() { failures = 0 }

    /// Half of the pause is fixed, half is random.
    mutating func next() -> Duration {
        let doublings = min(failures, 20)
        failures += 1
        let whole = min(most, first * (1 << doublings))
        return whole / 2 + whole / 2 * Double.random(in: 0...1)
    }

    /// Waits, but returns early when the service stops.
    mutating func wait() async {
        let time = next()
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: time) }
    }
}

/// Whether this task was cancelled or the service is shutting down.
var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }
