import Contracts
import Foundation
import ServiceKit

/// What points are earned for, and what they are worth. Pure.
///
/// A whole unit of money that is captured earns a point; of each payment parts of a unit earn nothing. When money goes
/// back, so many points stay as what remains paid would have earned. A point is worth a hundredth of a whole unit of
/// the currency in which it was earned; parts of a minor unit are worth nothing. Points do not expire.
enum LoyaltyRules {
    /// Points that are worth a whole unit.
    private static let pointsOfUnit = 100
    /// Of a booking's price this part at most is paid with points, so that there is always something to pay.
    private static let mostShare = 2
    /// Entries that are shown.
    static let shown = 100

    static func points(of amount: Int, _ currency: String) -> Int {
        max(0, amount) / Money.minorUnits(of: currency)
    }

    /// In minor units; what is missing is worth nothing.
    static func worth(of points: Int, _ currency: String) -> Int {
        let (high, low) = max(0, points).multipliedFullWidth(by: Money.minorUnits(of: currency))
        return pointsOfUnit.dividingFullWidth((high, low)).quotient
    }

    /// What so many points take off a price; refuses what is worth nothing, or more than a part of it.
    static func discount(
        _ points: Int, of price: Int, _ currency: String
    ) throws(Refusal) -> Int {
        guard points != 0 else { return 0 }
        guard (1...Money.largestAmount).contains(points) else { throw .pointsInvalid }
        let worth = worth(of: points, currency)
        guard worth > 0, worth <= price / mostShare else { throw .pointsInvalid }
        return worth
    }
}
