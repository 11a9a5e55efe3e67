import Foundation
import Geo

/// What an area allows of the exchange of spots: `GET, PUT /v1/admin/spot-policies/{area}`. Amounts are in minor units
/// of the area's currency.
public struct SpotPolicy: Codable, Sendable, Hashable {
    public enum Sale: String, Codable, Sendable, CaseIterable {
        case allowed
        /// Spots cost nothing.
        case informationOnly
    }

    /// From an amount on, bids rise by so much.
    public struct Increment: Codable, Sendable, Hashable {
        public var from: Int
        public var step: Int

        public init(from: Int, step: Int) { (self.from, self.step) = (from, step) }
    }

    public var sale: Sale
    /// The most that a spot may cost, and that may be bid.
    public var priceCap: Int
    /// What the house keeps of what buyers pay.
    public var commissionPercent: Int
    /// What a buyer pays who does not come, or gives up too late: at most the price.
    public var noShowFee: Int
    /// How long the other side waits beyond what was agreed.
    public var graceSeconds: Int
    /// Ordered by `from`, the first of which is 0.
    public var increments: [Increment]

    public init(
        sale: Sale = .allowed, priceCap: Int = 2_000, commissionPercent: Int = 10,
        noShowFee: Int = 300, graceSeconds: Int = 300,
        increments: [Increment] = [Increment(from: 0, step: 50)]
    ) {
        (self.sale, self.priceCap, self.commissionPercent) = (sale, priceCap, commissionPercent)
        (self.noShowFee, self.graceSeconds) = (noShowFee, graceSeconds)
        self.increments = increments
    }

    /// By how much a bid has to be above an amount.
    public func step(above amount: Int) -> Int {
        increments.last { $0.from <= amount }?.step ?? 1
    }
}

extension SpotPolicy.Sale: SchemaNamed {
    public static var schemaName: String { "SpotPolicySale" }
}

extension SpotPolicy.Increment: SchemaNamed {
    public static var schemaName: String { "SpotIncrement" }
}

/// Answer of `GET /v1/spot-terms`: what holds where somebody wants to sell.
public struct SpotTerms: Codable, Sendable, Hashable {
    public var area: ServiceAreaID
    public var currency: String
    public var policy: SpotPolicy
    /// What was paid around there lately; null where nobody has paid anything.
    @Nullable public var suggestedPrice: Money?

    public init(
        area: ServiceAreaID, currency: String, policy: SpotPolicy, suggestedPrice: Money?
    ) {
        (self.area, self.currency, self.policy) = (area, currency, policy)
        self.suggestedPrice = suggestedPrice
    }
}

/// How long something took, in seconds.
public struct SpotTimes: Codable, Sendable, Hashable {
    public var count: Int
    /// Null where `count` is 0.
    @Nullable public var mean: Double?
    @Nullable public var median: Double?
    @Nullable public var p90: Double?

    public init(count: Int, mean: Double?, median: Double?, p90: Double?) {
        (self.count, self.mean, self.median, self.p90) = (count, mean, median, p90)
    }
}

/// A line of `GET /v1/admin/statistics/spots`: a day (UTC) of an area.
public struct SpotStatistics: Codable, Sendable, Hashable {
    /// As in `2026-12-24`.
    public var day: String
    public var area: ServiceAreaID
    public var offered, handedOver, failed: Int
    public var offerToFirstRequest, requestToAnswer, approvalToArrival: SpotTimes

    public init(
        day: String, area: ServiceAreaID, offered: Int, handedOver: Int, failed: Int,
        offerToFirstRequest: SpotTimes, requestToAnswer: SpotTimes, approvalToArrival: SpotTimes
    ) {
        (self.day, self.area, self.offered) = (day, area, offered)
        (self.handedOver, self.failed) = (handedOver, failed)
        self.offerToFirstRequest = offerToFirstRequest
        (self.requestToAnswer, self.approvalToArrival) = (requestToAnswer, approvalToArrival)
    }
}
