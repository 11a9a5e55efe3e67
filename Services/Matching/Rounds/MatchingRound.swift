import Contracts
import Foundation

/// One round over the open requests of an area: which request gets which valet. Pure.
struct MatchingRound: Sendable {
    /// The outcome of one request.
    struct Outcome: Sendable {
        let request: OpenRequest
        /// Nearest first, including excluded and held valets.
        let candidates: [MatchingTrace.Candidate]
        /// Nil if there are none.
        let travelTimes: RouteAnswer.Source?
        let componentOrders: Int
        /// When the window of its component ends; nil if it is decided now.
        let ripeAt: Date?
        /// When the round began, which determines radius and waiting time.
        let at: Date

        var chosen: MatchingTrace.Candidate? {
            ripeAt == nil ? candidates.first { $0.chosen } : nil
        }
    }

    let rules: MatchingRules
    let now: Date

    /// Decides each component of requests that share candidates, unless its window is still open.
    func decide(
        _ requests: [OpenRequest], _ found: [OrderID: [CandidateAnswer.Candidate]],
        held: Set<ValetID>, times: RoadTimes = .none
    ) -> [Outcome] {
        let seen = requests.map { candidates($0, found[$0.order] ?? [], held, times) }
        let eligible = seen.map { candidates in
            candidates.filter { $0.refusal == nil }.map(\.valet)
        }
        var outcomes: [Outcome?] = Array(repeating: nil, count: requests.count)
        for component in Components.of(eligible) {
            let ripeAt = ripeAt(component.map { requests[$0] })
            let chosen = ripeAt == nil ? assign(component, seen) : [:]
            let taken = Set(chosen.values)
            for row in component {
                outcomes[row] = Outcome(
                    request: requests[row],
                    candidates: explain(seen[row], chosen: chosen[row], taken: taken),
                    travelTimes: seen[row].isEmpty ? nil : times.source(of: requests[row].order),
                    componentOrders: component.count, ripeAt: ripeAt, at: now)
            }
        }
        return outcomes.compactMap { $0 }
    }

    /// When the component's window ends; nil once it is over, or for a request that shares no candidate.
    private func ripeAt(_ component: [OpenRequest]) -> Date? {
        guard component.count > 1, let first = component.map(\.openedAt).min() else { return nil }
        let end = first.addingTimeInterval(rules.windowSeconds)
        return end <= now ? nil : end
    }

    private func candidates(
        _ request: OpenRequest, _ found: [CandidateAnswer.Candidate], _ held: Set<ValetID>,
        _ times: RoadTimes
    ) -> [MatchingTrace.Candidate] {
        let waited = request.waitedSeconds(at: now)
        return Self.usable(found, for: request).map { candidate in
            let travel = times.travelSeconds(of: candidate, to: request.order)
            let refusal: MatchingTrace.Refusal? =
                if request.match.excluded.contains(candidate.valet) {
                    .withdrew
                } else if held.contains(candidate.valet) {
                    .leased
                } else {
                    nil
                }
            return MatchingTrace.Candidate(
                valet: candidate.valet, distanceMeters: candidate.distanceMeters,
                travelSeconds: travel, idleSeconds: candidate.idleSeconds,
                cost: MatchingRules.cost(
                    travelSeconds: travel, idleSeconds: candidate.idleSeconds,
                    waitedSeconds: waited),
                chosen: false, refusal: refusal)
        }
    }

    /// The nearest candidates, up to the limit.
    static func usable(
        _ found: [CandidateAnswer.Candidate], for request: OpenRequest
    ) -> [CandidateAnswer.Candidate] {
        var known: Set<ValetID> = []
        var places = MatchingRules.candidatesPerRequest
        return found.filter { candidate in
            guard candidate.distanceMeters >= 0, candidate.distanceMeters.isFinite,
                candidate.idleSeconds.isFinite, places > 0,
                known.insert(candidate.valet).inserted
            else { return false }
            // Valets who withdrew are listed in the trace, but do not count towards the limit.
            if !request.match.excluded.contains(candidate.valet) { places -= 1 }
            return true
        }
    }

    /// The best valet for each request that gets one, by row.
    private func assign(
        _ component: [Int], _ seen: [[MatchingTrace.Candidate]]
    ) -> [Int: ValetID] {
        var columns: [ValetID: Int] = [:]
        var valets: [ValetID] = []
        let rows = component.map { row in
            seen[row].filter { $0.refusal == nil }.map { candidate in
                let column = columns[candidate.valet] ?? valets.count
                if column == valets.count {
                    columns[candidate.valet] = column
                    valets.append(candidate.valet)
                }
                return AssignmentProblem.Pair(column: column, cost: candidate.cost)
            }
        }
        // Fails only for input that `candidates` and the limit on requests have excluded.
        guard let problem = try? AssignmentProblem(rows: rows, columnCount: valets.count)
        else { return [:] }
        var chosen: [Int: ValetID] = [:]
        for (row, column) in zip(component, AssignmentSolver.solve(problem).columnOfRow) {
            if let column { chosen[row] = valets[column] }
        }
        return chosen
    }

    private func explain(
        _ candidates: [MatchingTrace.Candidate], chosen: ValetID?, taken: Set<ValetID>
    ) -> [MatchingTrace.Candidate] {
        candidates.map { candidate in
            var candidate = candidate
            candidate.chosen = candidate.valet == chosen
            if !candidate.chosen, candidate.refusal == nil {
                if taken.contains(candidate.valet) {
                    candidate.refusal = .servesAnother
                } else if chosen != nil {
                    candidate.refusal = .costlier
                }
            }
            return candidate
        }
    }
}
