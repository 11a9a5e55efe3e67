import Contracts
import EventBus
import Foundation

/// A product's bill as payments has it: what is owed, and which attempt is paying it.
///
/// There is one row a bill. An attempt has to claim it before the provider is asked, so two attempts
/// can never be under way together, and none can begin after one has succeeded.
struct Receivable: Codable, Sendable, Hashable {
    /// The newest that was told; once it is paid, the one that was paid.
    private(set) var bill: Bill
    /// Version of the newest bill that was told; an older one changes nothing.
    private(set) var heard: Int
    /// The attempt that is processing, or waits for the payer's further step.
    private(set) var attempt: PaymentID?
    private(set) var paidBy: PaymentID?
    /// The operator who said last what is due.
    private(set) var changedBy: PersonID?
    var version = Version()

    init(_ bill: Bill) {
        self.bill = Bill(
            id: bill.id, product: bill.product, version: 0, payer: bill.payer,
            currency: bill.currency, facts: bill.facts)
        heard = 0
    }

    /// What `owe` did.
    enum Change: Sendable, Equatable {
        case none
        case replaced(old: Bill, new: Bill)
        /// The product asks for money that it has already got.
        case paidAlready(PaymentID)
    }

    /// Takes over what the product says.
    mutating func apply(_ new: Bill) -> Change {
        guard new.version > heard else { return .none }
        heard = new.version
        // What was paid keeps the lines that it was paid for.
        if let paidBy {
            let knowsOfIt = new.returns != nil || new.rewards != nil
            return new.amount == nil || knowsOfIt ? .none : .paidAlready(paidBy)
        }
        let old = bill
        bill = new
        guard old.owed != new.owed else { return .none }
        changedBy = new.by
        return .replaced(old: old, new: new)
    }

    /// Nil while nothing is due.
    var amount: Money? { bill.amount }

    /// Whether a payment is still what this bill waits for: it may have been withdrawn or replaced
    /// while the payment was under way. A bill may want a part of a hold, unless all of it is taken already.
    func wants(_ attempt: Attempt, isTaken: Bool = false) -> Bool {
        guard paidBy == nil else { return false }
        guard attempt.isHeldOnly, !isTaken else {
            return amount == attempt.payment.due && bill.shares == attempt.shares
        }
        // A part of what is set aside can be taken, more can't.
        let (total, held) = (bill.total, attempt.payment.amount)
        return bill.state == .open && total.currency == held.currency
            && (1...max(1, held.amount)).contains(total.amount)
    }

    /// What is to be paid now.
    func payable() throws(Refusal) -> Money {
        guard paidBy == nil else { throw .alreadyPaid }
        guard bill.state == .open, bill.total.amount > 0 else { throw .nothingDue }
        return bill.total
    }

    /// Gives the bill to one attempt, until that is settled.
    mutating func claim(for payment: PaymentID) throws(Refusal) {
        _ = try payable()
        guard attempt == nil else { throw .paymentInProgress }
        attempt = payment
    }

    mutating func settle(_ payment: PaymentID, succeeded: Bool) {
        if attempt == payment { attempt = nil }
        if succeeded { paidBy = payment }
    }

    /// Drops what tells who the payer was.
    mutating func forgetPayer() { bill.forgetPayer() }
}

extension Bill {
    /// Lines of one bill.
    static let mostLines = 200
    /// Rewards of one bill.
    static let mostRewards = 200

    /// What is to be paid; nil when that is nothing.
    var amount: Money? { state == .open && terms != .hold && total.amount > 0 ? total : nil }

    /// What the books have of it.
    var owed: [LedgerEntry.Line] { amount == nil ? [] : postings }

    /// A bill of two currencies, or of less than nothing, is a mistake of whoever made it: it is
    /// never entered, and ends where operators see it.
    ///
    /// One in a state or on terms that are not known here is left alone: its product is asked when somebody pays.
    func check() throws {
        _ = (try state.required("state"), try terms.required("terms"))
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw BillError.currencyUnknown }
        guard lines.count <= Self.mostLines else { throw BillError.tooLarge }
        var sum = 0
        for line in lines {
            guard line.amount.currency == currency,
                (line.commission?.currency ?? currency) == currency
            else { throw BillError.currenciesDiffer }
            guard (-Money.largestAmount...Money.largestAmount).contains(line.amount.amount) else {
                throw BillError.tooLarge
            }
            guard line.hasPossibleCommission else { throw BillError.commissionImpossible }
            sum += line.amount.amount
        }
        try checkRewards()
        guard sum >= 0 else { throw BillError.negative }
        guard sum <= Money.largestAmount else { throw BillError.tooLarge }
    }
}

extension Bill {
    fileprivate func checkRewards() throws {
        let rewards = rewards ?? []
        guard rewards.count <= Self.mostRewards else { throw BillError.tooLarge }
        for reward in rewards {
            guard reward.amount.currency == currency else { throw BillError.currenciesDiffer }
            guard reward.amount.amount != 0,
                (-Money.largestAmount...Money.largestAmount).contains(reward.amount.amount)
            else { throw BillError.rewardImpossible }
        }
    }
}

extension Bill.Line {
    /// A payee's line is of something, and the house keeps at most all of it.
    fileprivate var hasPossibleCommission: Bool {
        guard payee != nil else { return commission == nil }
        return amount.amount > 0 && (0...amount.amount).contains(commission?.amount ?? 0)
    }
}

/// Why a bill is not taken over.
enum BillError: Error, Equatable {
    case negative, tooLarge, currencyUnknown, currenciesDiffer, commissionImpossible
    case rewardImpossible
}

/// What one person gets of a tip.
struct TipShare: Codable, Sendable, Hashable {
    let payee: PersonID
    let amount: Money
}

enum Tip {
    /// In minor units: ten thousand in major units of most currencies.
    static let most = 1_000_000

    /// Equal parts; what can't be divided goes to the last.
    static func shares(of tip: Money, among payees: [PersonID]) -> [TipShare] {
        let count = payees.count
        guard count > 0 else { return [] }
        let part = tip.amount / count
        return payees.enumerated().map { index, payee in
            let amount = index == count - 1 ? tip.amount - part * (count - 1) : part
            return TipShare(payee: payee, amount: Money(amount: amount, currency: tip.currency))
        }.filter { $0.amount.amount > 0 }
    }
}
