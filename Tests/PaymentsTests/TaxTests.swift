import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// The arithmetic of taxes, on bills without a database.
@Suite struct TaxTests {
    static let told = Date(timeIntervalSince1970: 1_767_600_000)

    static func settings(
        _ rates: [TaxRate], pricesIncludeTax: Bool = true
    ) -> TaxSettings {
        TaxSettings(
            version: 1, validFrom: told, pricesIncludeTax: pricesIncludeTax, rates: rates,
            by: TestPerson.olivia.id, changedAt: told)
    }

    static func rate(
        _ percentThousandths: Int, _ name: String = "VAT", of product: Product? = nil,
        kind: String? = nil
    ) -> TaxRate {
        TaxRate(
            country: "DE", product: product, kind: kind, name: name,
            percentThousandths: percentThousandths)
    }

    private func bill(_ amounts: [(kind: String, amount: Int)], _ currency: String) -> Bill {
        var bill = Bill.of(nil, version: 1)
        bill.currency = currency
        bill.lines = amounts.map { kind, amount in
            var line = Bill.Line.of(kind, "Service", "服務", amount)
            line.amount.currency = currency
            return line
        }
        return bill
    }

    @Test(
        .withoutDatabase,
        arguments: [
            // Of a price with tax: 19 % of 100 are in 119; a half is rounded up.
            ("EUR", 11_900, 19_000, 1_900), ("EUR", 10_000, 19_000, 1_597),
            ("EUR", 1, 19_000, 0), ("EUR", 4, 19_000, 1), ("JPY", 1_100, 10_000, 100),
            ("JPY", 11, 10_000, 1), ("KWD", 1_050, 5_000, 50), ("HKD", 12_000, 0, 0),
            ("USD", 10_000, 8_875, 815),
        ])
    func theTaxInAPriceIsRoundedHalfUp(currency: String, gross: Int, rate: Int, tax: Int) throws {
        let bill = bill([("base", gross)], currency)
        let found = try #require(BillTax(bill, by: Self.settings([Self.rate(rate)]), country: "DE"))
        #expect(found.total == tax)
        #expect(found.added == 0)
        let row = try #require(found.rows(currency).first)
        #expect(row.net.amount + row.tax.amount == row.gross.amount)
        #expect(row.gross == Money(amount: gross, currency: currency))
    }

    @Test(
        .withoutDatabase,
        arguments: [(10_000, 19_000, 1_900), (50, 1_000, 1), (49, 1_000, 0), (10_000, 8_875, 888)])
    func taxOnTopIsRoundedHalfUp(net: Int, rate: Int, tax: Int) throws {
        let settings = Self.settings([Self.rate(rate)], pricesIncludeTax: false)
        let found = try #require(BillTax(bill([("base", net)], "USD"), by: settings, country: "DE"))
        #expect(found.added == tax)
        #expect(found.rows("USD").map(\.gross.amount) == [net + tax])
    }

    /// As products tell it, and as it is refunded.
    @Test(
        .withoutDatabase,
        arguments: [
            ("EUR", 400, 472), ("EUR", 133, 157), ("EUR", 25, 30), ("EUR", 500, 572),
            ("EUR", 0, 0), ("KWD", 125, 150), ("JPY", 1, 1),
        ])
    func aPartIsRefundedWithItsShareOfTheTaxOnTop(currency: String, part: Int, back: Int) {
        let refund = Money(amount: part, currency: currency).refund(of: 400, tax: 72)
        #expect(refund == Money(amount: back, currency: currency))
        let free = Money(amount: part, currency: currency).refund(of: 0, tax: 0)
        #expect(free == Money(amount: part, currency: currency).roundedUp)
    }

