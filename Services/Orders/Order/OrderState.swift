import Contracts
import Foundation

/// What follows from the state of an order.
extension Order {
    var isEnded: Bool { status.isEnd }

    /// The valet who has the job at present and can have no other.
    var activeValet: ValetID? {
        switch status {
        case .droppingOff, .parking: dropOffValet
        case .requestingBack, .returningBack: returnValet
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
        }
    }

    /// The leg that a valet is wanted for and nobody has.
    var soughtLeg: OrderLeg? {
        switch status {
        case .requested: offer == nil && !isAhead ? .dropOff : nil
        case .requestingBack: returnValet == nil && offer == nil ? .return : nil
        case .droppingOff, .parking, .parked, .returningBack, .waitingForPayment, .finished,
            .cancelled, .unfulfilled:
            nil
        }
    }

    var charge: Money? { bill?.charge }

    /// When matching was asked what it has not answered yet.
    var askedAt: Date? { soughtLeg.flatMap { search($0).askedAt } }

    func search(_ leg: OrderLeg) -> Search {
        switch leg {
        case .dropOff: dropOffSearch
        case .return: returnSearch
        }
    }

    /// The customer's side of a hand-over that is still to come.
    var visibleCode: String? {
        switch status {
        case .requested, .droppingOff, .requestingBack, .returningBack: handoverCode
        case .parking, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
        }
    }

    func meetingPoint(_ leg: OrderLeg) -> Place {
        switch leg {
        case .dropOff: dropOff
        case .return:
            parkedPlace?.place ?? dropOff
        }
    }

    /// How long and how much so far, or in the end. Extras that may still be done count as done.
    func quote(at now: Date) -> Quote {
        quote(at: now, expectedExtras)
    }

    /// What is due if the order ends now: of the extras, what has been done.
    func billSoFar(at now: Date) -> Quote {
        quote(at: now, work.done)
    }

    private func quote(at now: Date, _ extras: [Extra]) -> Quote {
        if let bill { return bill }
        guard let collectedAt, !isEnded else { return tariff.fee(.base, 0) }
        return tariff.quote(
            seconds: Self.seconds(from: collectedAt, to: now), extras: extras,
            carParks: carParks.isEmpty ? nil : carParks.amount(at: now))
    }

    private static func seconds(from start: Date, to end: Date) -> Int {
        Int(max(0, min(end.timeIntervalSince(start), Double(Tariff.longestBilledSeconds))))
    }
}
