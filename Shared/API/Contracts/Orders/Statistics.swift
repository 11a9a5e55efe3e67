import Foundation

/// Statistics of the orders that were placed in a period: at or after `from`, and before `to`.
public struct OrderStatistics: Codable, Sendable, Hashable {
    /// Time from placing an order until a valet first had the job, for orders that were not
    /// scheduled ahead. The median of an even number is the mean of the two in the middle; the 90th
    /// percentile is the smallest wait that nine tenths don't exceed.
    public struct Waiting: Codable, Sendable, Hashable {
        public var orders: Int
        @Nullable public var medianSeconds: Double?
        /// 90th percentile, by the nearest-rank method.
        @Nullable public var p90Seconds: Double?

        public init(orders: Int, medianSeconds: Double?, p90Seconds: Double?) {
            self.orders = orders
            self.medianSeconds = medianSeconds
            self.p90Seconds = p90Seconds
        }
    }

    /// `matched`: orders whose drop-off a valet had at some time. `unfulfilled`: orders that ended
    /// with this state and never had a valet. Offers of both legs count, but no more than the last
    /// 100 of an order.
    public struct Acceptance: Codable, Sendable, Hashable {
        public var matched: Int
        public var unfulfilled: Int
        /// Offers to single valets in areas whose dispatch is `offer`.
        public var offersMade: Int
        public var offersAccepted: Int

        public init(matched: Int, unfulfilled: Int, offersMade: Int, offersAccepted: Int) {
            self.matched = matched
            self.unfulfilled = unfulfilled
            self.offersMade = offersMade
            self.offersAccepted = offersAccepted
        }
    }

    /// Orders that were placed in one hour.
    public struct Hour: Codable, Sendable, Hashable {
        public var startsAt: Date
        public var placed: Int
        /// Orders of this hour that are finished now.
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
    /// Number of orders by their state now; 0 for a state without orders.
    public var byStatus: [String: Int]
    public var waiting: Waiting
    public var acceptance: Acceptance
    /// Each full hour in UTC that the period touches, oldest first. An order counts in the hour in
    /// which it was placed. Hours without orders are included.
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
