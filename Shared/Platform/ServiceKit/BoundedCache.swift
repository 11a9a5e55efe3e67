import Foundation
import Synchronization

/// Remembers so many values for so long.
public final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let at: Date
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// When what no longer counts was last removed.
        var clearedAt = Date.distantPast
    }

    private let most: Int
    private let seconds: Double
    private let state = Mutex(State())

    public init(most: Int, seconds: Double) {
        self.most = most
        self.seconds = seconds
    }

    /// The value with the time at which it was kept.
    public func value(of key: Key, at now: Date) -> (value: Value, at: Date)? {
        state.withLock { state in
            guard let entry = state.entries[key], isFresh(entry, now) else { return nil }
            return (entry.value, entry.at)
        }
    }

    public func keep(_ value: Value, of key: Key, at now: Date) {
        state.withLock { state in
            let isFull = state.entries[key] == nil && state.entries.count >= most
            if isFull || abs(now.timeIntervalSince(state.clearedAt)) >= seconds {
                state.entries = state.entries.filter { isFresh($0.value, now) }
                state.clearedAt = now
            }
            // Looked for only when it is full of what still counts.
            if isFull, state.entries.count >= most,
                let oldest = state.entries.min(by: { $0.value.at < $1.value.at })?.key
            {
                state.entries[oldest] = nil
            }
            state.entries[key] = Entry(value: value, at: now)
        }
    }

    /// A clock that was set back makes nothing last for ever.
    private func isFresh(_ entry: Entry, _ now: Date) -> Bool {
        abs(now.timeIntervalSince(entry.at)) < seconds
    }
}
