import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Prices of stays by a tariff.
@Suite(.withoutDatabase) struct TariffPriceTests {
    private static let malta = LocalDays(
        TimeZone(identifier: "Europe/Malta")!, holidays: ["12-25", "2026-12-08"])

    /// 15 minutes free, the first hour 2.00, then 1.50 an hour by day and 4.00 a night, at most 14.00 a day.
    private static var usual: ParkingRates {
        var rates = ParkingRates(bands: [
            TariffBand(from: "08:00", until: "20:00", price: 150, unitMinutes: 60),
            TariffBand("Night", from: "20:00", until: "08:00", price: 400),
        ])
        rates.first = [TariffStep(minutes: 15, price: 0), TariffStep(minutes: 60, price: 200)]
        rates.dailyMaximum = 1_400
        return rates
    }

    /// In UTC; Malta is an hour ahead in winter, and two in summer.
    private static func time(_ text: String) throws -> Date {
        try Date("\(text)Z", strategy: .iso8601)
    }

    private static func price(
        _ rates: ParkingRates, _ start: Date, _ seconds: TimeInterval
    ) -> Int {
        TariffPricing(rates: rates, days: malta)
            .charges(from: start, until: start.addingTimeInterval(seconds)).amount
    }

    /// From Monday, 2 November at 09:00 there.
    @Test(
        arguments: [
            (0.0, 0), (1, 0), (900, 0), (901, 200), (4_500, 200), (4_501, 350), (8_100, 350),
            (8_101, 500), (12 * 3_600, 1_400), (23 * 3_600, 1_400), (23 * 3_600 + 1, 1_550),
        ] as [(Double, Int)])
    func theFirstMinutesComeFirstThenStartedUnits(seconds: Double, price: Int) throws {
        let start = try Self.time("2026-11-02T08:00:00")
        #expect(Self.price(Self.usual, start, seconds) == price)
    }

