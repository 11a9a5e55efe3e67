import Contracts
import Geo
import Routing

/// The router's travel times for one round, in seconds from candidates to meeting points.
///
/// There is one question of limited size per round, for the first requests. The others use the straight line, as all do
/// if the router does not answer.
struct RoadTimes: Sendable {
    static let none = RoadTimes(seconds: [:])

    /// By order and valet; the inner value is nil if there is no route.
    private let seconds: [OrderID: [ValetID: Double?]]

    init(seconds: [OrderID: [ValetID: Double?]]) { self.seconds = seconds }

    func source(of order: OrderID) -> RouteAnswer.Source {
        seconds[order] == nil ? .straightLine : .router
    }

    func travelSeconds(of candidate: CandidateAnswer.Candidate, to order: OrderID) -> Double {
        let straight = MatchingRules.travelSeconds(candidate.distanceMeters)
        guard let known = seconds[order]?[candidate.valet] else { return straight }
        return known ?? straight * MatchingRules.noWayFactor
    }

    /// The pairs of a question.
    struct Question: Sendable {
        private(set) var orders: [OrderID] = []
        private(set) var ends: [Coordinate] = []
        private(set) var valets: [ValetID] = []
        private(set) var starts: [Coordinate] = []

        /// Leaves out requests that no valet can take at present, since those are looked at every second.
        init(
            _ requests: [OpenRequest], _ found: [OrderID: [CandidateAnswer.Candidate]],
            held: Set<ValetID>
        ) {
            var known: Set<ValetID> = []
            for request in requests {
                let usable = MatchingRound.usable(found[request.order] ?? [], for: request)
                    .filter { $0.at.isOnGlobe }
                let isOpen = usable.contains { candidate in
                    !held.contains(candidate.valet)
                        && !request.match.excluded.contains(candidate.valet)
                }
                guard isOpen else { continue }
                let new = usable.filter { !known.contains($0.valet) }
                guard
                    Roads.isWithinLimits(
                        starts: starts.count + new.count, ends: ends.count + 1)
                else { return }
                known.formUnion(new.map(\.valet))
                valets += new.map(\.valet)
                starts += new.map(\.at)
                orders.append(request.order)
                ends.append(request.match.meetingPoint.coordinate)
            }
        }
    }

    static func ask(
        _ roads: Roads, _ requests: [OpenRequest],
        _ found: [OrderID: [CandidateAnswer.Candidate]], held: Set<ValetID>
    ) async -> RoadTimes {
        guard roads.hasRouter else { return .none }
        let question = Question(requests, found, held: held)
        guard let rows = await roads.travelSeconds(from: question.starts, to: question.ends)
        else { return .none }
        var seconds: [OrderID: [ValetID: Double?]] = [:]
        for (column, order) in question.orders.enumerated() {
            seconds[order] = Dictionary(
                zip(question.valets, rows.map { $0[column] }),
                uniquingKeysWith: { first, _ in first })
        }
        return RoadTimes(seconds: seconds)
    }
}
