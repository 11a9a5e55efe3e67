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

extension Order {
    /// Offers that are remembered at most, so that who answers late is told what has happened.
    static let mostPastOffers = 100

    /// Who can have no other job: has this one, or is asked whether they take it.
    var engagedValet: ValetID? { activeValet ?? offer?.valet }

    mutating func offer(
        to valet: ValetID, etaSeconds eta: Int, _ terms: OfferTerms, at now: Date
    ) throws(OrderError) -> ValetOffered {
        guard let leg = soughtLeg else { throw .notPossible(.offer, in: status) }
        try go(.offer, to: status, at: now)
        setAnswered(leg)
        let made = MadeOffer(
            valet: valet, leg: leg, etaSeconds: max(0, eta), offeredAt: now,
            deliverySeconds: terms.deliverySeconds, answerSeconds: terms.answerSeconds)
        offer = made
        return ValetOffered(
            order: snapshot, leg: leg, attempt: search(leg).attempt, valet: valet,
            meetingPoint: meetingPoint(leg), etaSeconds: made.etaSeconds,
            answerSeconds: made.answerSeconds)
    }

    /// The phone has the offer: the valet's time begins. False when it had begun before.
    mutating func confirmDelivery(to valet: ValetID, at now: Date) throws(OrderError) -> Bool {
        let made = try openOffer(of: valet, .offerDelivered, at: now)
        guard made.deliveredAt == nil else { return false }
        try go(.offerDelivered, to: status, at: now)
        offer?.deliveredAt = now
        return true
    }

    /// Nil when this valet has accepted before and still has the job.
    mutating func acceptOffer(
        by valet: ValetID, at now: Date
    ) throws(OrderError) -> ValetAssigned? {
        if activeValet == valet, let last = lastOffer(to: valet), last.outcome == nil {
            return nil
        }
        let made = try openOffer(of: valet, .acceptOffer, at: now)
        remember(made, nil)
        return try give(
            made.leg, to: valet, etaSeconds: made.etaSeconds, by: .acceptOffer, at: now)
    }

    /// Nil when this valet has declined before.
    mutating func declineOffer(by valet: ValetID, at now: Date) throws(OrderError) -> OfferEnded? {
        if offer?.valet != valet, lastOffer(to: valet)?.outcome == .declined { return nil }
        let made = try openOffer(of: valet, .declineOffer, at: now)
        try go(.declineOffer, to: status, at: now)
        return moveOn(from: made, .declined, at: now)
    }

    /// Silence: the phone did not confirm, or the valet did not answer.
    mutating func expireOffer(at now: Date) throws(OrderError) -> OfferEnded {
        guard let made = offer else { throw .notPossible(.offerExpired, in: status) }
        try go(.offerExpired, to: status, at: now)
        return moveOn(from: made, made.deliveredAt == nil ? .undelivered : .expired, at: now)
    }

    /// Ends an offer whose order no longer wants a valet; `sideEvents` then says so.
    mutating func withdrawOffer() {
        if let made = offer { remember(made, .withdrawn) }
    }

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
            lastOffer(to: made.valet)?.outcome == .withdrawn
        else { return nil }
        return OfferEnded(
            order: snapshot, leg: made.leg, valet: made.valet, outcome: .withdrawn, match: nil)
    }

    /// The present offer, if it is this valet's and their time is not over.
    private func openOffer(
        of valet: ValetID, _ action: OrderAction, at now: Date
    ) throws(OrderError) -> MadeOffer {
        guard let made = offer, made.valet == valet else {
            if lastOffer(to: valet) != nil { throw .dispatch(.offerEnded) }
            let isParty = dropOffValet == valet || returnValet == valet
            throw isParty ? .notAssigned : .unknown
        }
        try allow(action, by: .offeredValet(valet))
        guard now < made.expiresAt else { throw .dispatch(.offerEnded) }
        return made
    }

    private func lastOffer(to valet: ValetID) -> PastOffer? {
        pastOffers.last { $0.valet == valet }
    }

    private mutating func remember(_ made: MadeOffer, _ outcome: OfferEnded.Outcome?) {
        offer = nil
        let past = pastOffers + [PastOffer(valet: made.valet, outcome: outcome)]
        pastOffers = past.suffix(Self.mostPastOffers)
    }

    /// The next valet is looked for, and not this one again.
    private mutating func moveOn(
        from made: MadeOffer, _ outcome: OfferEnded.Outcome, at now: Date
    ) -> OfferEnded {
        remember(made, outcome)
        exclude(made.valet, from: made.leg)
        let match = ask(made.leg, at: now)
        return OfferEnded(
            order: snapshot, leg: made.leg, valet: made.valet, outcome: outcome, match: match)
    }
}
