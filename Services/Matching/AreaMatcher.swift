import Contracts
import Foundation
import Logging
import Metrics
import Routing
import ServiceKit

/// What the parts of matching share.
struct MatchingParts: Sendable {
    let rules: MatchingRules
    let store: MatchingStore
    let location: Peer
    let roads: Roads
    let announcer: Announcer
    let clock: HouseClock
    let logger: Logger
    let areas = Areas()

    init(
        _ house: House, rules: MatchingRules, store: MatchingStore, location: Peer,
        roads: Roads, announcer: Announcer
    ) {
        self.rules = rules
        self.store = store
        self.location = location
        self.roads = roads
        self.announcer = announcer
        clock = house.clock
        logger = house.logger
    }
}

/// Answers the open requests of one area. A round looks at all of them together.
struct AreaMatcher {
    /// Requests that are solved together at most; more are taken in several parts.
    static let mostPerQuery = 200
    /// A valet whom another replica has taken meanwhile costs a pass; the rest waits for a round.
    static let mostPasses = 4
    static let firstBackOff = Duration.milliseconds(100)
    static let longestBackOff = Duration.seconds(2)
    /// So long an answer is left to the replica that decided it; then that one has died.
    static let sayingSeconds = 5.0

    private static let matched = Counter(
        label: "matching_answers_total", dimensions: [("outcome", "matched")])
    private static let unmatched = Counter(
        label: "matching_answers_total", dimensions: [("outcome", "none")])
    private static let duration = Metrics.Timer(label: "matching_seconds")

    private let area: ServiceAreaID
    private let parts: MatchingParts
    private let openRequests: Gauge
    private var failures = 0
    /// Orders whose answer this replica owes the bus.
    private var owed: Set<OrderID> = []
    /// What the trace last said of a request that waits, so that it says it once.
    private var lastSaid: [OrderID: String] = [:]

    init(_ area: ServiceAreaID, _ parts: MatchingParts) {
        self.area = area
        self.parts = parts
        openRequests = Gauge(
            label: "matching_open_requests", dimensions: [("area", area.description)])
    }

    /// Answers what can be answered; says when to look again, or nil to wait for a call.
    mutating func round() async -> Duration? {
        do {
            let pause = try await lookAtAll()
            failures = 0
            return pause
        } catch {
            guard !Task.isCancelled else { return nil }
            parts.logger.warning(
                "matching is delayed",
                metadata: ["area": "\(area)", "error": "\(String(reflecting: type(of: error)))"])
            return backOff()
        }
    }

    private mutating func backOff() -> Duration {
        let doubled = Self.firstBackOff * (1 << min(failures, 10))
        failures += 1
        return min(doubled, Self.longestBackOff)
    }

    private mutating func lookAtAll() async throws -> Duration? {
        let stored = try await parts.store.stored(in: area)
        openRequests.record(stored.count)
        let orders = Set(stored.map(\.request.order))
        lastSaid = lastSaid.filter { orders.contains($0.key) }
        owed.formIntersection(orders)
        // Decided before, but the broker has not said that it knows: a crash, or it was away.
        let unsaid = stored.filter { $0.answer != nil }
        let mine = unsaid.filter(isMineToSay)
        try await announce(mine)
        var waiting = stored.filter { $0.answer == nil }[...]
        var pauses: [Duration] = unsaid.count > mine.count ? [parts.rules.retry] : []
        while !waiting.isEmpty {
            let part = Array(waiting.prefix(Self.mostPerQuery))
            waiting = waiting.dropFirst(part.count)
            if let pause = try await look(at: part) { pauses.append(pause) }
        }
        return pauses.min()
    }

    private func isMineToSay(_ stored: MatchingStore.Stored) -> Bool {
        guard let answer = stored.answer else { return false }
        let age = parts.clock.now.timeIntervalSince(answer.decidedAt)
        return owed.contains(answer.order) || age >= Self.sayingSeconds
    }

