import Contracts
import EventBus
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Fills a service's copies from their owners when it starts with nothing, and keeps it unready until they are whole.
///
/// It asks each owner over HTTP, page by page, and passes each event to its reaction. Events from the bus may arrive at
/// the same time, in any order: versions decide. An owner that doesn't answer is asked again, after a growing pause.
struct CopyFiller: Service {
    /// Events that are handled at the same time.
    static let atOnce = 8
    static let firstPause: Duration = .milliseconds(100)
    static let longestPause: Duration = .seconds(5)
    /// The time between two questions to an owner of an earlier release, which can't tell.
    static let releasePause: Duration = .seconds(60)

    let kinds: [StateKind]
    let owners: [ServiceAddress]
    let peer: @Sendable (ServiceAddress) -> Peer
    let reactions: Reactions
    let marks: any CopyMarks
    /// Whether this process fills, rather than another one with the same copies.
    let leads: @Sendable () -> Bool
    let clock: ServiceClock
    let logger: Logger
    /// For this time the process that leads is given to fill; it may be of an earlier release, which can't.
    var leaderTime: Duration = .seconds(10)
    let status = CopyStatus()

    func run() async {
        await cancelWhenGracefulShutdown { await keepFilled() }
        try? await gracefulShutdown()
    }

    private func keepFilled() async {
        var pause = Self.firstPause
        // When owners of an earlier release are asked again.
        var again = ContinuousClock.now
        var waitsSince: ContinuousClock.Instant?
        while !Task.isCancelled {
            do {
                let gaps = try await marks.gaps(in: kinds)
                status.set(gaps)
                if gaps.isEmpty, marks.lookPause == nil { return }
                let due = gaps.filter { $0.isUrgent || ContinuousClock.now >= again }
                if due.isEmpty {
                    (pause, waitsSince) = (Self.firstPause, nil)
                    try await Task.sleep(for: marks.lookPause ?? Self.longestPause)
                    continue
                }
                // Before one leads, too: events that arrive meanwhile would make the copies look current.
                try await marks.begin(due)
                let since = waitsSince ?? .now
                waitsSince = since
                if leads() || ContinuousClock.now - since > leaderTime {
                    if try await !fill(due) { again = .now + Self.releasePause }
                    continue
                }
            } catch {
                logger.notice(
                    "copies are not whole yet", metadata: ["reason": "\(loggable(error))"])
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// False if an owner can't tell one of the kinds.
    private func fill(_ gaps: [CopyGap]) async throws -> Bool {
        var (filled, untold): ([StateKind], [StateKind]) = ([], [])
        for gap in gaps {
            if try await fill(gap.kind) { filled.append(gap.kind) } else { untold.append(gap.kind) }
        }
        try await marks.finish(filled)
        try await marks.skip(untold)
        return untold.isEmpty
    }

    private func fill(_ kind: StateKind) async throws -> Bool {
        let tellers = allServices.filter { $0.tells.contains(kind) }.map(\.name)
        var count = 0
        for owner in owners where tellers.contains(owner.service) {
            do {
                count += try await fill(kind, from: owner)
            } catch Peer.Failure.refused(let problem) where problem.status == 404 {
                logger.notice(
                    "an owner can't tell its state",
                    metadata: ["owner": "\(owner.service)", "kind": "\(kind)"])
                return false
            }
        }
        logger.info("copies are filled", metadata: ["kind": "\(kind)", "events": "\(count)"])
        return true
    }

    private func fill(_ kind: StateKind, from owner: ServiceAddress) async throws -> Int {
        let peer = peer(owner)
        var (query, count) = (StateQuery(kind), 0)
        while true {
            let page = try await peer(InternalEndpoints.state(asks: query))
            let outcomes = await page.items.concurrentMap(atOnce: Self.atOnce) { told in
                await Result { try await take(told, of: kind, from: owner.service) }
            }
            for outcome in outcomes { try outcome.get() }
            count += page.items.count
            guard let next = page.next else { return count }
            query.after = next
        }
    }

    /// An event that can't be handled is left out, as on the bus; throws only what may pass.
    private func take(_ told: ToldEvent, of kind: StateKind, from owner: String) async throws {
        guard kind.events.contains(where: { $0.type == told.type }) else { return }
        let envelope = Envelope(
            id: .new(at: clock.now), type: told.type, source: "/\(owner)", time: clock.now,
            subject: told.key)
        do {
            try await reactions.receive(Data(told.body.utf8), Delivery(envelope))
        } catch {
            if Task.isCancelled { throw error }
            if let error = error as? any Retriable, error.isRetriable { throw error }
            logger.error(
                "an event of an owner can't be handled",
                metadata: ["event_type": "\(told.type)", "reason": "\(loggable(error))"])
        }
    }
}

/// The kinds that a service waits for.
final class CopyStatus: Sendable {
    /// Nil before the first look.
    private let missing = Mutex<[StateKind]?>(nil)

    func set(_ gaps: [CopyGap]) {
        missing.withLock { $0 = gaps.filter(\.isUrgent).map(\.kind) }
    }

    /// Throws until nothing is missing.
    func requireWhole() throws {
        guard let missing = missing.withLock(\.self) else {
            throw Refusal.unavailable("The copies of other services' data are not looked at yet.")
        }
        guard missing.isEmpty else {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            throw Refusal.unavailable("The copies of these are not whole yet: \(names).")
        }
    }
}

extension ServiceEnvironment {
    /// Fills the service's copies, and makes it unready until they are whole; nil if it has none, or is not told their
    /// owners.
    ///
    /// `leads` says whether this process fills, if several share the copies.
    public func copyFiller(
        _ reactions: Reactions, _ marks: any CopyMarks,
        leads: @escaping @Sendable () -> Bool = { true }
    ) -> (any Service)? {
        let kinds = allServices.first { $0.name == name }?.copies ?? []
        guard !kinds.isEmpty, !common.stateOwners.isEmpty else { return nil }
        let filler = CopyFiller(
            kinds: kinds, owners: common.stateOwners,
            // A new one each time: its circuit breaker would delay the first answer after a start.
            peer: { peer($0.url, audience: $0.service, within: .seconds(10)) },
            reactions: reactions, marks: marks, leads: leads, clock: clock, logger: logger)
        let status = filler.status
        addCheck(HealthCheck("copies") { try status.requireWhole() })
        return filler
    }
}
