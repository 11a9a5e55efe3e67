/// Gives out turns, so many a second, to those who are ready to wait for theirs.
actor Pace {
    private let interval: Duration
    private var next = ContinuousClock.now

    init(perSecond: Double) { interval = .seconds(1 / perSecond) }

    /// Waits for one's turn; false at once when it would take longer than `limit`.
    ///
    /// Nobody can take a turn from whoever waits for it, so the queue is no longer than the limit.
    func turn(within limit: Duration) async throws -> Bool {
        let now = ContinuousClock.now
        let mine = max(now, next)
        guard mine - now <= limit else { return false }
        next = mine + interval
        if mine > now { try await Task.sleep(until: mine, clock: .continuous) }
        return true
    }
}
