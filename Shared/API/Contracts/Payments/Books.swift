import Foundation

/// Sums of the payments and refunds that the filters of a list find.
public struct PaymentTotals: Codable, Sendable, Hashable {
    /// Sums in one currency. Only payments and refunds that succeeded count, as on receipts and
    /// credit notes. Money for bills that no longer existed is returned and doesn't count.
    public struct Currency: Codable, Sendable, Hashable {
        public var payments: Int
        public var refunds: Int
        /// Amount of the payments, with tips and taxes.
        public var paid: Money
        /// Amount of the refunds.
        public var refunded: Money
        /// Part of `paid` that is tips.
        public var tips: Money
        /// Part of `paid` that is tax.
        public var tax: Money
        /// Part of `refunded` that is tax.
        public var refundedTax: Money

        public init(
            payments: Int, refunds: Int, paid: Money, refunded: Money, tips: Money, tax: Money,
            refundedTax: Money
        ) {
            (self.payments, self.refunds) = (payments, refunds)
            (self.paid, self.refunded) = (paid, refunded)
            (self.tips, self.tax, self.refundedTax) = (tips, tax, refundedTax)
        }
    }

    /// Number of payments and refunds in the list, in any state.
    public var count: Int
    public var currencies: [Currency]

    public init(count: Int, currencies: [Currency]) {
        (self.count, self.currencies) = (count, currencies)
    }
}

/// Sums of the ledger entries that the filters of a list find.
public struct LedgerTotals: Codable, Sendable, Hashable {
    /// Sums of all postings in one currency; with the filter `account`, of that account's postings.
    public struct Currency: Codable, Sendable, Hashable {
        public var debits: Money
        /// A positive amount.
        public var credits: Money

        public init(debits: Money, credits: Money) {
            (self.debits, self.credits) = (debits, credits)
        }
    }

    /// Number of entries.
    public var count: Int
    public var currencies: [Currency]

    public init(count: Int, currencies: [Currency]) {
        (self.count, self.currencies) = (count, currencies)
    }
}

/// An account of the ledger, with its name.
public struct LedgerAccountInfo: Codable, Sendable, Hashable {
    /// For example `revenue:valet`, or `payable:` and a person's id.
    public var id: String
    /// For example `revenue`.
    public var kind: String
    /// The name in your language.
    public var name: String
    /// The person whose account it is; null for others.
    @Nullable public var person: PersonID?
    /// The product whose account it is; null for others.
    @Nullable public var product: Product?
    /// Id of the area or car park where the product earns it; null for others.
    @Nullable public var site: String?
    /// Name of the area or car park; null for none.
    @Nullable public var siteName: String?

    public init(
        id: String, kind: String, name: String, person: PersonID?, product: Product?, site: String?,
        siteName: String?
    ) {
        (self.id, self.kind, self.name) = (id, kind, name)
        self.person = person
        self.product = product
        (self.site, self.siteName) = (site, siteName)
    }
}

/// Everything entered in the ledger in a period, in one currency.
public struct BookSums: Codable, Sendable, Hashable {
    /// Revenue of one product, at one area or car park or elsewhere.
    public struct Sold: Codable, Sendable, Hashable {
        public var product: Product
        /// Id of the area or car park; null for none.
        @Nullable public var site: String?
        /// Name of the area or car park; null for none.
        @Nullable public var siteName: String?
        /// The platform's own revenue from payments, without tax.
        public var revenue: Money
        /// The platform's commission on other people's shares.
        public var commission: Money
        /// Refunds and lost disputes at the platform's expense, without tax, less those that later
        /// failed or were reversed.
        public var refunded: Money
        /// Commission given up because of refunds and lost disputes.
        public var commissionRefunded: Money

        public init(
            product: Product, site: String?, siteName: String?, revenue: Money, commission: Money,
            refunded: Money, commissionRefunded: Money
        ) {
            self.product = product
            (self.revenue, self.commission) = (revenue, commission)
            (self.refunded, self.commissionRefunded) = (refunded, commissionRefunded)
            self.site = site
            self.siteName = siteName
        }
    }

    /// Taxes of one country.
    public struct Tax: Codable, Sendable, Hashable {
        /// ISO 3166-1 code.
        public var country: String
        /// Tax on what was paid.
        public var charged: Money
        /// Tax on what was refunded.
        public var refunded: Money

        public init(country: String, charged: Money, refunded: Money) {
            (self.country, self.charged, self.refunded) = (country, charged, refunded)
        }
    }

