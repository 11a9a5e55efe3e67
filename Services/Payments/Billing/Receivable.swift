import Contracts
import EventBus
import Foundation

/// A product's bill as stored by payments: the amount due, and the attempt that is paying it.
///
/// There is one row per bill. An attempt has to claim it before the provider is called, so two attempts
/// can never run together, and none can begin after one has succeeded.
struct Receivable: Codable, Sendable, Hashable {
    /// The latest bill received; once paid, the version that was paid.
    private(set) var bill: Bill
    /// Version of the latest bill received; older ones change nothing.
    private(set) var heard: Int
    /// The attempt that is processing, or is waiting for the payer's further step.
    private(set) var attempt: PaymentID?
    private(set) var paidBy: PaymentID?
    /// The operator who last changed the amount due.
    private(set) var changedBy: PersonID?
    /// When the payer was told the price; absent while there is none, and in rows of earlier releases.
    private(set) var toldAt: Date?
    /// Tax of the bill by the rates of that time; absent for none.
    private(set) var tax: BillTax?
    var version = Version()

    init(_ bill: Bill) {
        self.bill = Bill(
            id: bill.id, product: bill.product, version: 0, payer: bill.payer,
            currency: bill.currency, facts: bill.facts)
        heard = 0
    }

    /// The result of `apply`.
    enum Change: Sendable, Equatable {
        case none
        case replaced(old: Bill, new: Bill)
        /// The product asks again for money that it already has.
        case paidAlready(PaymentID)
    }

    /// Takes the product's bill.
    ///
    /// - Parameter tax: The tax of a bill whose price was told at a time.
    mutating func apply(
        _ new: Bill, at now: Date, tax taxOf: (Bill, Date) throws -> BillTax?
    ) rethrows -> Change {
        guard new.version > heard else { return .none }
        heard = new.version
        // A paid bill keeps the lines that were paid.
        if let paidBy {
            let knowsOfIt = new.returns != nil || new.rewards != nil
            return new.amount == nil || knowsOfIt ? .none : .paidAlready(paidBy)
        }
        let (old, owed) = (bill, self.owed)
        bill = new
        toldAt = new.hasPrice ? new.pricedAt.map { min($0, now) } ?? toldAt ?? now : nil
        tax = try toldAt.flatMap { try taxOf(new, $0) }
        guard owed != self.owed else { return .none }
        changedBy = new.by
        return .replaced(old: old, new: new)
    }

    /// Nil if nothing is due.
    var amount: Money? { bill.amount }

    /// The amount charged, without a tip: the bill, and tax on top of it.
    var charge: Money {
        Money(amount: bill.total.amount + (tax?.added ?? 0), currency: bill.currency)
    }

    /// Tax on top of the bill; nil if its prices include it.
    var addedTax: Money? {
        tax.flatMap {
            $0.pricesIncludeTax ? nil : Money(amount: $0.added, currency: bill.currency)
        }
    }

    /// The bill's ledger lines while it is due.
    var owed: [LedgerEntry.Line] { amount == nil ? [] : bill.postings(with: tax) }

    /// Whether the bill still waits for this payment: it may have been withdrawn or replaced in the
    /// meantime. It may want a part of a hold, unless all of it has been captured.
    func wants(_ attempt: Attempt, isTaken: Bool = false) -> Bool {
        guard paidBy == nil else { return false }
        guard attempt.isHeldOnly, !isTaken else {
            return amount != nil && charge == attempt.payment.due
                && bill.shares == attempt.shares
        }
        // A part of the hold can be captured, but not more.
        let (total, held) = (charge, attempt.payment.amount)
        return bill.state == .open && total.currency == held.currency
            && (1...max(1, held.amount)).contains(total.amount)
    }

    /// The amount to pay now, with tax on top.
    func payable() throws(Refusal) -> Money {
        guard paidBy == nil else { throw .alreadyPaid }
        guard bill.state == .open, bill.total.amount > 0 else { throw .nothingDue }
        return charge
    }

    /// Gives the bill to one attempt until that is settled.
    mutating func claim(for payment: PaymentID) throws(Refusal) {
        _ = try payable()
        guard attempt == nil else { throw .paymentInProgress }
        attempt = payment
    }

    mutating func settle(_ payment: PaymentID, succeeded: Bool) {
        if attempt == payment { attempt = nil }
        if succeeded { paidBy = payment }
    }

    /// Removes the payer's personal data.
    mutating func forgetPayer() { bill.forgetPayer() }
}

extension Bill {
    /// The most lines of a bill.
    static let mostLines = 200
    /// The most rewards of a bill.
    static let mostRewards = 200

    /// The amount to pay; nil if there is none.
    var amount: Money? { state == .open && terms != .hold && total.amount > 0 ? total : nil }

    /// Whether the payer is told a price, even if nothing is due yet.
    var hasPrice: Bool { state == .open && total.amount > 0 }

    /// Throws for a bill of two currencies or below zero. Such a bill is the product's mistake: it is never
    /// entered, and operators see it among the failed events.
    ///
    /// Bills with an unknown state or unknown terms are left alone: the product is asked when somebody pays.
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
            guard (line.site ?? facts.site)?.hasPossibleID ?? true else {
                throw BillError.siteImpossible
            }
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
    /// The line has an amount, and the commission is at most all of it.
    fileprivate var hasPossibleCommission: Bool {
        guard payee != nil else { return commission == nil }
        return amount.amount > 0 && (0...amount.amount).contains(commission?.amount ?? 0)
    }
}

extension Bill.Site {
    /// The id is a part of an account's name.
    fileprivate var hasPossibleID: Bool {
        id.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil
    }
}

/// Why a bill is rejected.
enum BillError: Error, Equatable {
    case negative, tooLarge, currencyUnknown, currenciesDiffer, commissionImpossible
    case rewardImpossible, siteImpossible
}

/// One person's share of a tip.
struct TipShare: Codable, Sendable, Hashable {
    let payee: PersonID
    let amount: Money
}

enum Tip {
    /// The highest tip in minor units: 10,000 in major units of most currencies.
    static let most = 1_000_000

    /// Equal shares; the last payee gets the remainder.
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
