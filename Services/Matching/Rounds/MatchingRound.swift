import Contracts
import Foundation

/// One look at the open requests of an area: who would get whom. Pure.
struct MatchingRound: Sendable {
    /// What became of one request.
    struct Outcome: Sendable {
        let request: OpenRequest
        /// Nearest first, the excluded and the held among them.
        let candidates: [MatchingTrace.Candidate]
        /// Nil when there are none.
        let travelTimes: RouteAnswer.Source?
        let componentOrders: Int
        /// When the window of its component ends; nil when it is decided now.
        let ripeAt: Date?
        /// When the round began: radius and patience are of this moment.
        let at: Date

        var chosen: MatchingTrace.Candidate? {
            ripeAt == nil ? candidates.first { $0.chosen } : nil
        }
    }

    let rules: MatchingRules
    let now: Date

    /// Solves each component of requests that share candidates, unless its window is still open.
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

    /// Nil once the window is over; a request that shares no candidate has none.
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

    /// Nearest first, as many as are considered.
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
            // Those who withdrew are told of, but take nobody's place.
            if !request.match.excluded.contains(candidate.valet) { places -= 1 }
            return true
        }
    }

    /// The optimal valet of each request that gets one, by row.
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
        // Refuses only what `candidates` and the limit on requests have ruled out.
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
