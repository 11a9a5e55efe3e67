import Contracts
import Foundation

/// An account of the ledger: of the house, of a product, or of one person.
struct LedgerAccount: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable, Codable {
        /// What payers owe.
        case customerReceivable
        /// What a product has earned.
        case revenue
        /// What the house keeps of what payees get.
        case commission
        /// What the provider has taken in and owes to the house.
        case providerClearing
        /// What was given back at the house's expense; reduces revenue.
        case refunds
        /// What was billed for a person and is not paid yet.
        case pending
        /// What is owed to a person: their part of paid bills, and tips.
        case payable
        /// What came for a bill that was gone, and goes back.
        case customerCredit
        /// What was asked to be paid out, until the provider has done it.
        case payouts
        /// What is owed to a payer beside bills, and pays a part of a later one.
        case reward
        /// What such promises of a product cost.
        case rewardCost
    }

    let kind: Kind
    /// The product, or the person; nil for an account of the house.
    let owner: String?

    private init(_ kind: Kind, _ owner: String? = nil) {
        self.kind = kind
        self.owner = owner
    }

    /// As in `payable:0190…`.
    var id: String { owner.map { "\(kind.rawValue):\($0)" } ?? kind.rawValue }

    static let customerReceivable = LedgerAccount(.customerReceivable)
    static let providerClearing = LedgerAccount(.providerClearing)
    static let refunds = LedgerAccount(.refunds)
    static let customerCredit = LedgerAccount(.customerCredit)
    static let payouts = LedgerAccount(.payouts)

    static func revenue(_ product: Product) -> LedgerAccount {
        LedgerAccount(.revenue, product.description)
    }

    static func commission(_ product: Product) -> LedgerAccount {
        LedgerAccount(.commission, product.description)
    }

    static func reward(_ person: PersonID) -> LedgerAccount {
        LedgerAccount(.reward, person.description)
    }

    static func rewardCost(_ product: Product) -> LedgerAccount {
        LedgerAccount(.rewardCost, product.description)
    }

    static func pending(_ person: PersonID) -> LedgerAccount {
        LedgerAccount(.pending, person.description)
    }

    static func payable(_ person: PersonID) -> LedgerAccount {
        LedgerAccount(.payable, person.description)
    }
}

/// One thing that happened to money: lines whose amounts sum to zero in each currency.
///
/// A debit is positive, a credit negative. An entry is written once and never changed; what was
/// wrong is put right by a further entry.
struct LedgerEntry: Sendable, Hashable {
    struct Line: Sendable, Hashable {
        let account: LedgerAccount
        let amount: Money
        /// Among what is owed to a person: whether it is a tip.
        var isTip = false
    }

    /// Names the cause, as in `capture:0190…`: the same cause can't be entered twice.
    let id: String
    /// Nil for what is about no bill.
    let bill: BillID?
    let lines: [Line]

    init(id: String, bill: BillID?, lines: [Line]) throws(LedgerError) {
        let lines = lines.filter { $0.amount.amount != 0 }
        let sums = Dictionary(grouping: lines, by: \.amount.currency).mapValues { lines in
            lines.reduce(0) { $0 + $1.amount.amount }
        }
        guard lines.count >= 2, sums.values.allSatisfy({ $0 == 0 }) else {
            throw LedgerError.unbalanced(entry: id)
        }
        self.id = id
        self.bill = bill
        self.lines = lines
    }
}

extension Bill {
    /// What stands in the books while this is owed: the claim, and whose it is. Empty when nothing is.
    var postings: [LedgerEntry.Line] {
        guard total.amount > 0 else { return [] }
        var sums: [LedgerAccount: Int] = [.customerReceivable: total.amount]
        for line in lines {
            let commission = line.commission?.amount ?? 0
            if let payee = line.payee {
                sums[.pending(payee), default: 0] -= line.amount.amount - commission
                sums[.commission(product), default: 0] -= commission
            } else {
                sums[.revenue(product), default: 0] -= line.amount.amount
            }
        }
        return sums.filter { $0.value != 0 }.sorted { $0.key.id < $1.key.id }.map {
            LedgerEntry.Line(
                account: $0.key, amount: Money(amount: $0.value, currency: currency))
        }
    }

    /// What each payee gets of the bill when it is paid, line by line.
    var shares: [PayeeShare] {
        lines.enumerated().compactMap { index, line in
            line.payee.map {
                PayeeShare(
                    line: index, payee: $0, amount: line.amount,
                    commission: line.commission?.amount ?? 0)
            }
        }
    }
}

/// A payee's part of a bill that is being paid, or was.
struct PayeeShare: Codable, Sendable, Hashable {
    /// Which line of the bill.
    let line: Int
    let payee: PersonID
    /// Of the whole line.
    let amount: Money
    /// What the house keeps of it, in minor units.
    let commission: Int

