import Contracts
import Foundation
import Geo

/// A customer's plan for one order. It is drawn beforehand, so that it does not depend on what others do meanwhile.
struct Visit: Sendable, Equatable {
    enum Cancelling: Sendable, Equatable {
        case never
        /// Simulated seconds after the order.
        case whileWaiting(Double)
        /// Simulated seconds after a valet was found.
        case withValet(Double)
        /// Lets the valet wait until the grace period is over.
        case afterGrace
    }

    let dropOff: Place
    let returnTo: Place
    let extras: [Extra]
    /// Index of the customer's vehicle; nil to order without naming one.
    let vehicle: Int?
    /// Seconds ahead by the server's clock; nil for as soon as possible.
    let aheadSeconds: TimeInterval?
    let looksAround: Bool
    /// First tries once to order outside the area.
    let isLost: Bool
    let cancelling: Cancelling
    /// Does not come to the meeting point.
    let isAbsent: Bool
    /// Simulated seconds until the customer recalls the vehicle.
    let parkedSeconds: Double
    let looksAtQuote: Bool
    let changesMindAboutReturn: Bool
    /// Percentage of the bill.
    let tipPercent: Int
    let looksAtReceipt: Bool
    /// Nil for no rating.
    let stars: Int?
    let comment: String?
    /// Simulated seconds until the next visit.
    let restSeconds: Double

    private static let returnMeters = 1_500.0
    private static let comments = [
        "Quick and friendly.", "準時，服務好。", "Arrived earlier than promised.",
        "Very careful with my car.",
        "泊車好快，多謝！", "Fine.", "Had to wait a little at the return.", "下次會再用。",
    ]

    /// `called` is where a stranger waits for work; nobody lets them down.
    init(
        _ generator: inout SeededGenerator, in town: SimulatedTown, vehicles: Int,
        called: Place? = nil
    ) {
        let drawn = town.place(&generator)
        dropOff = called ?? drawn
        returnTo = town.place(near: dropOff.coordinate, within: Self.returnMeters, &generator)
        let offered = town.tariff.map { tariff in
            Extra.allCases.filter { tariff.extras[$0.rawValue] != nil }
        }
        extras = (offered ?? []).filter { _ in generator.chance(15) }
        vehicle =
            generator.chance(85) && vehicles > 0
            ? Int.random(in: 0..<vehicles, using: &generator) : nil
        // A little more than the server's minimum.
        aheadSeconds =
            called == nil && generator.chance(5) ? generator.within(930...1_500) : nil
        looksAround = generator.chance(60)
        isLost = called == nil && generator.chance(3)
        cancelling = called == nil ? Self.cancelling(&generator) : .never
        isAbsent = generator.chance(3)
        parkedSeconds = generator.within(called == nil ? 10 * 60...40 * 60 : 30...90)
        looksAtQuote = generator.chance(50)
        changesMindAboutReturn = generator.chance(5)
        tipPercent = generator.pick([0, 0, 0, 5, 10, 10, 15]) ?? 0
        looksAtReceipt = generator.chance(40)
        stars = generator.chance(75) ? generator.pick([5, 5, 5, 5, 4, 4, 4, 3, 2, 1]) : nil
        comment = generator.chance(40) ? generator.pick(Self.comments) : nil
        restSeconds = generator.within(5 * 60...20 * 60)
    }

    private static func cancelling(_ generator: inout SeededGenerator) -> Cancelling {
        let seconds = generator.within(3...15)
        let later = generator.within(20...120)
        switch generator.within(0...100) {
        case ..<4: return .whileWaiting(seconds)
        case ..<8: return .withValet(later)
        case ..<10: return .afterGrace
        default: return .never
        }
    }
}
