import Foundation
import ServiceKit
import ServiceLifecycle
import Store

/// A loop over stored work, run by one of the processes that share a database: the leader. A round starts when a signal
/// reports new work, and when the next piece is due.
struct LeaderLoop: Sendable {
    /// Longest time between two rounds.
    static let interval: Duration = .seconds(30)
    /// Shortest time between two rounds that no signal caused.
    static let shortestPause: Duration = .milliseconds(50)

    let database: Database
    let clock: ServiceClock
    let signal: String

    /// Runs rounds, each of which returns when the next piece of work is due. A stop lets a round finish and only
    /// shortens the wait.
    func run(_ round: () async -> Date?) async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let signals = database.signals(signal)
            // A new leader is woken.
            let next = database.leads ? await round() : nil
            await cancelWhenGracefulShutdown { await wait(until: next, or: signals) }
        }
    }

    private func wait(until next: Date?, or signals: AsyncStream<Void>) async {
        let seconds = next.map { $0.timeIntervalSince(clock.now) } ?? .infinity
        let pause = max(
            Self.shortestPause, min(Self.interval, .seconds(min(seconds, Self.interval.seconds))))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: pause) }
            group.addTask { for await _ in signals { return } }
            await group.next()
            group.cancelAll()
        }
    }
}
