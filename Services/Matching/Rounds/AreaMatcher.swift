import Contracts
import EventBus
import Foundation
import Logging
import Metrics
import Routing
import ServiceKit

/// The parts that all area loops share.
struct MatchingParts: Sendable {
    let rules: MatchingRules
    let store: MatchingStore
    let location: Peer
    let roads: Roads
    let announcer: Announcer
    let clock: ServiceClock
    let logger: Logger
    let areas = Areas()
    /// The name of this process in turns.
    let replica = UUID().uuidString

    init(
        _ environment: ServiceEnvironment, rules: MatchingRules, store: MatchingStore,
        location: Peer,
        roads: Roads, announcer: Announcer
    ) {
        self.rules = rules
        self.store = store
        self.location = location
        self.roads = roads
        self.announcer = announcer
        clock = environment.clock
        logger = environment.logger
    }
}

/// Answers the open requests of one area. A round considers all of them together.
struct AreaMatcher {
    /// The most requests that are solved together; more are split into several parts.
    static let mostPerQuery = 200
    /// The most passes in a round. A valet whom another replica has taken costs a pass; remaining requests wait for the
    /// next round.
    static let mostPasses = 4
    static let firstBackOff = Duration.milliseconds(100)
    static let longestBackOff = Duration.seconds(2)
    /// How soon to ask for the turn again while another replica is working.
    static let busyPause = Duration.milliseconds(20)

    private static let matched = Counter(
        label: "matching_answers_total", dimensions: [("outcome", "matched")])
    private static let unmatched = Counter(
        label: "matching_answers_total", dimensions: [("outcome", "none")])
    private static let duration = Metrics.Timer(label: "matching_seconds")

    private let area: ServiceAreaID
    private let parts: MatchingParts
    private let openRequests: Gauge
    private var failures = 0
    /// Whether the area was called since our last turn.
    private var hasNews = false
    /// The last text in the trace of each waiting request, so that it is not repeated.
    private var lastSaid: [OrderID: String] = [:]

    init(_ area: ServiceAreaID, _ parts: MatchingParts) {
        self.area = area
        self.parts = parts
        openRequests = Gauge(
            label: "matching_open_requests", dimensions: [("area", area.description)])
    }

    /// Answers the requests that can be answered. Returns when to look again; nil to wait for a call.
    ///
    /// One replica works at a time: the one called last, which continues by itself while requests wait.
    mutating func round(isCalled: Bool) async -> Duration? {
        hasNews = hasNews || isCalled
        let stored: [MatchingStore.Stored]
        do {
            switch try await parts.store.begin(area, by: parts.replica, takingOver: hasNews) {
            case .others: return nil
            case .busy: return Self.busyPause
            case .ours(let ours): stored = ours
            }
        } catch {
            return backOff(error)
        }
        hasNews = false
        var pause: Duration?
        do {
            pause = try await lookAtAll(stored)
            failures = 0
        } catch {
            pause = backOff(error)
        }
        // If this fails, the turn expires by itself.
        try? await parts.store.end(area, by: parts.replica, isOver: pause == nil)
        return pause
    }

    private mutating func backOff(_ error: any Error) -> Duration? {
        guard !Task.isCancelled else { return nil }
        parts.logger.warning(
            "matching is delayed",
            metadata: ["area": "\(area)", "error": "\(loggable(error))"])
        let doubled = Self.firstBackOff * (1 << min(failures, 10))
        failures += 1
        return min(doubled, Self.longestBackOff)
    }

    private mutating func lookAtAll(_ stored: [MatchingStore.Stored]) async throws -> Duration? {
        let now = parts.clock.now
        let answered = stored.filter { $0.answer != nil }
        openRequests.record(stored.count - answered.count)
        let orders = Set(stored.map(\.request.order))
        lastSaid = lastSaid.filter { orders.contains($0.key) }
        // Decided before a crash, but not yet published or received by orders.
        try await announce(answered.filter { $0.answer?.isDue(at: now) == true })
        var waiting = stored.filter { $0.answer == nil }[...]
        var pauses: [Duration] = answered.isEmpty ? [] : [parts.rules.retry]
        while !waiting.isEmpty {
            let part = Array(waiting.prefix(Self.mostPerQuery))
            waiting = waiting.dropFirst(part.count)
            if let pause = try await look(at: part) { pauses.append(pause) }
        }
        return pauses.min()
    }

    private mutating func look(at stored: [MatchingStore.Stored]) async throws -> Duration? {
        // Use one `now` for the whole round, so that nobody is refused halfway through a search.
        let round = MatchingRound(rules: parts.rules, now: parts.clock.now)
        let found: [OrderID: [CandidateAnswer.Candidate]]
        do {
            found = try await candidates(stored.map(\.request), at: round.now)
        } catch {
            try Task.checkCancellation()
            // The requests stay, unless location has been down beyond the waiting time and its grace.
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
            // A valet taken in this pass is not available in the next ones.
            held.formUnion(kept.decided.compactMap { $0.0.answer?.valet })
            held.formUnion(taken)
            if taken.isEmpty { break }
        }
        let waiting = Set(open.map(\.request.order))
        outcomes.removeAll { !waiting.contains($0.request.order) }
        try await announceAndTrace(decided, waiting: outcomes)
        return pause(outcomes, hasDecided: !decided.isEmpty)
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
        let answer = try await parts.location(InternalEndpoints.candidates(body: query))
        return Dictionary(
            answer.found.map { ($0.engagement.as(OrderID.self), $0.candidates) }
        ) { first, _ in first }
    }