    @Test func linesSayWhatWasCounted() throws {
        var rates = Self.usual
        rates.dailyMaximum = 800
        let charges = TariffPricing(rates: rates, days: Self.malta).charges(
            from: try Self.time("2026-11-02T08:00:00"), until: try Self.time("2026-11-02T20:00:00"))
        #expect(charges.map(\.kind) == [.first, .first, .band, .band, .dailyMaximum])
        #expect(charges.map(\.quantity) == [1, 1, 10, 1, 1])
        #expect(charges.map(\.amount) == [0, 200, 1_500, 400, -1_300])
        let english = charges.map { $0.line(in: "EUR", .english) }
        #expect(
            english.map(\.text) == [
                "First 15 minutes, free", "First 60 minutes", "08:00–20:00", "Night",
                "Daily maximum",
            ])
        #expect(english[2].unit == "hours")
        #expect(english[2].unitPrice == Money(amount: 150, currency: "EUR"))
        #expect(english[3].unit == nil)
    }

    /// A night counts for the day on which it begins, so each day has its own maximum.
    @Test func theMaximumIsOfEachDay() throws {
        var rates = Self.usual
        rates.first = nil
        let eight = try Self.time("2026-11-02T07:00:00")
        #expect(Self.price(rates, eight, 86_400) == 1_400)
        for days in 1...30 {
            #expect(Self.price(rates, eight, Double(days) * 86_400) == days * 1_400)
        }
        let twoInTheNight = try Self.time("2026-11-02T01:00:00")
        #expect(Self.price(rates, twoInTheNight, 6 * 3_600) == 400)
        #expect(Self.price(rates, twoInTheNight, 6 * 3_600 + 1) == 550)
    }

    @Test func aNightHasItsMaximum() throws {
        let rates = ParkingRates(bands: [
            TariffBand(from: "08:00", until: "20:00", price: 150, unitMinutes: 60),
            TariffBand(
                "Night", from: "20:00", until: "08:00", price: 50, unitMinutes: 30, maximum: 300),
        ])
        let evening = try Self.time("2026-11-02T19:00:00")
        #expect(Self.price(rates, evening, 1_800) == 50)
        #expect(Self.price(rates, evening, 3 * 3_600) == 300)
        #expect(Self.price(rates, evening, 12 * 3_600) == 300)
    }

    /// On 29 March 2026 Malta's clocks go from 02:00 to 03:00, and back on 25 October.
    @Test func nightsOnWhichClocksAreChangedAreAsLongAsTheyAre() throws {
        let rates = ParkingRates(bands: [TariffBand(price: 100, unitMinutes: 60)])
        let pricing = TariffPricing(rates: rates, days: Self.malta)
        func day(_ from: String, _ until: String) throws -> Int {
            try pricing.charges(from: Self.time(from), until: Self.time(until)).amount
        }
        #expect(try day("2026-03-28T23:00:00", "2026-03-29T22:00:00") == 2_300)
        #expect(try day("2026-10-24T22:00:00", "2026-10-25T23:00:00") == 2_500)
        #expect(try day("2028-02-28T23:00:00", "2028-02-29T23:00:00") == 2_400)
        #expect(try day("2026-11-01T23:00:00", "2027-11-01T23:00:00") == 365 * 2_400)
    }

    @Test func weekendsAndHolidaysHaveTheirBands() throws {
        let rates = ParkingRates(bands: [
            TariffBand(
                days: [.monday, .tuesday, .wednesday, .thursday, .friday], price: 100,
                unitMinutes: 60),
            TariffBand("Weekend", days: [.saturday, .sunday], price: 500),
            TariffBand("Holiday", days: [.holiday], price: 0),
        ])
        // Friday to Saturday, over midnight.
        #expect(Self.price(rates, try Self.time("2026-11-06T21:00:00"), 4 * 3_600) == 700)
        // Tuesday, 8 December is a holiday in that year, and 25 December in every one.
        #expect(Self.price(rates, try Self.time("2026-12-08T09:00:00"), 3_600) == 0)
        #expect(Self.price(rates, try Self.time("2027-12-08T09:00:00"), 3_600) == 100)
        #expect(Self.price(rates, try Self.time("2027-12-25T09:00:00"), 3_600) == 0)
    }

    @Test func aHolidayWithoutBandsIsItsDayOfTheWeek() throws {
        let rates = ParkingRates(bands: [TariffBand(price: 100, unitMinutes: 60)])
        #expect(Self.price(rates, try Self.time("2026-12-25T09:00:00"), 3_600) == 100)
    }

    @Test func anEventHasItsOwnPrices() throws {
        var rates = Self.usual
        var event = TariffEvent(
            "Festival", from: "2026-11-03", until: "2026-11-04",
            bands: [TariffBand(price: 1_000, unitMinutes: 60)])
        event.dailyMaximum = 2_500
        rates.events = [event]
        let eight = try Self.time("2026-11-02T07:00:00")
        // The night before ends at midnight, where the event begins.
        #expect(Self.price(rates, eight, 16 * 3_600) == 1_400)
        #expect(Self.price(rates, eight, 16 * 3_600 + 1) == 2_400)
        #expect(Self.price(rates, try Self.time("2026-11-03T08:00:00"), 60) == 1_000)
        #expect(Self.price(rates, try Self.time("2026-11-03T08:00:00"), 10 * 3_600) == 2_500)
        // At five on the morning after it, it is night as usual.
        rates.first = nil
        #expect(Self.price(rates, try Self.time("2026-11-05T04:00:00"), 600) == 400)
    }

    /// Bands at random, as an operator could give them.
    private static func random(_ random: inout SeededGenerator) -> ParkingRates {
        let hours = (0..<Int.random(in: 1...4, using: &random))
            .map { _ in Int.random(in: 0...23, using: &random) }
        let starts = Set(hours).sorted()
        let bands = starts.indices.map { index in
            let (from, until) = (starts[index], starts[(index + 1) % starts.count])
            // What no card can be charged is no price.
            let drawn = Int.random(in: 0...500, using: &random)
            let price = drawn < 50 ? 0 : drawn
            var band = TariffBand(
                from: "\(from < 10 ? "0" : "")\(from):00",
                until: "\(until < 10 ? "0" : "")\(until):00", price: price)
            if Bool.random(using: &random) {
                band.unitMinutes = Int.random(in: 1...180, using: &random)
                band.maximum = Bool.random(using: &random) ? price * 3 : nil
            }
            return band
        }
        var rates = ParkingRates(bands: bands)
        if Bool.random(using: &random) {
            rates.dailyMaximum = Int.random(in: 500...3_000, using: &random)
        }
        return rates
    }

    @Test func leavingLaterIsNeverCheaperAndNoDayAboveItsMaximum() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            var rates = Self.random(&random)
            if Bool.random(using: &random) { rates.first = Self.usual.first }
            _ = try TariffRules.checked(
                ParkingTariffBody(rates: [rates]), old: nil, in: "EUR", today: "2026-01-01")
            let start = try Self.time("2026-10-23T00:00:00")
                .addingTimeInterval(TimeInterval(Int.random(in: 0...172_800, using: &random)))
            var last = 0
            for seconds in stride(from: 0.0, through: 4 * 86_400, by: 7_321) {
                let price = Self.price(rates, start, seconds)
                #expect(price >= last)
                if let most = rates.dailyMaximum {
                    // A stay of so many days touches at most so many.
                    #expect(price <= most * (Int(seconds / 86_400) + 3))
                }
                last = price
            }
        }
    }

    @Test func withoutFirstMinutesAStayIsTheSumOfItsDays() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let rates = Self.random(&random)
            let first = rates.bands.map(\.start).min() ?? 0
            let noon = try Self.time("2026-10-20T10:00:00")
            func begin(_ offset: Int) -> Date {
                Self.malta.moment(Self.malta.day(of: noon, offset: offset), minute: first)
            }
            let pricing = TariffPricing(rates: rates, days: Self.malta)
            let whole = pricing.charges(from: begin(0), until: begin(9)).amount
            let parts = (0..<9).map {
                pricing.charges(from: begin($0), until: begin($0 + 1)).amount
            }
            #expect(whole == parts.reduce(0, +))
            if let most = rates.dailyMaximum { #expect(parts.allSatisfy { $0 <= most }) }
        }
    }
}
