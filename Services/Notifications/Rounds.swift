import Foundation
import ServiceKit
import ServiceLifecycle
import Store

/// Work that is stored until it is done, taken up in rounds: when a signal says that there is some, and
/// when the next piece is due. Of the processes that share the database, the one that leads does it.
struct Rounds: Sendable {
    /// Longest time between two rounds.
    static let interval: Duration = .seconds(30)
    /// Shortest time between two rounds that no signal caused.
    static let shortestPause: Duration = .milliseconds(50)

    let database: Database
    let clock: ServiceClock
    let signal: String

    /// Runs rounds, which answer when the next piece of work is due. A stop lets a round end, and only
    /// cuts the waiting short.
    func run(_ round: () async -> Date?) async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let signals = database.signals(signal)
            // Who comes to lead is woken.
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
