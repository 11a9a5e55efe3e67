import Contracts
import Support
import Testing

@testable import Payments

/// Amounts in Stripe's units and ours, for every currency that Stripe takes.
@Suite(.withoutDatabase) struct StripeAmountTests {
    /// Stripe, supported presentment currencies.
    private static let currencies = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD \
        BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP \
        GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS \
        KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK \
        MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB \
        RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TND TOP TRY TTD TWD TZS UAH \
        UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW
        """.split(separator: " ").map(String.init)

    /// Stripe, zero-decimal currencies; one unit is 1.
    private static let whole: Set = [
        "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF",
        "XOF", "XPF",
    ]
    /// Stripe, three-decimal currencies; one unit is 1000.
    private static let thousandths: Set = ["BHD", "JOD", "KWD", "OMR", "TND"]

    /// What Stripe has to be sent for one unit: two decimals for ISK and UGX as well, though they have none.
    private static func unit(of currency: String) -> Int {
        whole.contains(currency) ? 1 : thousandths.contains(currency) ? 1_000 : 100
    }

    @Test func sevenUnitsOfEachCurrencyAreSevenUnitsAtStripeAndBack() throws {
        #expect(Self.currencies.count > 135)
        for currency in Self.currencies {
            let money = Money(amount: 7 * Money.minorUnits(of: currency), currency: currency)
            let sent = try #require(StripeAmount(money), "\(currency)")
            #expect(sent.value == 7 * Self.unit(of: currency), "\(currency)")
            #expect(sent.currency == currency.lowercased())
            #expect(try sent.money == money, "\(currency)")
            #expect(try StripeAmount(sent.value, currency).money == money, "\(currency)")
            let back = try #require(StripeAmount(money.negated), "\(currency)")
            #expect(back.value == -sent.value)
        }
    }

    @Test func theLeastChargeOfEachCurrencyCanBeSent() throws {
        for currency in Self.currencies {
            let least = Money(amount: Money.leastCharge(in: currency), currency: currency)
            #expect(least.isChargeable && StripeAmount(least) != nil, "\(currency)")
            #expect(!Money(amount: least.amount - 1, currency: currency).isChargeable)
        }
    }

    @Test(arguments: [
        ("UGX", 5_000, 500_000), ("ISK", 1_500, 150_000), ("KWD", 1_230, 1_230), ("JPY", 500, 500),
        ("MGA", 500_000, 5_000), ("HUF", 17_550, 17_550), ("TWD", 8_045, 8_045), ("EUR", 50, 50),
        ("BHD", 10, 10), ("TND", 99_990, 99_990), ("KRW", 1_000, 1_000), ("CLP", 900, 900),
    ])
    func anAmountIsSentInStripesUnits(currency: String, ours: Int, sent: Int) throws {
        let money = Money(amount: ours, currency: currency)
        #expect(StripeAmount(money)?.value == sent)
        #expect(try StripeAmount(sent, currency.lowercased()).money == money)
    }

    @Test(arguments: [
        ("KWD", 1_234), ("BHD", 5), ("JOD", 10_001), ("OMR", 999), ("TND", -15), ("MGA", 12_345),
    ])
    func whatStripeCannotBeToldIsNeverRounded(currency: String, amount: Int) {
        #expect(StripeAmount(Money(amount: amount, currency: currency)) == nil)
        #expect(!Money(amount: amount, currency: currency).isChargeable)
    }

    @Test func anAnswerOfNoWholeMinorUnitIsNoAmount() {
        for (value, currency) in [(150_050, "isk"), (1, "ugx")] {
            #expect(throws: ProviderUnavailable.self) { try StripeAmount(value, currency).money }
        }
        #expect(throws: ProviderUnavailable.self) { try StripeAmount(.max, "mga").money }
        #expect(StripeAmount(Money(amount: .max, currency: "UGX")) == nil)
    }
}
