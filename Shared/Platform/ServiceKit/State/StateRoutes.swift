import Contracts
import Foundation
import Hummingbird
import Synchronization

/// Tells other services what this one owns, and `openvalet doctor` what it owns and has copies of.
struct StateRoutes: Sendable {
    let sources: [StateSource]
    let copies: [ServiceEnvironment.CopyCounts]
    let clock: ServiceClock
    private let turn = Turn()

    init(
        sources: [StateSource], copies: [ServiceEnvironment.CopyCounts], clock: ServiceClock
    ) {
        (self.sources, self.copies, self.clock) = (sources, copies, clock)
    }

    func add(to router: Router<Context>) {
        router.on(InternalEndpoints.state) { call in
            // People's data are for those that copy them, as on the bus.
            let (asker, kind) = (try call.context.requireService(), call.query.kind)
            guard allServices.contains(where: { $0.name == asker && $0.copies.contains(kind) }),
                let source = sources.first(where: { $0.kind == kind })
            else { throw Refusal.notFound }
            return try await source.page(after: call.query.after)
        }
        router.on(InternalEndpoints.stateReport) { _ in try await report() }
    }

    /// Publishes the present state of everything, once at a time, and returns the number of events.
    func publish() async throws -> Int {
        guard turn.take() else {
            throw Refusal.unavailable("The state is being published already.")
        }
        defer { turn.leave() }
        var events = 0
        for source in sources { events += try await source.publish(at: clock.now) }
        return events
    }

    private func report() async throws -> StateReport {
        var report = StateReport(owned: [], copied: [])
        for source in sources {
            report.owned += try await source.counts().map { $1.count(of: $0) }
        }
        for counts in copies { report.copied += try await counts() }
        return report
    }

    private final class Turn: Sendable {
        private let isTaken = Mutex(false)

        func take() -> Bool {
            isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
        }

        func leave() { isTaken.withLock { $0 = false } }
    }
}
