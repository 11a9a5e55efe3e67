import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// The cheapest products for a time.
@Suite(.withoutDatabase) struct CombinationTests {
    private static let malta = LocalDays(TimeZone(identifier: "Europe/Malta")!)
    private static let hour: TimeInterval = 3_600

    private static func offer(
        _ kind: ParkingProduct.Unit, _ price: Int, _ quantities: ClosedRange<Int> = 1...31
    ) -> ParkingOffer {
        var body = ParkingProductBody(name: kind.rawValue, kind: kind, price: price)
        (body.minQuantity, body.maxQuantity) = (quantities.lowerBound, quantities.upperBound)
        return ParkingOffer(ParkingProduct(id: .new(), body, version: 1))
    }

    private static let usual = [
        offer(.hourly, 450, 1...24), offer(.daily, 2_800, 1...14), offer(.weekly, 14_000, 1...8),
        offer(.monthly, 28_000, 1...12),
    ]

    private static func time(_ text: String) throws -> Date {
        try Date("\(text):00Z", strategy: .iso8601)
    }

    private static func text(_ charges: [ParkingCharge]?) -> String? {
        charges?.map { "\($0.quantity) \($0.kind.rawValue)" }.joined(separator: " + ")
    }

    @Test(
        arguments: [
            (1.0, "1 hourly", 450), (3, "3 hourly", 1_350), (6, "6 hourly", 2_700),
            (7, "1 daily", 2_800), (24, "1 daily", 2_800), (26, "1 daily + 2 hourly", 3_700),
            (24 * 4 + 6, "4 daily + 6 hourly", 13_900), (24 * 5, "1 weekly", 14_000),
            (24 * 7 + 0.5, "1 weekly + 1 hourly", 14_450),
        ] as [(Double, String, Int)])
    func theCheapestIsFoundAndNamed(hours: Double, text: String, price: Int) throws {
        let start = try Self.time("2026-11-02T08:00")
        let found = Self.usual.cheapest(
            from: start, until: start.addingTimeInterval(hours * Self.hour), Self.malta)
        #expect(Self.text(found) == text)
        #expect(found?.amount == price)
    }

    @Test func quantitiesAreRespected() throws {
        let start = try Self.time("2026-11-02T08:00")
        func found(_ offers: [ParkingOffer], _ hours: Double) -> String? {
            Self.text(
                offers.cheapest(
                    from: start, until: start.addingTimeInterval(hours * Self.hour), Self.malta))
        }
        let hours = Self.offer(.hourly, 100, 3...5)
        #expect(found([hours], 1) == "3 hourly")
        #expect(found([hours], 5) == "5 hourly")
        #expect(found([hours], 5.01) == nil)
        let days = Self.offer(.daily, 1_000, 2...3)
        #expect(found([hours, days], 24) == "2 daily")
        #expect(found([hours, days], 77) == "3 daily + 5 hourly")
        #expect(found([hours, days], 77.1) == nil)
        #expect(found([], 1) == nil)
        #expect(found([hours], 0) == nil)
    }

    /// On 29 March 2026 Malta's clocks go from 02:00 to 03:00, and back on 25 October.
    @Test func aDayIsAsLongAsItIs() throws {
        let spring = try Self.time("2026-03-28T11:00")
        let day = 24 * Self.hour
        #expect(
            Self.text(
                Self.usual.cheapest(
                    from: spring, until: spring.addingTimeInterval(day), Self.malta))
                == "1 daily + 1 hourly")
        let autumn = try Self.time("2026-10-24T10:00")
        #expect(
            Self.text(
                Self.usual.cheapest(
                    from: autumn, until: autumn.addingTimeInterval(day + Self.hour), Self.malta))
                == "1 daily")
    }

    @Test func monthsAndYearsFollowTheCalendar() throws {
        let offers = [Self.offer(.daily, 1_000), Self.offer(.monthly, 5_000, 1...12)]
        let start = try Self.time("2028-01-31T11:00")
        func found(_ offers: [ParkingOffer], _ end: String) throws -> String? {
            Self.text(offers.cheapest(from: start, until: try Self.time(end), Self.malta))
        }
        #expect(try found(offers, "2028-02-29T11:00") == "1 monthly")
        #expect(try found(offers, "2028-03-01T11:00") == "1 monthly + 1 daily")
        let yearly = offers + [Self.offer(.yearly, 40_000, 1...2)]
        #expect(try found(yearly, "2029-01-31T11:00") == "1 yearly")
        #expect(try found(yearly, "2029-02-01T11:00") == "1 yearly + 1 daily")
        #expect(try found(yearly, "2031-03-01T11:00") == nil)
    }

    /// Every number of each product is tried.
    @Test func nothingCheaperExists() throws {
        var random = SeededGenerator(seed: 29)
        for _ in 0..<150 {
            func quantities(_ most: Int) -> ClosedRange<Int> {
                let least = Int.random(in: 1...most, using: &random)
                return least...Int.random(in: least...most, using: &random)
            }
            func price(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
            let offers = [
                Self.offer(.hourly, price(50), quantities(30)),
                Self.offer(.hourly, price(50), quantities(10)),
                Self.offer(.daily, price(600), quantities(5)),
                Self.offer(.weekly, price(3_000), quantities(2)),
            ]
            let start = try Self.time("2026-03-20T09:30")
            let end = start.addingTimeInterval(
                TimeInterval(Int.random(in: 1...12 * 86_400, using: &random)))
            let found = offers.cheapest(from: start, until: end, Self.malta)
            #expect(found?.amount == Self.cheapestOfAll(offers, from: start, until: end))
            let later = offers.cheapest(
                from: start, until: end.addingTimeInterval(5_000), Self.malta)
            if let found, let later { #expect(found.amount <= later.amount) }
        }
    }

    private static func cheapestOfAll(
        _ offers: [ParkingOffer], from start: Date, until end: Date
    ) -> Int? {
        func counts(_ offer: ParkingOffer) -> [Int] { [0] + Array(offer.least...offer.most) }
        var best: Int?
        for weeks in counts(offers[3]) {
            for days in counts(offers[2]) {
                let reached = ParkingProduct.Unit.daily.end(
                    of: start, quantity: weeks * 7 + days, malta)
                let left = max(0, Int((end.timeIntervalSince(reached) / hour).rounded(.up)))
                for first in counts(offers[0]) {
                    for second in counts(offers[1]) where first + second >= left {
                        let price =
                            weeks * offers[3].price + days * offers[2].price
                            + first * offers[0].price + second * offers[1].price
                        best = min(best ?? price, price)
                    }
                }
            }
        }
        return best
    }
}

/// SplitMix64: the same numbers in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