    private mutating func look(at stored: [MatchingStore.Stored]) async throws -> Duration? {
        // One moment for the whole look, so that nobody is refused who was not sought to the end.
        let round = MatchingRound(rules: parts.rules, now: parts.clock.now)
        let found: [OrderID: [CandidateAnswer.Candidate]]
        do {
            found = try await candidates(stored.map(\.request), at: round.now)
        } catch {
            try Task.checkCancellation()
            // The requests stay, unless location has been away for longer than anybody should wait.
            try await giveUp(stored, at: round.now)
            throw error
        }
        let valets = Set(found.values.joined().map(\.valet)).sorted()
        var held = try await parts.store.held(valets, area: area)
        let times = await RoadTimes.ask(parts.roads, stored.map(\.request), found, held: held)
        var open = stored
        var decided: [(MatchingStore.Stored, MatchingRound.Outcome)] = []
        var outcomes: [MatchingRound.Outcome] = []
        for _ in 0..<Self.mostPasses {
            outcomes = round.decide(
                open.map(\.request), found, held: held, times: times)
            let (kept, taken) = try await keep(outcomes, open, at: round.now)
            decided += kept.decided
            open = kept.open
            // Whoever is ours now is not for the others of this look.
            held.formUnion(kept.decided.compactMap { $0.0.answer?.valet })
            held.formUnion(taken)
            if taken.isEmpty { break }
        }
        let waiting = Set(open.map(\.request.order))
        outcomes.removeAll { !waiting.contains($0.request.order) }
        try await tell(decided)
        return try await rest(outcomes)
    }

    private func candidates(
        _ requests: [OpenRequest], at now: Date
    ) async throws -> [OrderID: [CandidateAnswer.Candidate]] {
        let points = requests.map { request in
            CandidateQuery.Point(
                engagement: request.order.as(EngagementID.self),
                at: request.match.meetingPoint.coordinate,
                radiusMeters: parts.rules.radiusMeters(
                    waitedSeconds: request.waitedSeconds(at: now)))
        }
        let excluded = requests.map(\.match.excluded.count).max() ?? 0
        let limit = min(MatchingRules.candidatesPerRequest + excluded, MatchingRules.mostAsked)
        let query = CandidateQuery(area: area, points: points, limit: limit)
        let answer: CandidateAnswer = try await parts.location.post(
            "/internal/candidates", body: query)
        return Dictionary(
            answer.found.map { ($0.engagement.as(OrderID.self), $0.candidates) }
        ) { first, _ in first }
    }

    private struct Kept {
        var decided: [(MatchingStore.Stored, MatchingRound.Outcome)] = []
        var open: [MatchingStore.Stored] = []
    }

    /// Makes the decisions of a round stand; also names the valets whom somebody else has taken.
    private func keep(
        _ outcomes: [MatchingRound.Outcome], _ stored: [MatchingStore.Stored], at now: Date
    ) async throws -> (Kept, taken: Set<ValetID>) {
        let byOrder = Dictionary(outcomes.map { ($0.request.order, $0) }) { first, _ in first }
        var kept = Kept()
        var taken: Set<ValetID> = []
        for entry in stored {
            guard let outcome = byOrder[entry.request.order] else { continue }
            let isOver = entry.request.waitedSeconds(at: now) >= parts.rules.patienceSeconds
            guard outcome.chosen != nil || (isOver && outcome.ripeAt == nil) else {
                kept.open.append(entry)
                continue
            }
            let answer = MatchAnswer(
                entry.request, valet: outcome.chosen?.valet,
                travelSeconds: outcome.chosen?.travelSeconds ?? 0, at: now)
            switch try await parts.store.decide(answer, for: entry) {
            case (.decided, let answered): kept.decided.append((answered, outcome))
            case (.gone, _), (.answered, _): continue
            case (.leased, _):
                if let valet = answer.valet { taken.insert(valet) }
                kept.open.append(entry)
            }
        }
        return (kept, taken)
    }

