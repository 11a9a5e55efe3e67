import Foundation

/// A rate of tax, and what it applies to. Of several rates that apply to a line, the most specific
/// one counts: with a kind before without, then with a product before without. A line without a
/// rate has no tax.
public struct TaxRate: Codable, Sendable, Hashable {
    /// ISO 3166-1 code of the country, with two letters.
    public var country: String
    /// Product whose lines have the rate; absent for all.
    public var product: Product?
    /// Kind of the lines that have the rate, for example `parkingTime`; absent for all.
    public var kind: String?
    /// Name of the tax in its country, for example `MwSt.`.
    public var name: String
    /// In thousandths of a percent: 19000 is 19 %, 8875 is 8.875 %.
    public var percentThousandths: Int

    public init(
        country: String, product: Product? = nil, kind: String? = nil, name: String,
        percentThousandths: Int
    ) {
        (self.country, self.product, self.kind) = (country, product, kind)
        (self.name, self.percentThousandths) = (name, percentThousandths)
    }
}

/// The rates to apply from a time on.
public struct TaxSettingsBody: Codable, Sendable, Hashable {
    /// Not before now, which is the default. Replaces settings that were planned for the same time.
    public var validFrom: Date?
    /// Whether prices include tax. If they don't, it is added when a bill is paid.
    public var pricesIncludeTax: Bool
    public var rates: [TaxRate]

    public init(validFrom: Date? = nil, pricesIncludeTax: Bool = true, rates: [TaxRate]) {
        (self.validFrom, self.rates) = (validFrom, rates)
        self.pricesIncludeTax = pricesIncludeTax
    }
}

/// A version of the tax rates.
public struct TaxSettings: Codable, Sendable, Hashable {
    /// Grows with each change.
    public var version: Int
    /// A bill has the rates of the latest settings that were valid when its price was shown.
    public var validFrom: Date
    /// Whether prices include tax. If they don't, it is added when a bill is paid.
    public var pricesIncludeTax: Bool
    public var rates: [TaxRate]
    /// The operator who made the version.
    public var by: PersonID
    public var changedAt: Date

    public init(
        version: Int, validFrom: Date, pricesIncludeTax: Bool, rates: [TaxRate], by: PersonID,
        changedAt: Date
    ) {
        (self.version, self.validFrom) = (version, validFrom)
        (self.pricesIncludeTax, self.rates) = (pricesIncludeTax, rates)
        (self.by, self.changedAt) = (by, changedAt)
    }
}

/// The tax rates that are valid now, and those to come.
public struct TaxSchedule: Codable, Sendable, Hashable {
    /// The newest version of the settings; 0 for none.
    public var version: Int
    /// Valid now; null for no tax.
    @Nullable public var current: TaxSettings?
    /// Valid later, the first one first.
    public var planned: [TaxSettings]

    public init(version: Int, current: TaxSettings?, planned: [TaxSettings]) {
        (self.version, self.planned) = (version, planned)
        self.current = current
    }
}

/// The amounts with one tax rate on a bill or a document: `net` and `tax` add up to `gross`.
public struct TaxRow: Codable, Sendable, Hashable {
    /// Name of the tax, for example `MwSt.`.
    public var name: String
    /// In thousandths of a percent: 19000 is 19 %.
    public var percentThousandths: Int
    /// ISO 3166-1 code of the country whose tax it is.
    public var country: String
    public var net: Money
    public var tax: Money
    public var gross: Money

    public init(
        name: String, percentThousandths: Int, country: String, gross: Money, tax: Money
    ) {
        (self.name, self.percentThousandths) = (name, percentThousandths)
        (self.country, self.gross, self.tax) = (country, gross, tax)
        net = Money(amount: gross.amount - tax.amount, currency: gross.currency)
    }
}
