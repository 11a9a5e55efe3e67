import Foundation

/// Answer of `GET /v1/admin/statistics/revenue?from&to`: what was captured and given back in a span.
public struct RevenueStatistics: Codable, Sendable, Hashable {
    public struct Currency: Codable, Sendable, Hashable {
        /// Tips not among it.
        public var charged: Money
        public var tips: Money
        public var refunded: Money
        public var payments: Int

        public init(charged: Money, tips: Money, refunded: Money, payments: Int) {
            self.charged = charged
            self.tips = tips
            self.refunded = refunded
            self.payments = payments
        }
    }

    public struct Hour: Codable, Sendable, Hashable {
        public var startsAt: Date
        /// Charged, by currency; an hour without payments is missing.
        public var charged: Money

        public init(startsAt: Date, charged: Money) {
            self.startsAt = startsAt
            self.charged = charged
        }
    }

    public var from: Date
    public var to: Date
    public var currencies: [Currency]
    public var hours: [Hour]

    public init(from: Date, to: Date, currencies: [Currency], hours: [Hour]) {
        self.from = from
        self.to = to
        self.currencies = currencies
        self.hours = hours
    }
}