    private struct Kept {
        var decided: [(MatchingStore.Stored, MatchingRound.Outcome)] = []
        var open: [MatchingStore.Stored] = []
    }

    /// Stores a round's decisions. Also returns the valets whom another replica has taken.
    private func keep(
        _ outcomes: [MatchingRound.Outcome], _ stored: [MatchingStore.Stored], at now: Date
    ) async throws -> (Kept, taken: Set<ValetID>) {
        let byOrder = Dictionary(outcomes.map { ($0.request.order, $0) }) { first, _ in first }
        var kept = Kept()
        var answers: [(answer: MatchAnswer, to: MatchingStore.Stored)] = []
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
            answers.append((answer, entry))
        }
        var taken: Set<ValetID> = []
        let decisions = try await parts.store.decide(answers, area: area)
        for ((answer, entry), (decision, answered)) in zip(answers, decisions) {
            switch decision {
            case .decided:
                if let outcome = byOrder[answer.order] { kept.decided.append((answered, outcome)) }
            case .gone, .answered: continue
            case .leased:
                if let valet = answer.valet { taken.insert(valet) }
                kept.open.append(entry)
            }
        }
        return (kept, taken)
    }

    /// Publishes the answers first, since people wait for them, and then records the reasons, also those of waiting
    /// requests.
    private mutating func announceAndTrace(
        _ decided: [(MatchingStore.Stored, MatchingRound.Outcome)],
        waiting: [MatchingRound.Outcome]
    ) async throws {
        var failure: (any Error)?
        do { try await announce(decided.map(\.0)) } catch { failure = error }
        try await record(
            decided.map { ($1, $0.answer?.valet == nil ? .noValet : .matched) }
                + waiting.map { ($0, .waiting) })
        if let failure { throw failure }
    }

    /// Answers "nobody" to requests that have waited too long while location is down.
    private mutating func giveUp(_ stored: [MatchingStore.Stored], at now: Date) async throws {
        let limit = parts.rules.patienceSeconds + parts.rules.graceSeconds
        let over = stored.filter { $0.request.waitedSeconds(at: now) >= limit }
        let answers = over.map { entry in
            (answer: MatchAnswer(entry.request, valet: nil, travelSeconds: 0, at: now), to: entry)
        }
        let decided = try await parts.store.decide(answers, area: area)
            .filter { $0.0 == .decided }.map(\.1)
        try await announce(decided)
        try await record(
            decided.map { entry in
                let outcome = MatchingRound.Outcome(
                    request: entry.request, candidates: [], travelTimes: nil, componentOrders: 1,
                    ripeAt: nil, at: now)
                return (outcome, .noValet)
            })
    }

    /// After an error the answers remain in Redis, and the next round publishes them again.
    private func announce(_ stored: [MatchingStore.Stored]) async throws {
        let now = parts.clock.now
        try await parts.announcer.announce(stored.compactMap(\.answer))
        try await parts.store.settle(stored, in: area, at: now)
        for entry in stored {
            guard let answer = entry.answer, answer.saidAt == nil else { continue }
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

    /// When to look again: for the next waiting request, or to check that orders has received the decisions.
    private func pause(_ waiting: [MatchingRound.Outcome], hasDecided: Bool) -> Duration? {
        let now = parts.clock.now
        var pause = hasDecided ? parts.rules.retry : nil
        for outcome in waiting {
            let patience = outcome.request.openedAt
                .addingTimeInterval(parts.rules.patienceSeconds)
            let next = outcome.ripeAt ?? patience
            let left = Duration.seconds(max(0, next.timeIntervalSince(now)))
            pause = min(pause ?? parts.rules.retry, left)
        }
        return pause
    }

    /// Records the outcomes that differ from the last trace.
    private mutating func record(
        _ outcomes: [(MatchingRound.Outcome, MatchingTrace.Outcome)]
    ) async throws {
        let changes = outcomes.compactMap {
            outcome, result -> (OrderID, MatchingTrace.Decision, String)? in
            let valets = outcome.candidates.map { "\($0.valet) \($0.refusal?.rawValue ?? "")" }
            let order = outcome.request.order
            let said = "\(result.rawValue) \(radius(outcome)) \(valets.joined(separator: " "))"
            return lastSaid[order] == said ? nil : (order, decision(outcome, result), said)
        }
        guard !changes.isEmpty else { return }
        try await parts.store.record(changes.map { ($0.0, $0.1) })
        for (order, _, said) in changes { lastSaid[order] = said }
    }

    private func radius(_ outcome: MatchingRound.Outcome) -> Double {
        let waited = outcome.request.waitedSeconds(at: outcome.at)
        return parts.rules.radiusMeters(waitedSeconds: waited)
    }

    private func decision(
        _ outcome: MatchingRound.Outcome, _ result: MatchingTrace.Outcome
    ) -> MatchingTrace.Decision {
        MatchingTrace.Decision(
            leg: outcome.request.match.leg, attempt: outcome.request.match.attempt,
            outcome: result, radiusMeters: radius(outcome),
            waitedSeconds: outcome.request.waitedSeconds(at: outcome.at),
            componentOrders: outcome.componentOrders, candidates: outcome.candidates,
            travelTimes: outcome.travelTimes, decidedAt: outcome.at)
    }
}
