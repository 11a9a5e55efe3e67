import Contracts
import Foundation

/// Values derived from an order's state.
extension Order {
    var isEnded: Bool { status.isEnd }

    /// The valet who has the job and so can have no other.
    var activeValet: ValetID? {
        switch status {
        case .droppingOff, .parking: dropOffValet
        case .requestingBack, .returningBack: returnValet
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
        }
    }

    /// The leg that still needs a valet.
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

    /// When the unanswered request was sent to matching.
    var askedAt: Date? { soughtLeg.flatMap { search($0).askedAt } }

    func search(_ leg: OrderLeg) -> Search {
        switch leg {
        case .dropOff: dropOffSearch
        case .return: returnSearch
        }
    }

    /// The customer's code for the next hand-over.
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

    /// The price and duration so far, or in the end. Extras that may still be done count as done.
    func quote(at now: Date) -> Quote {
        quote(at: now, expectedExtras)
    }

    /// The amount due if the order ends now; only completed extras count.
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