    /// One account that holds money: the provider's, a drawer or the card terminals.
    public struct Means: Codable, Sendable, Hashable {
        /// Name of the ledger account, for example `cash:desk`.
        public var account: String
        /// The name in your language.
        public var name: String
        /// Balance at the start of the period.
        public var opening: Money
        /// Received from payers.
        public var received: Money
        /// Refunded to payers.
        public var refunded: Money
        /// Paid out to people.
        public var paidOut: Money
        /// All else, for example disputes, deposits and differences of a drawer.
        public var other: Money
        /// Balance at the end of the period.
        public var closing: Money

        public init(
            account: String, name: String, opening: Money, received: Money, refunded: Money,
            paidOut: Money, other: Money, closing: Money
        ) {
            (self.account, self.name, self.opening) = (account, name, opening)
            (self.received, self.refunded, self.paidOut) = (received, refunded, paidOut)
            (self.other, self.closing) = (other, closing)
        }
    }

    /// A number of entries, and their amount.
    public struct Count: Codable, Sendable, Hashable {
        public var count: Int
        public var amount: Money

        public init(count: Int, amount: Money) { (self.count, self.amount) = (count, amount) }
    }

    /// ISO 4217 code.
    public var currency: String
    /// Payments of bills: the amount includes taxes and tips.
    public var payments: Count
    /// By product, and area or car park.
    public var sold: [Sold]
    /// Shares of payments that belong to people, without commission and tips.
    public var shares: Money
    public var tips: Money
    /// Money that was paid for bills that no longer existed, and is returned.
    public var credited: Money
    /// Money for such bills that has been returned.
    public var creditReturned: Money
    public var taxes: [Tax]
    /// Refunds of payments, including refunds that failed later.
    public var refunds: Count
    /// Refunds that failed after they had succeeded.
    public var refundsFailed: Count
    /// Money that banks have taken for disputes.
    public var disputes: Count
    /// Money that banks have returned.
    public var disputesReturned: Count
    /// Lost disputes, less those whose loss was reversed.
    public var disputesLost: Count
    /// The provider's fees for disputes, less those that it returned.
    public var disputeFees: Money
    /// Cash missing from drawers when they were counted, less any surplus.
    public var cashDifference: Money
    /// Payouts to people that were completed, less those that came back.
    public var payouts: Count
    public var means: [Means]

    public init(
        currency: String, payments: Count, sold: [Sold], shares: Money, tips: Money,
        credited: Money, creditReturned: Money, taxes: [Tax], refunds: Count, refundsFailed: Count,
        disputes: Count, disputesReturned: Count, disputesLost: Count, disputeFees: Money,
        cashDifference: Money, payouts: Count, means: [Means]
    ) {
        (self.currency, self.payments, self.sold) = (currency, payments, sold)
        (self.shares, self.tips) = (shares, tips)
        (self.credited, self.creditReturned) = (credited, creditReturned)
        (self.taxes, self.refunds, self.disputes) = (taxes, refunds, disputes)
        (self.refundsFailed, self.disputesReturned) = (refundsFailed, disputesReturned)
        (self.disputesLost, self.disputeFees) = (disputesLost, disputeFees)
        self.cashDifference = cashDifference
        (self.payouts, self.means) = (payouts, means)
    }
}

/// The numbers of the documents that were issued in a period, of one series.
public struct DocumentRange: Codable, Sendable, Hashable {
    public var first: String
    public var last: String
    public var count: Int

    public init(first: String, last: String, count: Int) {
        (self.first, self.last, self.count) = (first, last, count)
    }
}

/// Tax on the documents of a period, by its rate.
public struct TaxOfRate: Codable, Sendable, Hashable {
    /// ISO 3166-1 code.
    public var country: String
    /// Rate of tax, in thousandths of a percent: 25500 is 25.5 %.
    public var percentThousandths: Int
    /// Amount without the tax; refunds are subtracted.
    public var net: Money
    public var tax: Money

    public init(country: String, percentThousandths: Int, net: Money, tax: Money) {
        (self.country, self.percentThousandths) = (country, percentThousandths)
        (self.net, self.tax) = (net, tax)
    }
}

/// The books of a period in the company's time zone.
public struct BookPeriod: Codable, Sendable, Hashable {
    public var from: Date
    /// Exclusive.
    public var until: Date
    /// IANA name of the company's time zone.
    public var timeZone: String
    /// Currencies in which anything was entered, or money is held.
    public var currencies: [BookSums]
    public var taxes: [TaxOfRate]
    public var documents: [DocumentRange]