    /// Says the answers first, since people wait for them, and then why.
    private mutating func tell(
        _ decided: [(MatchingStore.Stored, MatchingRound.Outcome)]
    ) async throws {
        var failure: (any Error)?
        do { try await announce(decided.map(\.0)) } catch { failure = error }
        for (stored, outcome) in decided {
            try await say(outcome, stored.answer?.valet == nil ? .noValet : .matched)
        }
        if let failure { throw failure }
    }

    /// Location has been away for longer than anybody should wait.
    private mutating func giveUp(_ stored: [MatchingStore.Stored], at now: Date) async throws {
        let limit = parts.rules.patienceSeconds + parts.rules.graceSeconds
        let over = stored.filter { $0.request.waitedSeconds(at: now) >= limit }
        var decided: [MatchingStore.Stored] = []
        for entry in over {
            let answer = MatchAnswer(entry.request, valet: nil, travelSeconds: 0, at: now)
            let (decision, answered) = try await parts.store.decide(answer, for: entry)
            if decision == .decided { decided.append(answered) }
        }
        try await announce(decided)
        for entry in decided {
            let outcome = MatchingRound.Outcome(
                request: entry.request, candidates: [], travelTimes: nil, componentOrders: 1,
                ripeAt: nil, at: now)
            try await record(outcome, .noValet)
        }
    }

    /// On an error the answers stay in Redis, and the next round says them again.
    private mutating func announce(_ stored: [MatchingStore.Stored]) async throws {
        owed.formUnion(stored.map(\.request.order))
        try await parts.announcer.announce(stored.compactMap(\.answer))
        for entry in stored {
            guard let answer = entry.answer else { continue }
            try await parts.store.settle(entry)
            owed.remove(answer.order)
            (answer.valet == nil ? Self.unmatched : Self.matched).increment()
            let waited = entry.request.waitedSeconds(at: answer.decidedAt)
            Self.duration.recordSeconds(waited)
            parts.logger.debug(
                "request answered",
                metadata: [
                    "order": "\(answer.order)", "leg": "\(answer.leg.rawValue)",
                    "attempt": "\(answer.attempt)", "matched": "\(answer.valet != nil)",
                    "trace_id": "\(answer.traceID)",
                ])
        }
    }

    /// Records what keeps requests waiting; says when the first of them has to be looked at again.
    private mutating func rest(_ outcomes: [MatchingRound.Outcome]) async throws -> Duration? {
        let now = parts.clock.now
        var pause: Duration?
        for outcome in outcomes {
            try await say(outcome, .waiting)
            let patience = outcome.request.openedAt
                .addingTimeInterval(parts.rules.patienceSeconds)
            let next = outcome.ripeAt ?? patience
            let left = Duration.seconds(max(0, next.timeIntervalSince(now)))
            pause = min(pause ?? parts.rules.retry, left)
        }
        return pause
    }

    private mutating func say(
        _ outcome: MatchingRound.Outcome, _ result: MatchingTrace.Outcome
    ) async throws {
        let order = outcome.request.order
        let radius = radius(outcome)
        let valets = outcome.candidates.map { "\($0.valet) \($0.refusal?.rawValue ?? "")" }
        let said = "\(result.rawValue) \(radius) \(valets.joined(separator: " "))"
        guard lastSaid[order] != said else { return }
        try await record(outcome, result)
        lastSaid[order] = said
    }

    private func radius(_ outcome: MatchingRound.Outcome) -> Double {
        let waited = outcome.request.waitedSeconds(at: outcome.at)
        return parts.rules.radiusMeters(waitedSeconds: waited)
    }

    private func record(
        _ outcome: MatchingRound.Outcome, _ result: MatchingTrace.Outcome
    ) async throws {
        try await parts.store.record(
            MatchingTrace.Decision(
                leg: outcome.request.match.leg, attempt: outcome.request.match.attempt,
                outcome: result, radiusMeters: radius(outcome),
                waitedSeconds: outcome.request.waitedSeconds(at: outcome.at),
                componentOrders: outcome.componentOrders, candidates: outcome.candidates,
                travelTimes: outcome.travelTimes, decidedAt: outcome.at), of: outcome.request.order)
    }
}
