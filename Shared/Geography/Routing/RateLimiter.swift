/// Spreads requests evenly over time, for callers that can wait.
actor RateLimiter {
    private let interval: Duration
    private var next = ContinuousClock.now

    init(perSecond: Double) { interval = .seconds(1 / perSecond) }

    /// Waits until the next request may be sent. Returns false at once if that takes longer than `limit`.
    ///
    /// A place in the queue can't be passed on, so the queue is never longer than the limit.
    func turn(within limit: Duration) async throws -> Bool {
        let now = ContinuousClock.now
        let mine = max(now, next)
        guard mine - now <= limit else { return false }
        next = mine + interval
        if mine > now { try await Task.sleep(until: mine, clock: .continuous) }
        return true
    }
}
