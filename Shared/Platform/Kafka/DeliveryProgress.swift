import Synchronization

/// What a producer's deliveries say about its broker. It outlives the producer's handles.
final class DeliveryProgress: Sendable {
    private struct State {
        /// The offset of the latest record of each partition that was stored.
        var offsets: [String: Int64] = [:]
        /// Since when records are waiting and none was delivered.
        var waitingSince: ContinuousClock.Instant?
        var lastAccepted: ContinuousClock.Instant?
    }

    /// Longer than senders pause between retries. After such a gap the waiting time counts from the next record.
    private static let gap: Duration = .seconds(30)

    private let state = Mutex(State())

    func accepted(at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            let isNew = state.lastAccepted.map { now - $0 > Self.gap } ?? true
            if isNew || state.waitingSince == nil { state.waitingSince = now }
            state.lastAccepted = now
        }
    }

    /// Whether the broker has lost records: it stored this one at or before the offset of an earlier one. A loss is
    /// told once, not for each partition.
    func delivered(to partition: String, at offset: Int64) -> Bool {
        state.withLock { state in
            state.waitingSince = nil
            // A repeat that the broker recognised has no offset.
            guard offset >= 0 else { return false }
            let isLoss = state.offsets[partition].map { offset <= $0 } ?? false
            if isLoss { state.offsets = [:] }
            state.offsets[partition] = offset
            return isLoss
        }
    }

    /// Whether nothing was delivered for this time, though records were waiting.
    func isStalled(for time: Duration, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.waitingSince.map { now - $0 >= time } ?? false
        }
    }

    /// Counts from the next record, since the handle is new.
    func restart() { state.withLock { $0.waitingSince = nil } }
}
