import Contracts
import Foundation
import ServiceKit

/// How points are earned, and their worth. Pure.
///
/// A payment earns one point per whole unit of money; the fraction earns nothing. After a refund, the points that the
/// remaining payment would have earned are kept. A point is worth a hundredth of a whole unit of the currency in which
/// it was earned; fractions of a minor unit are worth nothing. Points do not expire.
enum LoyaltyRules {
    /// Points that are worth one whole unit.
    private static let pointsOfUnit = 100
    /// Points pay at most half of a booking's price, so that there is always something to pay.
    private static let mostShare = 2
    /// The most entries that are shown.
    static let shown = 100

    static func points(of amount: Int, _ currency: String) -> Int {
        max(0, amount) / Money.minorUnits(of: currency)
    }

    /// In minor units; a negative balance is worth nothing.
    static func worth(of points: Int, _ currency: String) -> Int {
        let (high, low) = max(0, points).multipliedFullWidth(by: Money.minorUnits(of: currency))
        return pointsOfUnit.dividingFullWidth((high, low)).quotient
    }

    /// The discount for points. Throws if they are worth nothing, more than the allowed share of the price, or leave
    /// less than a card can be charged.
    static func discount(
        _ points: Int, of price: Int, _ currency: String
    ) throws(Refusal) -> Int {
        guard points != 0 else { return 0 }
        guard (1...Money.largestAmount).contains(points) else { throw .pointsInvalid }
        let worth = worth(of: points, currency)
        guard worth > 0, worth <= price / mostShare else { throw .pointsInvalid }
        guard Money(amount: price - worth, currency: currency).isChargeable else {
            let least = Money(amount: Money.leastCharge(in: currency), currency: currency)
            throw .pointsInvalid.because(
                "What is left to pay has to be at least \(least.text(in: .english)).")
        }
        return worth
    }
}
