import Foundation

/// Every decision about an order, newest first.
public struct MatchingTrace: Codable, Sendable, Hashable {
    /// The outcome of a decision.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case matched, waiting, noValet
    }

    /// `servesAnother`: another order got this valet at a lower total cost. `costlier`: another
    /// valet was nearer or had been idle for longer. `withdrew`: the valet withdrew from this leg
    /// before. `leased`: another decision held the valet at that moment.
    public enum Refusal: String, Codable, Sendable, CaseIterable {
        /// Another order of the same window got this valet at a lower total cost.
        case servesAnother
        /// Another valet was nearer or had been idle for longer.
        case costlier
        /// The valet withdrew from this leg before.
        case withdrew
        /// Another decision held the valet at that moment.
        case leased
    }

    /// A valet who was considered.
    public struct Candidate: Codable, Sendable, Hashable {
        public var valet: ValetID
        public var distanceMeters: Double
        public var travelSeconds: Double
        public var idleSeconds: Double
        /// Travel time in seconds, minus bonuses.
        public var cost: Double
        public var chosen: Bool
        /// Why the valet was not chosen, if there is a reason. Null for the chosen valet.
        @Nullable public var refusal: Refusal?

        public init(
            valet: ValetID, distanceMeters: Double, travelSeconds: Double, idleSeconds: Double,
            cost: Double, chosen: Bool, refusal: Refusal?
        ) {
            self.valet = valet
            self.distanceMeters = distanceMeters
            self.travelSeconds = travelSeconds
            self.idleSeconds = idleSeconds
            self.cost = cost
            self.chosen = chosen
            self.refusal = refusal
        }
    }

    /// One decision about an order.
    public struct Decision: Codable, Sendable, Hashable {
        public var leg: Open<OrderLeg>
        public var attempt: Int
        public var outcome: Outcome
        public var radiusMeters: Double
        public var waitedSeconds: Double
        /// Number of orders that were solved together, including this one.
        public var componentOrders: Int
        public var candidates: [Candidate]
        /// Source of the travel times. Null without candidates.
        @Nullable public var travelTimes: RouteAnswer.Source?
        public var decidedAt: Date

        public init(
            leg: Open<OrderLeg>, attempt: Int, outcome: Outcome, radiusMeters: Double,
            waitedSeconds: Double, componentOrders: Int, candidates: [Candidate],
            travelTimes: RouteAnswer.Source? = nil, decidedAt: Date
        ) {
            self.leg = leg
            self.attempt = attempt
            self.outcome = outcome
            self.radiusMeters = radiusMeters
            self.waitedSeconds = waitedSeconds
            self.componentOrders = componentOrders
            self.candidates = candidates
            self.travelTimes = travelTimes
            self.decidedAt = decidedAt
        }
    }

    public var order: OrderID
    public var decisions: [Decision]

    public init(order: OrderID, decisions: [Decision]) {
        self.order = order
        self.decisions = decisions
    }
}

extension MatchingTrace.Candidate: SchemaNamed {
    public static var schemaName: String { "MatchingCandidate" }
}

extension MatchingTrace.Decision: SchemaNamed {
    public static var schemaName: String { "MatchingDecision" }
}
