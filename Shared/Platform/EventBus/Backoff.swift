import ServiceLifecycle

/// How long to wait before the next try: twice as long each time, up to a limit, never in step.
struct Backoff {
    let first: Duration
    let most: Duration
    private(set) var failures = 0

    init(first: Duration, most: Duration) {
        self.first = first
        self.most = most
    }

    mutating func reset() { failures = 0 }

    /// Half of the time is fixed, half is chance.
    mutating func next() -> Duration {
        let doublings = min(failures, 20)
        failures += 1
        let whole = min(most, first * (1 << doublings))
        return whole / 2 + whole / 2 * Double.random(in: 0...1)
    }

    /// Waits, but not longer than we run.
    mutating func wait() async {
        let time = next()
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: time) }
    }
}

/// Whether this task was asked to stop, in either way.
var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }
