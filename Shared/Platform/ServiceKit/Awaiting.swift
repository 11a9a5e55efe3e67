import ServiceLifecycle
import Store

extension Database {
    /// Calls `look` now and after each of the signals, until it finds something. Nil when the time is over or the
    /// service stops.
    ///
    /// A signal from another process may be lost, so there is one last look before it gives up.
    public func awaiting<T: Sendable>(
        _ signal: String, within limit: Duration,
        _ look: @escaping @Sendable (Transaction) throws -> T?
    ) async throws -> T? {
        // Listen before the first look, so that nothing is missed between the two.
        let stream = signals(signal)
        if let found = try await read(look) { return found }
        guard limit > .zero else { return nil }
        let found = try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { [self] in
                for await _ in stream {
                    if let found = try await read(look) { return found }
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            group.addTask {
                try? await gracefulShutdown()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        if let found { return found }
        return try await read(look)
    }
}

/// Something took longer than it may.
public struct TimedOut: Error {
    public init() {}
}

/// The answer of `body` if it comes within the limit. Otherwise cancels `body`, waits for it to end and throws
/// `TimedOut`. For blocking calls use `BlockingExecutor.run`.
public func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw TimedOut() }
        return value
    }
}
