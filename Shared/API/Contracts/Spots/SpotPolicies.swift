import Foundation
import Geo

/// Rules of a service area for passing on spots. Amounts are in minor units of its currency.
public struct SpotPolicy: Codable, Sendable, Hashable {
    /// Whether spots may be sold. `informationOnly`: spots are free, and there are no auctions.
    public enum Sale: String, Codable, Sendable, CaseIterable {
        case allowed
        /// Spots are free, and there are no auctions.
        case informationOnly
    }

    /// The step by which bids rise, from an amount on.
    public struct Increment: Codable, Sendable, Hashable {
        /// Amount from which the step applies, in minor units.
        public var from: Int
        /// In minor units, at least 1.
        public var step: Int

        public init(from: Int, step: Int) { (self.from, self.step) = (from, step) }
    }

    public var sale: Sale
    /// The highest price and the highest bid that are allowed.
    public var priceCap: Int
    /// Commission of the platform, as a percentage of what buyers pay.
    public var commissionPercent: Int
    /// Fee for a buyer who doesn't come, or cancels too late. It is never more than the price.
    public var noShowFee: Int
    /// How long the other side waits beyond the agreed time, in seconds.
    public var graceSeconds: Int
    /// 1 to 20 steps, in ascending order of `from`. The first is from 0.
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

/// The rules for selling a spot at a point, and a suggested price.
public struct SpotTerms: Codable, Sendable, Hashable {
    public var area: ServiceAreaID
    /// ISO 4217 code.
    public var currency: String
    public var policy: SpotPolicy
    /// The median of the prices paid within a kilometre in the last 30 days, at most the price cap;
    /// null if nobody has paid anything, or if spots are free.
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
    /// Number of spots that were measured.
    public var count: Int
    /// Null if `count` is 0.
    @Nullable public var mean: Double?
    /// Null if `count` is 0.
    @Nullable public var median: Double?
    /// The 90th percentile; null if `count` is 0.
    @Nullable public var p90: Double?

    public init(count: Int, mean: Double?, median: Double?, p90: Double?) {
        (self.count, self.mean, self.median, self.p90) = (count, mean, median, p90)
    }
}

/// The spots offered on one day in one service area: how many there were, and how long people took.
public struct SpotStatistics: Codable, Sendable, Hashable {
    /// The UTC day, for example `2026-12-24`.
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