    /// What the payee gives back when so much of the line goes back in all.
    func net(of refunded: Int) -> Int {
        let (high, low) = refunded.multipliedFullWidth(by: amount.amount - commission)
        return amount.amount.dividingFullWidth((high, low)).quotient
    }
}

extension LedgerEntry {
    /// Something is owed, by the version of the bill that said so.
    static func billed(_ bill: Bill, version: Int) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(id: "bill:\(bill.id):\(version)", bill: bill.id, lines: bill.postings)
    }

    /// A bill is taken back, because another one or none takes its place.
    static func withdrawn(_ bill: Bill, version: Int) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(
            id: "void:\(bill.id):\(version)", bill: bill.id,
            lines: bill.postings.map { Line(account: $0.account, amount: $0.amount.negated) })
    }

    /// The bill is paid: payees' parts and tips are owed to them from now on.
    static func captured(_ attempt: Attempt) throws(LedgerError) -> LedgerEntry {
        let payment = attempt.payment
        let shares = attempt.shares.flatMap { share in
            let net = Money(
                amount: share.amount.amount - share.commission, currency: share.amount.currency)
            return [
                Line(account: .pending(share.payee), amount: net),
                Line(account: .payable(share.payee), amount: net.negated),
            ]
        }
        let tips = attempt.tips.map { tip in
            Line(account: .payable(tip.payee), amount: tip.amount.negated, isTip: true)
        }
        return try LedgerEntry(
            id: capture(payment.id), bill: payment.bill,
            lines: [
                Line(account: .providerClearing, amount: payment.amount),
                Line(account: .customerReceivable, amount: payment.due.negated),
            ] + shares + tips)
    }

    /// Money came that no bill waits for any more: it is owed to the payer.
    static func credited(_ payment: Payment) throws(LedgerError) -> LedgerEntry {
        try transfer(
            payment.amount, capture(payment.id), payment.bill, .customerCredit, .providerClearing)
    }

    /// What came for a bill that was gone is given back to whom it was owed. Of anything else payees
    /// bear what was theirs of the lines that go back; the rest is the house's to bear, tips included:
    /// whoever got one keeps it.
    static func refunded(
        _ attempt: RefundAttempt, of charge: Attempt
    ) throws(LedgerError) -> LedgerEntry {
        let refund = attempt.refund
        let currency = refund.amount.currency
        guard !charge.isReturned else {
            return try transfer(
                refund.amount, self.refund(refund.id), refund.bill, .providerClearing,
                .customerCredit)
        }
        var lines = [Line(account: .providerClearing, amount: refund.amount.negated)]
        var rest = refund.amount.amount
        for part in attempt.takenBack {
            rest -= part.net + part.commission
            lines += [
                Line(
                    account: .payable(part.payee),
                    amount: Money(amount: part.net, currency: currency)),
                Line(
                    account: .commission(attempt.product),
                    amount: Money(amount: part.commission, currency: currency)),
            ]
        }
        lines.append(Line(account: .refunds, amount: Money(amount: rest, currency: currency)))
        return try LedgerEntry(id: self.refund(refund.id), bill: refund.bill, lines: lines)
    }

    /// Something is owed to the payer beside the bill, or no more. What was used has reduced the bill's revenue: its
    /// cost goes.
    static func rewarded(_ reward: Bill.Reward, of bill: Bill) throws(LedgerError) -> LedgerEntry {
        try transfer(
            reward.amount, self.reward(reward.id), bill.id, .reward(bill.payer),
            .rewardCost(bill.product))
    }

    static func reward(_ reward: RewardID) -> String { "reward:\(reward)" }
    static func capture(_ payment: PaymentID) -> String { "capture:\(payment)" }
    static func refund(_ refund: RefundID) -> String { "refund:\(refund)" }

    /// Credits one account and debits the other.
    static func transfer(
        _ amount: Money, _ id: String, _ bill: BillID?, _ credited: LedgerAccount,
        _ debited: LedgerAccount
    ) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(
            id: id, bill: bill,
            lines: [
                Line(account: debited, amount: amount),
                Line(account: credited, amount: amount.negated),
            ])
    }
}

extension Money {
    var negated: Money { Money(amount: -amount, currency: currency) }
}

enum LedgerError: Error, Equatable {
    /// A mistake of this program: nothing of the transaction is stored.
    case unbalanced(entry: String)
}

/// What accounts of one kind and owner hold in one currency.
struct Balance: Sendable, Hashable {
    let kind: LedgerAccount.Kind
    /// As in `revenue:valet`; what is owed to people is summed up.
    let name: String
    let amount: Money
}
