// Minor units of currencies, and the amounts that can be charged by card.

extension Money {
    /// Currencies whose minor unit is not a hundredth (ISO 4217, list one).
    private static let otherDigits: [String: Int] = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
        "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
        "CLF": 4, "UYW": 4,
    ]

    /// Number of decimals of a currency (ISO 4217).
    public static func digits(of currency: String) -> Int { otherDigits[currency] ?? 2 }

    /// Number of minor units in one unit of a currency.
    public static func minorUnits(of currency: String) -> Int {
        (0..<digits(of: currency)).reduce(1) { unit, _ in unit * 10 }
    }

    /// The least amounts that a card can be charged, in minor units. The first rows are Stripe's
    /// (Stripe, minimum charge amounts). For the others, Stripe converts its minimum from the
    /// currency of the bank account at the rate of the day: they are rounded up from about 0.60 US
    /// dollars.
    private static let leastCharges: [String: Int] = [
        "AED": 200, "AUD": 50, "BGN": 100, "BRL": 50, "CAD": 50, "CHF": 50, "CZK": 1_500,
        "DKK": 250, "EUR": 50, "GBP": 30, "HKD": 400, "HUF": 17_500, "INR": 50, "JPY": 50,
        "MXN": 1_000, "MYR": 200, "NOK": 300, "NZD": 50, "PLN": 200, "RON": 200, "SEK": 300,
        "SGD": 50, "THB": 1_000, "USD": 50,

        "AFN": 5_000, "ALL": 6_000, "AMD": 25_000, "AOA": 60_000, "ARS": 100_000, "BDT": 8_000,
        "BHD": 250, "BIF": 2_000, "CDF": 200_000, "CLP": 600, "CNY": 500, "COP": 300_000,
        "CRC": 40_000, "DJF": 120, "DOP": 4_000, "DZD": 9_000, "EGP": 4_000, "ETB": 10_000,
        "GHS": 1_000, "GNF": 6_000, "GTQ": 500, "GYD": 15_000, "HNL": 2_000, "IDR": 1_000_000,
        "ILS": 250, "IQD": 1_000_000, "ISK": 100, "JMD": 10_000, "JOD": 450, "KES": 8_000,
        "KGS": 6_000, "KHR": 250_000, "KMF": 300, "KRW": 1_000, "KWD": 200, "KZT": 35_000,
        "LAK": 1_500_000, "LBP": 6_000_000, "LKR": 20_000, "LRD": 12_000, "MAD": 600,
        "MDL": 1_200, "MGA": 300_000, "MKD": 4_000, "MMK": 150_000, "MNT": 220_000, "MUR": 3_000,
        "MWK": 110_000, "MZN": 4_000, "NAD": 1_200, "NGN": 100_000, "NPR": 9_000, "OMR": 250,
        "PHP": 4_000, "PKR": 18_000, "PYG": 5_000, "QAR": 250, "RSD": 7_000, "RUB": 6_000,
        "RWF": 900, "SAR": 250, "SOS": 35_000, "TND": 2_000, "TRY": 3_000, "TWD": 2_000,
        "TZS": 170_000, "UAH": 2_500, "UGX": 2_500, "UYU": 2_500, "UZS": 800_000, "VND": 16_000,
        "VUV": 80, "XAF": 400, "XOF": 400, "XPF": 80, "YER": 16_000, "ZAR": 1_200, "ZMW": 1_700,
    ]

    /// The least amount that a card can be charged, in minor units; one unit of a currency that no
    /// table has.
    public static func leastCharge(in currency: String) -> Int {
        leastCharges[currency] ?? minorUnits(of: currency)
    }

    /// Amounts that a card is charged are multiples of this many minor units (Stripe, currencies:
    /// the last of three decimals has to be 0, and Malagasy ariary are whole).
    public static func chargeStep(in currency: String) -> Int {
        switch currency {
        case "BHD", "JOD", "KWD", "OMR", "TND": 10
        case "MGA": 100
        default: 1
        }
    }

    /// The next amount that a card can be charged, from this on, by the step alone.
    public var roundedUp: Money {
        let step = Self.chargeStep(in: currency)
        return Money(amount: (amount + step - 1) / step * step, currency: currency)
    }

    /// The amount, or nothing if a card can't be charged so little: such a rest is waived.
    public var withoutSmall: Money {
        (1..<Self.leastCharge(in: currency)).contains(amount) ? .zero(currency) : self
    }

    /// Whether a card can be charged this amount.
    public var isChargeable: Bool {
        amount >= Self.leastCharge(in: currency)
            && amount.isMultiple(of: Self.chargeStep(in: currency))
    }
}
