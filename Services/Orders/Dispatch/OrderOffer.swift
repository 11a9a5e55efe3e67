import Contracts
import Foundation

/// A job that a valet is asked to take, and has not answered yet.
struct MadeOffer: Codable, Equatable, Sendable {
    let valet: ValetID
    let leg: OrderLeg
    let etaSeconds: Int
    let offeredAt: Date
    /// Time for the phone to confirm that it has the offer.
    let deliverySeconds: Int
    /// Time for the valet to answer, from then on.
    let answerSeconds: Int
    fileprivate(set) var deliveredAt: Date?

    /// When silence counts as no.
    var expiresAt: Date {
        deliveredAt?.addingTimeInterval(Double(answerSeconds))
            ?? offeredAt.addingTimeInterval(Double(deliverySeconds))
    }
}

/// What became of an offer.
struct PastOffer: Codable, Equatable, Sendable {
    let valet: ValetID
    /// Nil when it was accepted.
    let outcome: OfferEnded.Outcome?
}

/// How an area's offers are made.
struct OfferTerms: Sendable, Equatable {
    var deliverySeconds: Int
    var answerSeconds: Int
}

/// The offers of a job to valets; at most one valet has still to answer.
struct Offers: Codable, Equatable, Sendable {
    /// Offers that are remembered at most, so that who answers late is told what has happened.
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

    /// Nil when it is accepted; nothing happens when there is none.
    mutating func end(_ outcome: OfferEnded.Outcome?) {
        guard let made = open else { return }
        open = nil
        past = (past + [PastOffer(valet: made.valet, outcome: outcome)])
            .suffix(Self.mostRemembered)
    }
}

extension Order {
    /// The one that is not answered yet.
    var offer: MadeOffer? { offers.open }

    /// The valet who has this job, or has been asked whether they take it: they can have no other.
    var engagedValet: ValetID? { activeValet ?? offer?.valet }

    /// What else has to be told of a change that was made to the order as it was before: to valets that an offer or
    /// a task of theirs is no more, to operators that no code is left.
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

    /// The present offer, if it is this valet's and their time is not over.
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
