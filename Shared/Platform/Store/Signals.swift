import Synchronization

/// The listeners of each signal, by name.
final class Signals: Sendable {
    private struct State {
        var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A busy listener finds one signal waiting, however many were fired meanwhile.
    func stream(_ name: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            if state.isFinished { return nil }
            state.nextID += 1
            state.listeners[name, default: [:]][state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id, name) }
        return stream
    }

    func fire(_ names: Set<String>) {
        guard !names.isEmpty else { return }
        let woken = state.withLock { state in
            names.flatMap { state.listeners[$0].map { Array($0.values) } ?? [] }
        }
        for continuation in woken { continuation.yield() }
    }

    /// Wakes all listeners: something may have been missed.
    func fireAll() {
        let names = state.withLock { Set($0.listeners.keys) }
        fire(names)
    }

    /// Ends all streams, now and in future.
    func finish() {
        let all = state.withLock { state in
            defer { state.listeners = [:] }
            state.isFinished = true
            return state.listeners.values.flatMap { Array($0.values) }
        }
        for continuation in all { continuation.finish() }
    }

    private func remove(_ id: Int, _ name: String) {
        state.withLock { state in
            state.listeners[name]?[id] = nil
            if state.listeners[name]?.isEmpty == true { state.listeners[name] = nil }
        }
    }
}
