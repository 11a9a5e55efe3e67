import Foundation
import Synchronization

/// A cache with a maximum number of values and a maximum age.
public final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let at: Date
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// When expired values were last removed.
        var clearedAt = Date.distantPast
    }

    private let most: Int
    private let seconds: Double
    private let state = Mutex(State())

    public init(most: Int, seconds: Double) {
        self.most = most
        self.seconds = seconds
    }

    /// The value and the time at which it was stored.
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
            // Only when the cache is still full after expired values are removed.
            if isFull, state.entries.count >= most,
                let oldest = state.entries.min(by: { $0.value.at < $1.value.at })?.key
            {
                state.entries[oldest] = nil
            }
            state.entries[key] = Entry(value: value, at: now)
        }
    }

    /// A clock that was set back must not make a value last for ever.
    private func isFresh(_ entry: Entry, _ now: Date) -> Bool {
        abs(now.timeIntervalSince(entry.at)) < seconds
    }
}
