import Contracts
import Support
import Testing

@testable import Orders

@Suite(.withoutDatabase) struct BillTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var seconds: Int
        var charge: Int
        var testDescription: String { "\(seconds) s" }
    }

    /// 8000, 15 minutes free, 2500 each started half hour, at most 48000 a started day.
    @Test(arguments: [
        Case(seconds: -5, charge: 8_000),
        Case(seconds: 0, charge: 8_000),
        Case(seconds: 900, charge: 8_000),
        Case(seconds: 901, charge: 10_500),
        Case(seconds: 900 + 1_800, charge: 10_500),
        Case(seconds: 900 + 1_801, charge: 13_000),
        Case(seconds: 900 + 16 * 1_800, charge: 48_000),
        Case(seconds: 900 + 16 * 1_800 + 1, charge: 48_000),
        Case(seconds: 86_400, charge: 48_000),
        Case(seconds: 86_401, charge: 96_000),
        Case(seconds: 2 * 86_400, charge: 96_000),
        Case(seconds: 10 * 86_400, charge: 480_000),
        Case(seconds: .max, charge: 3_650 * 48_000),
    ])
    func timeCountsInStartedIncrementsUpToTheCapOfEachStartedDay(_ example: Case) {
        let quote = Tariff.usual.quote(seconds: example.seconds, extras: [])
        #expect(quote.charge == Money(amount: example.charge, currency: "HKD"))
        #expect(quote.lines.reduce(0) { $0 + $1.amount.amount } == example.charge)
    }

    @Test func theLinesSayWhatMadeTheCharge() {
        let quote = Tariff.usual.quote(seconds: 86_400, extras: [.wash, .refuel])
        #expect(quote.durationSeconds == 86_400)
        #expect(quote.lines.map(\.kind.known) == [.base, .time, .dailyCap, .wash, .refuel])
        #expect(
            quote.lines.map(\.amount.amount) == [
                8_000, 48 * 2_500, 48_000 - 8_000 - 48 * 2_500, 18_000, 10_000,
            ])
        #expect(quote.charge.amount == 48_000 + 28_000)
    }

    @Test func theCapDoesNotTouchExtras() {
        var tariff = Tariff.usual
        tariff.dailyCap = 0
        #expect(tariff.quote(seconds: 5_000, extras: [.wash]).charge.amount == 18_000)
    }

    @Test func aFreeTariffChargesNothing() {
        #expect(Tariff.free.quote(seconds: 1_000_000, extras: []).charge.amount == 0)
    }

    @Test func theDearestTariffDoesNotOverflow() {
        let most = Money.largestAmount
        let tariff = Tariff(
            currency: "HKD", baseFee: most, freeMinutes: 0, incrementPrice: most,
            incrementMinutes: 1, dailyCap: most, extras: ["wash": most, "refuel": most],
            cancellationFee: most, cancellationGraceSeconds: 0, noShowFee: most, waitingSeconds: 0)
        let quote = tariff.quote(seconds: .max, extras: [.wash, .refuel])
        #expect(quote.charge.amount == most)
    }
}
