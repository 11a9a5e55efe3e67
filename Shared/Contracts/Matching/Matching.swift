import Foundation

/// Answer of `GET /v1/orders/{id}/matching`: every decision of an order, newest first.
public struct MatchingTrace: Codable, Sendable, Hashable {
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case matched, waiting, noValet
    }

    public enum Refusal: String, Codable, Sendable, CaseIterable {
        /// Another order of the same window got this valet at a lower total cost.
        case servesAnother
        /// A nearer or idler valet was chosen.
        case costlier
        /// Withdrew from this leg before.
        case withdrew
        /// Held by another decision at that moment.
        case leased
    }

    public struct Candidate: Codable, Sendable, Hashable {
        public var valet: ValetID
        public var distanceMeters: Double
        public var travelSeconds: Double
        public var idleSeconds: Double
        /// Seconds: travel minus bonuses. What the solver minimised.
        public var cost: Double
        public var chosen: Bool
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

    public struct Decision: Codable, Sendable, Hashable {
        public var leg: Open<OrderLeg>
        public var attempt: Int
        public var outcome: Outcome
        public var radiusMeters: Double
        public var waitedSeconds: Double
        /// Orders that were solved together, this one included.
        public var componentOrders: Int
        public var candidates: [Candidate]
        /// Whose travel times these are; nil when there were no candidates.
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