    @Test(.withoutDatabase) func taxIsRoundedOverTheSumOfARatesLines() throws {
        // Each alone has 0.16 of tax, which would be none.
        let three = bill([("a", 1), ("b", 1), ("c", 1), ("d", 1)], "EUR")
        let found = try #require(
            BillTax(three, by: Self.settings([Self.rate(19_000)]), country: "DE"))
        #expect(found.total == 1)
        #expect(found.parts.map(\.tax).reduce(0, +) == 1)
    }

    @Test(.withoutDatabase) func eachLineHasTheMostSpecificRate() throws {
        let settings = Self.settings([
            Self.rate(19_000), Self.rate(7_000, of: .made), Self.rate(0, "zero", kind: "food"),
            Self.rate(5_000, of: .made, kind: "food"),
        ])
        #expect(settings.rate(of: .made, "base", in: "DE")?.percentThousandths == 7_000)
        #expect(settings.rate(of: .made, "food", in: "DE")?.percentThousandths == 5_000)
        #expect(settings.rate(of: "other", "food", in: "DE")?.percentThousandths == 0)
        #expect(settings.rate(of: "other", "base", in: "DE")?.percentThousandths == 19_000)
        #expect(settings.rate(of: .made, "base", in: "FR") == nil)
    }

    @Test(.withoutDatabase) func severalRatesAreTaxedApartAndDeductionsReduceTheirOwn() throws {
        let settings = Self.settings([Self.rate(19_000), Self.rate(7_000, kind: "food")])
        let bill = bill([("base", 11_900), ("food", 10_700), ("points", -1_190)], "EUR")
        let found = try #require(BillTax(bill, by: settings, country: "DE"))
        #expect(found.groups.map(\.gross) == [10_710, 10_700])
        #expect(found.groups.map(\.tax) == [1_710, 700])
        #expect(found.rate(of: 2, in: bill) == 19_000)
        // What a line has of its rate's tax goes with it into its product's revenue.
        let earned = bill.earnings(with: found)
        #expect(earned.reduce(0) { $0 + $1.amount.amount } == 0)
        #expect(earned.first { $0.account.kind == .tax }?.amount.amount == -2_410)
        #expect(earned.first { $0.account.kind == .revenue }?.amount.amount == -19_000)
    }

    @Test(.withoutDatabase) func onlyTheCommissionOfAPayeesLineHasTax() throws {
        var bill = Bill.of(nil, version: 1)
        bill.lines = [.of("ride", "Ride", "順風車", 10_000, payee: .bob, commission: 1_190)]
        for included in [true, false] {
            let settings = Self.settings([Self.rate(19_000)], pricesIncludeTax: included)
            let found = try #require(BillTax(bill, by: settings, country: "DE"))
            #expect(found.groups.map(\.gross) == [1_190])
            // Also where prices are without tax: the payer owes nothing more for it.
            #expect((found.total, found.added) == (190, 0))
            #expect(found.rate(of: 0, in: bill) == nil)
        }
    }

    @Test(.withoutDatabase) func withoutARateOrACountryThereIsNoTax() {
        let bill = bill([("base", 100)], "EUR")
        #expect(BillTax(bill, by: Self.settings([]), country: "DE") == nil)
        #expect(BillTax(bill, by: Self.settings([Self.rate(19_000)]), country: nil) == nil)
        #expect(BillTax(bill, by: Self.settings([Self.rate(19_000)]), country: "FR") == nil)
        var abroad = bill
        abroad.facts.country = "DE"
        #expect(BillTax(abroad, by: Self.settings([Self.rate(19_000)]), country: "FR") != nil)
    }

    /// No card can be charged a thousandth of a dinar.
    @Test(
        .withoutDatabase,
        arguments: [
            ("KWD", 1_230, 5_000, 60), ("KWD", 1_300, 5_000, 70), ("KWD", -1_300, 5_000, -70),
            ("MGA", 12_300, 20_000, 2_500), ("JPY", 1_230, 5_000, 62), ("EUR", 1_230, 5_000, 62),
        ])
    func taxOnTopIsChargeable(currency: String, net: Int, rate: Int, tax: Int) {
        let step = Money.chargeStep(in: currency)
        #expect(TaxArithmetic.tax(on: net, at: rate, step: step) == tax)
    }

    @Test(.withoutDatabase, arguments: 1...200)
    func partsSumUpToTheWhole(seed: Int) {
        var dice = PropertyTests.Dice(state: UInt64(seed))
        let weights = (0..<Int.random(in: 1...9, using: &dice)).map { _ in
            Int.random(in: -1_000...100_000, using: &dice)
        }
        let amount = Int.random(in: -1_000_000...1_000_000, using: &dice)
        let isPossible = weights.reduce(0, +) != 0
        #expect(
            TaxArithmetic.split(amount, by: weights).reduce(0, +) == (isPossible ? amount : 0))
    }

    @Test(.withoutDatabase, arguments: 1...200)
    func refundsTakeExactlyAllTaxBack(seed: Int) throws {
        var dice = PropertyTests.Dice(state: UInt64(seed))
        var bill = bill(
            [
                ("base", Int.random(in: 1...20_000, using: &dice)),
                ("food", Int.random(in: 1...20_000, using: &dice)),
            ], "EUR")
        let commission = Int.random(in: 0...999, using: &dice)
        var ride = Bill.Line.of("ride", "Ride", "順風車", 1_000, payee: .bob)
        ride.amount.currency = "EUR"
        ride.commission = Money(amount: commission, currency: "EUR")
        bill.lines.append(ride)
        let settings = Self.settings([Self.rate(19_000), Self.rate(7_000, kind: "food")])
        let tax = try #require(BillTax(bill, by: settings, country: "DE"))
        let (due, shares) = (bill.total.amount, bill.shares)
        var (taken, left, of) = (TaxTaken(of: tax), due, 1_000)
        var (back, ofCommission) = (tax.groups.map { _ in 0 }, 0)
        while left > 0 {
            let isRide = of > 0 && Bool.random(using: &dice)
            let amount = Int.random(in: 1...(isRide ? min(of, left) : left), using: &dice)
            left -= amount
            var parts: [TakenBack] = []
            // The last refund takes back everything that is left of the payee's line.
            let part = isRide ? amount : left == 0 ? of : 0
            if part > 0 {
                let net = shares[0].net(of: 1_000 - of + part) - shares[0].net(of: 1_000 - of)
                parts = [
                    TakenBack(share: 0, payee: TestPerson.bob.id, net: net, commission: part - net)
                ]
                of -= part
            }
            let found = taken.take(amount, of: due, left: left, parts, shares, tax)
            for part in found.parts {
                #expect(part.tax >= 0)
                back[part.group] += part.tax
            }
            ofCommission += found.ofCommissions.reduce(0, +)
        }
        #expect(back == tax.groups.map(\.tax))
        if of == 0 { #expect(ofCommission == tax.part(of: 2)?.tax ?? 0) }
        #expect(taken.gross == tax.groups.map(\.gross))
    }

    /// The first refund waits for the provider while the second takes back all that is left.
    @Test(.withoutDatabase, arguments: [(1, 100), (5_000, 0), (12_899, 999)])
    func aRefundThatWaitsTakesNoMoreTaxThanItsOwn(first: Int, commission: Int) throws {
        var bill = bill([("base", 11_900)], "EUR")
        var ride = Bill.Line.of("ride", "Ride", "順風車", 1_000, payee: .bob)
        ride.amount.currency = "EUR"
        ride.commission = Money(amount: commission, currency: "EUR")
        bill.lines.append(ride)
        let tax = try #require(BillTax(bill, by: Self.settings([Self.rate(19_000)]), country: "DE"))
        let (due, shares) = (12_900, bill.shares)
        let parts = [
            TakenBack(
                share: 0, payee: TestPerson.bob.id, net: 1_000 - commission, commission: commission)
        ]
        var inTurn = TaxTaken(of: tax)
        let early = inTurn.take(first, of: due, left: due - first, [], shares, tax)
        _ = inTurn.take(due - first, of: due, left: 0, parts, shares, tax)
        var taken = TaxTaken(of: tax)
        let rest = taken.take(due - first, of: due, left: first, parts, shares, tax)
        let before = taken
        let late = taken.take(first, of: due, left: 0, [], shares, tax)
        #expect(rest.total + late.total == tax.total)
        #expect(abs(late.total - early.total) <= 1)
        #expect(late.parts.reduce(0) { $0 + $1.gross } <= first)
        #expect(rest.ofCommissions == [tax.part(of: 1)?.tax ?? 0])
        #expect((taken.gross, taken.tax) == (inTurn.gross, inTurn.tax))
        // It fails instead: what the other one has taken back stays.
        taken.giveBack(late, [])
        #expect(taken == before)
    }

    @Test(.withoutDatabase) func aRefundThatFailsAfterAllGivesItsTaxAgain() throws {
        let bill = bill([("base", 11_900)], "EUR")
        let tax = try #require(BillTax(bill, by: Self.settings([Self.rate(19_000)]), country: "DE"))
        var taken = TaxTaken(of: tax)
        let before = taken
        let first = taken.take(1_000, of: 11_900, left: 10_900, [], [], tax)
        #expect(first.total == 160)
        taken.giveBack(first, [])
        #expect(taken == before)
    }
}
