import Foundation

/// Payments and refunds in a period: sums with tax, as customers paid them, and rows without tax, as
/// the platform earned it.
public struct RevenueStatistics: Codable, Sendable, Hashable {
    /// The whole period in one currency.
    public struct Currency: Codable, Sendable, Hashable {
        /// Amount paid for bills, with tax and without tips. Refunds don't reduce it.
        public var charged: Money
        public var tips: Money
        /// Refunds in this period with their tax, whenever the bills were paid.
        public var refunded: Money
        /// Number of bills paid.
        public var payments: Int

        public init(charged: Money, tips: Money, refunded: Money, payments: Int) {
            self.charged = charged
            self.tips = tips
            self.refunded = refunded
            self.payments = payments
        }
    }

    /// One hour in one currency.
    public struct Hour: Codable, Sendable, Hashable {
        public var startsAt: Date
        /// Amount paid for bills, with tax and without tips.
        public var charged: Money

        public init(startsAt: Date, charged: Money) {
            self.startsAt = startsAt
            self.charged = charged
        }
    }

    /// Revenue of one product, at one area or car park or elsewhere, in one currency.
    public struct Row: Codable, Sendable, Hashable {
        public var product: Product
        /// Id of the area or car park; absent for none.
        public var site: String?
        /// Name of the area or car park; absent for none.
        public var siteName: String?
        /// The platform's revenue from payments, commission included, without tax and tips. Refunds
        /// don't reduce it.
        public var revenue: Money
        /// Refunds and lost disputes in this period at the platform's expense, commission included,
        /// without tax, whenever the bills were paid. Absent for none.
        public var refunded: Money?

        public init(
            product: Product, site: String?, siteName: String?, revenue: Money,
            refunded: Money? = nil
        ) {
            self.product = product
            self.site = site
            self.siteName = siteName
            (self.revenue, self.refunded) = (revenue, refunded)
        }
    }

    public var from: Date
    public var to: Date
    /// Currencies in which anything was paid or refunded.
    public var currencies: [Currency]
    /// Full hours in UTC, oldest first, one for each currency. Hours without payments are missing.
    public var hours: [Hour]
    /// By product, and area or car park; absent unless requested.
    public var rows: [Row]?

    public init(from: Date, to: Date, currencies: [Currency], hours: [Hour]) {
        self.from = from
        self.to = to
        self.currencies = currencies
        self.hours = hours
    }
}
