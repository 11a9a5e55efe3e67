import Contracts
import Foundation

/// A job offered to a valet who has not answered yet.
struct MadeOffer: Codable, Equatable, Sendable {
    let valet: ValetID
    let leg: OrderLeg
    let etaSeconds: Int
    let offeredAt: Date
    /// Time for the phone to confirm that it has received the offer.
    let deliverySeconds: Int
    /// Time for the valet to answer after that confirmation.
    let answerSeconds: Int
    fileprivate(set) var deliveredAt: Date?

    /// No answer by then counts as a decline.
    var expiresAt: Date {
        deliveredAt?.addingTimeInterval(Double(answerSeconds))
            ?? offeredAt.addingTimeInterval(Double(deliverySeconds))
    }
}

/// An offer that has ended.
struct PastOffer: Codable, Equatable, Sendable {
    let valet: ValetID
    /// Nil when it was accepted.
    let outcome: OfferEnded.Outcome?
}

/// The terms of an area's offers.
struct OfferTerms: Sendable, Equatable {
    var deliverySeconds: Int
    var answerSeconds: Int
}

/// The offers of a job to valets; at most one of them is open.
struct Offers: Codable, Equatable, Sendable {
    /// The most past offers that are kept, so that a late answer gets the actual outcome.
    static let mostRemembered = 100

    private(set) var open: MadeOffer?
    private var past: [PastOffer] = []

    var made: Int { past.count + (open == nil ? 0 : 1) }

    var accepted: Int { past.count { $0.outcome == nil } }

    func last(to valet: ValetID) -> PastOffer? {
        past.last { $0.valet == valet }
    }

    mutating func make(_ offer: MadeOffer) {
        open = offer
    }

    mutating func confirmDelivery(at now: Date) {
        open?.deliveredAt = now
    }

    /// Ends the open offer, if there is one. The outcome is nil if the valet accepted.
    mutating func end(_ outcome: OfferEnded.Outcome?) {
        guard let made = open else { return }
        open = nil
        past = (past + [PastOffer(valet: made.valet, outcome: outcome)])
            .suffix(Self.mostRemembered)
    }
}

extension Order {
    /// The open offer.
    var offer: MadeOffer? { offers.open }

    /// The valet who has this job or an open offer of it, and so can't take another.
    var engagedValet: ValetID? { activeValet ?? offer?.valet }

    /// Further events that a change to the order causes: to valets who lose an offer or a task, and to operators
    /// when all codes are used up.
    func sideEvents(since before: Order) -> [any OrderEvent] {
        let ended: [any OrderEvent] = offerWithdrawn(since: before).map { [$0] } ?? []
        let stuck: [any OrderEvent] =
            areCodesUsedUp && !before.areCodesUsedUp
            ? [OrderNeedsOperator(order: snapshot, cause: .wrongCodes)] : []
        return ended + tasksDropped(since: before) + stuck
    }

    private func offerWithdrawn(since before: Order) -> OfferEnded? {
        guard let made = before.offer, offer == nil,
            offers.last(to: made.valet)?.outcome == .withdrawn
        else { return nil }
        return OfferEnded(
            order: snapshot, leg: made.leg, valet: made.valet, outcome: .withdrawn, match: nil)
    }

    /// The open offer, if it is this valet's and has not expired.
    func openOffer(
        of valet: ValetID, _ action: OrderAction, at now: Date
    ) throws(Refusal) -> MadeOffer {
        guard let made = offer, made.valet == valet else {
            if offers.last(to: valet) != nil { throw .offerEnded }
            let isParty = dropOffValet == valet || returnValet == valet
            throw isParty ? .orderNotAssigned : .orderUnknown
        }
        try allow(action, by: .offeredValet(valet))
        guard now < made.expiresAt else { throw .offerEnded }
        return made
    }
}
