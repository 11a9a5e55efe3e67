import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import CarParks

/// What no card can be charged is refused where its price is made.
@Suite struct LeastPriceTests {
    @Test(arguments: [1, 20, 49])
    func aProductCostsNothingOrWhatACardCanBeCharged(price: Int) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let path = "/v1/admin/car-parks/\(offer.carPark.id)/products"
            let body = ParkingProductBody(name: "Hour", kind: .hourly, price: price)
            let problem = try await bench.call(.post, path, body, as: .olivia)
                .refused(422, "request.invalid", field: "price")
            #expect(problem.detail == "The price has to be 0 or at least €0.50.")
            try await bench.call(.put, "\(path)/\(offer.product.id)", body, as: .olivia)
                .refused(422, "request.invalid", field: "price")
            for free in [0, 50] {
                _ = try await bench.product(of: offer.carPark, price: free)
            }
        }
    }

    @Test func pointsLeaveNothingThatIsTooSmall() throws {
        // Half of the price at most: 80 cents less 40 leave 40.
        #expect(throws: Refusal.self) { try LoyaltyRules.discount(40, of: 80, "EUR") }
        #expect(try LoyaltyRules.discount(50, of: 100, "EUR") == 50)
        #expect(try LoyaltyRules.discount(0, of: 80, "EUR") == 0)
    }

    @Test func aRestThatIsTooSmallIsWaived() {
        for (amount, rest) in [(0, 0), (1, 0), (49, 0), (50, 50), (-20, -20)] {
            #expect(Money(amount: amount, currency: "EUR").withoutSmall.amount == rest)
        }
    }
}
