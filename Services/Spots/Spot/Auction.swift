import Contracts
import Foundation

/// An English auction with proxy bids: everyone bids a maximum, and the leader pays the second highest plus one step,
/// up to their own. Of equal bids, the first leads. Pure; amounts in minor units.
struct Auction: Codable, Sendable, Hashable {
    struct Bid: Codable, Sendable, Hashable {
        let request: SpotRequestID
        let bidder: PersonID
        let maximum: Int
    }

    /// The result of a bid: whose money to release.
    enum Change: Sendable, Hashable {
        case leads(instead: SpotRequestID?)
        /// The bid is outbid at once.
        case outbid
    }

    let start: Int
    private(set) var closesAt: Date
    private(set) var leader: Bid?
    /// The highest bid of all others.
    private(set) var second: Int?
    /// The current price for the leader.
    private(set) var current: Int
    private(set) var bids = 0

    init(start: Int, closesAt: Date) {
        (self.start, self.closesAt, current) = (start, closesAt, start)
    }

    /// The least that another bidder must bid; the leader only has to exceed their own last bid.
    func next(_ policy: SpotPolicy) -> Int {
        leader == nil ? start : current + policy.step(above: current)
    }

    func require(_ bid: Bid, _ policy: SpotPolicy, _ currency: String, at now: Date)
        throws(Refusal)
    {
        guard now < closesAt else { throw .auctionClosed }
        let least = leader?.bidder == bid.bidder ? (leader?.maximum ?? 0) + 1 : next(policy)
        guard bid.maximum >= least else {
            let next = Money(amount: least, currency: currency)
            throw .bidTooLow.because("Bid at least \(next.text(in: .english)).")
        }
    }

    /// Takes a bid whose money is held. A bid in the last seconds extends the auction, up to `latest`.
    mutating func take(
        _ bid: Bid, _ policy: SpotPolicy, latest: Date, at now: Date
    ) throws(Refusal) -> Change {
        guard now < closesAt else { throw .auctionClosed }
        bids += 1
        prolong(latest: latest, at: now)
        guard let old = leader else {
            guard bid.maximum >= start else { return .outbid }
            leader = bid
            return .leads(instead: nil)
        }
        if old.bidder == bid.bidder {
            guard bid.maximum > old.maximum else { return .outbid }
            lead(bid, policy)
            return .leads(instead: old.request)
        }
        let (lost, won) = bid.maximum > old.maximum ? (old, bid) : (bid, old)
        second = max(second ?? 0, lost.maximum)
        lead(won, policy)
        return won == bid ? .leads(instead: old.request) : .outbid
    }

    /// Handles a bid whose money is no longer held. All others were outbid and their money was released, so without its
    /// leader the auction starts again, for the remaining time and a little more.
    mutating func lose(_ request: SpotRequestID, latest: Date, at now: Date) {
        guard leader?.request == request else { return }
        (leader, second, current) = (nil, nil, start)
        if now < closesAt { prolong(latest: latest, at: now) }
    }

    private mutating func prolong(latest: Date, at now: Date) {
        guard closesAt.timeIntervalSince(now) <= SpotLimits.prolonging else { return }
        closesAt = max(closesAt, min(latest, closesAt.addingTimeInterval(SpotLimits.prolonging)))
    }

    private mutating func lead(_ bid: Bid, _ policy: SpotPolicy) {
        leader = bid
        guard let second else { return }
        current = max(start, min(bid.maximum, second + policy.step(above: second)))
    }
}