    public init(
        from: Date, until: Date, timeZone: String, currencies: [BookSums], taxes: [TaxOfRate],
        documents: [DocumentRange]
    ) {
        (self.from, self.until, self.timeZone) = (from, until, timeZone)
        (self.currencies, self.taxes, self.documents) = (currencies, taxes, documents)
    }
}

/// The books of one day of the company. A closed day keeps its numbers: later entries belong to later days.
public struct BookDay: Codable, Sendable, Hashable {
    /// The comparison of the day with the payment provider's statement.
    public struct Comparison: Codable, Sendable, Hashable {
        public var compared: Int
        public var differences: Int
        public var madeAt: Date

        public init(compared: Int, differences: Int, madeAt: Date) {
            (self.compared, self.differences, self.madeAt) = (compared, differences, madeAt)
        }
    }

    /// The day in the company's time zone, for example `2026-11-21`.
    public var day: String
    public var books: BookPeriod
    /// Null until the day has been compared.
    @Nullable public var reconciliation: Comparison?
    /// When the day was closed; null while it is open.
    @Nullable public var closedAt: Date?
    /// The operator who closed it; null while it is open.
    @Nullable public var closedBy: PersonID?
    /// The operator's note; null for none.
    @Nullable public var note: String?

    public init(day: String, books: BookPeriod, reconciliation: Comparison?) {
        (self.day, self.books) = (day, books)
        self.reconciliation = reconciliation
        (closedAt, closedBy, note) = (nil, nil, nil)
    }
}

/// A day of a month, and whether its books are closed.
public struct BookDayState: Codable, Sendable, Hashable {
    /// The day in the company's time zone, for example `2026-11-21`.
    public var day: String
    /// When it was closed; null while it is open.
    @Nullable public var closedAt: Date?
    /// Differences from the provider's statement; null until the day has been compared.
    @Nullable public var differences: Int?

    public init(day: String, closedAt: Date?, differences: Int?) {
        self.day = day
        self.closedAt = closedAt
        self.differences = differences
    }
}

/// The days of a month until today, newest first.
public struct BookMonth: Codable, Sendable, Hashable {
    /// For example `2026-11`.
    public var month: String
    /// IANA name of the company's time zone.
    public var timeZone: String
    public var days: [BookDayState]

    public init(month: String, timeZone: String, days: [BookDayState]) {
        (self.month, self.timeZone, self.days) = (month, timeZone, days)
    }
}

/// Closes a day of the books.
public struct CloseDayBody: Codable, Sendable {
    public var note: String?
    /// Closes the day although it is not over: what follows belongs to the next day.
    public var early: Bool?

    public init(note: String? = nil, early: Bool? = nil) { (self.note, self.early) = (note, early) }
}

/// The books of a month.
public struct Statement: Codable, Sendable, Hashable {
    /// For example `2026-11`.
    public var month: String
    /// Whether all days of the month are closed, so that its numbers are final.
    public var isFinal: Bool
    public var books: BookPeriod

    public init(month: String, isFinal: Bool, books: BookPeriod) {
        (self.month, self.isFinal, self.books) = (month, isFinal, books)
    }
}

/// The balances of one person.
public struct PersonBalance: Codable, Sendable, Hashable {
    /// A person's balance in one currency.
    public struct Currency: Codable, Sendable, Hashable {
        /// Amount that can be paid out; negative if more was refunded than was left.
        public var available: Money
        /// Amount that was billed for the person and is not paid yet.
        public var pending: Money
        /// Amount that is not paid out while payments are disputed.
        public var frozen: Money
        /// Amount of payouts that the provider has not completed.
        public var processing: Money
        /// Total of all completed payouts.
        public var paidOut: Money

        public init(
            available: Money, pending: Money, frozen: Money, processing: Money, paidOut: Money
        ) {
            (self.available, self.pending, self.frozen) = (available, pending, frozen)
            (self.processing, self.paidOut) = (processing, paidOut)
        }
    }

    public var person: PersonID
    /// Null for a deleted account.
    @Nullable public var name: String?
    public var currencies: [Currency]
    /// The person's newest payout; null if there was none.
    @Nullable public var lastPayout: Payout?

    public init(person: PersonID, name: String?, currencies: [Currency], lastPayout: Payout?) {
        (self.person, self.currencies) = (person, currencies)
        self.name = name
        self.lastPayout = lastPayout
    }
}
