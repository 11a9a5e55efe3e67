import Foundation

/// A payout was made, failed, or came back.
public struct PayoutChanged: Event {
    public static let type = "payments.payout-changed.v1"
    public static let topic = Topic.payments
    public var payout: PayoutID
    public var person: PersonID
    public var amount: Money
    public var status: Open<Payout.Status>
    /// Why it failed; absent if it did not.
    public var problem: Open<PayoutProblem>?
    /// Part of a paid payout that has come back; absent for none.
    public var returned: Money?
    public var key: String { payout.description }

    public init(_ payout: Payout, to person: PersonID) {
        (self.payout, self.person, amount) = (payout.id, person, payout.amount)
        status = .known(payout.status)
        problem = payout.problem.map(Open.known)
        returned = payout.returned
    }
}

/// The status of a person's account for payouts has changed.
public struct PayoutAccountChanged: Event {
    public static let type = "payments.payout-account-changed.v1"
    public static let topic = Topic.payments
    public var person: PersonID
    public var status: Open<PayoutAccount.Status>
    public var key: String { person.description }

    public init(_ person: PersonID, _ status: PayoutAccount.Status) {
        self.person = person
        self.status = .known(status)
    }
}
