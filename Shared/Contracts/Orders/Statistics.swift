import Foundation

/// Answer of `GET /v1/admin/statistics/orders?from&to`: the orders that were placed in a span.
public struct OrderStatistics: Codable, Sendable, Hashable {
    /// From placing to the assignment of a valet, of orders that got one.
    public struct Waiting: Codable, Sendable, Hashable {
        public var orders: Int
        @Nullable public var medianSeconds: Double?
        /// 90th percentile, nearest rank.
        @Nullable public var p90Seconds: Double?

        public init(orders: Int, medianSeconds: Double?, p90Seconds: Double?) {
            self.orders = orders
            self.medianSeconds = medianSeconds
            self.p90Seconds = p90Seconds
        }
    }

    /// What became of drop-offs: `matched` had a valet at some time, `unfulfilled` never.
    public struct Acceptance: Codable, Sendable, Hashable {
        public var matched: Int
        public var unfulfilled: Int
        /// Offers to single valets, where an area's dispatch says `offer`.
        public var offersMade: Int
        public var offersAccepted: Int

        public init(matched: Int, unfulfilled: Int, offersMade: Int, offersAccepted: Int) {
            self.matched = matched
            self.unfulfilled = unfulfilled
            self.offersMade = offersMade
            self.offersAccepted = offersAccepted
        }
    }

    public struct Hour: Codable, Sendable, Hashable {
        public var startsAt: Date
        public var placed: Int
        public var finished: Int
        @Nullable public var medianWaitSeconds: Double?

        public init(startsAt: Date, placed: Int, finished: Int, medianWaitSeconds: Double?) {
            self.startsAt = startsAt
            self.placed = placed
            self.finished = finished
            self.medianWaitSeconds = medianWaitSeconds
        }
    }

    public var from: Date
    public var to: Date
    public var placed: Int
    /// By the state that they are in now; a state without orders is 0.
    public var byStatus: [String: Int]
    public var waiting: Waiting
    public var acceptance: Acceptance
    /// Each hour of the span by time of placing, oldest first; empty hours too.
    public var hours: [Hour]

    public init(
        from: Date, to: Date, placed: Int, byStatus: [String: Int], waiting: Waiting,
        acceptance: Acceptance, hours: [Hour]
    ) {
        self.from = from
        self.to = to
        self.placed = placed
        self.byStatus = byStatus
        self.waiting = waiting
        self.acceptance = acceptance
        self.hours = hours
    }
}
