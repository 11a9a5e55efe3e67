import Contracts
import Foundation

/// One thing that happened to money: lines whose amounts sum to zero in each currency.
///
/// A debit is positive, a credit negative. An entry is written once and never changed; what was
/// wrong is put right by a further entry.
struct LedgerEntry: Sendable, Hashable {
    enum Account: String, Sendable, CaseIterable, Codable {
        /// What customers owe.
        case customerReceivable
        /// What was earned.
        case revenue
        /// What the provider has taken in and owes to the house.
        case providerClearing
        /// What was given back; reduces revenue.
        case refunds
        /// What was given for the valets, and is owed to them.
        case tipsPayable
        /// What came for a bill that was gone, and goes back.
        case customerCredit
    }

    struct Line: Sendable, Hashable {
        let account: Account
        let amount: Money
        /// With `tipsPayable`: to whom it is owed.
        var valet: ValetID?
    }

    /// Names the cause, as in `capture:0190…`: the same cause can't be entered twice.
    let id: String
    let order: OrderID
    let lines: [Line]

    init(id: String, order: OrderID, lines: [Line]) throws(LedgerError) {
        let sums = Dictionary(grouping: lines, by: \.amount.currency).mapValues { lines in
            lines.reduce(0) { $0 + $1.amount.amount }
        }
        guard lines.count >= 2, sums.values.allSatisfy({ $0 == 0 }) else {
            throw LedgerError.unbalanced(entry: id)
        }
        self.id = id
        self.order = order
        self.lines = lines
    }
}

extension LedgerEntry {
    /// An order is billed, by the order's version that said so.
    static func billed(
        _ amount: Money, for order: OrderID, version: Int
    ) throws(LedgerError) -> LedgerEntry {
        try transfer(amount, "bill:\(order):\(version)", order, .revenue, .customerReceivable)
    }

    /// A bill is taken back, because another one or none takes its place.
    static func withdrawn(
        _ amount: Money, for order: OrderID, version: Int
    ) throws(LedgerError) -> LedgerEntry {
        try transfer(amount, "void:\(order):\(version)", order, .customerReceivable, .revenue)
    }

    /// The bill is paid, and the tip is owed to the valets.
    static func captured(_ attempt: Attempt) throws(LedgerError) -> LedgerEntry {
        let payment = attempt.payment
        let tips = (attempt.tips ?? []).map { share in
            Line(account: .tipsPayable, amount: share.amount.negated, valet: share.valet)
        }
        return try LedgerEntry(
            id: capture(payment.id), order: payment.order,
            lines: [
                Line(account: .providerClearing, amount: payment.amount),
                Line(account: .customerReceivable, amount: payment.bill.negated),
            ] + tips)
    }

    /// Money came that no bill waits for any more: it is owed to the customer.
    static func credited(_ payment: Payment) throws(LedgerError) -> LedgerEntry {
        try transfer(
            payment.amount, capture(payment.id), payment.order, .customerCredit, .providerClearing)
    }

    /// What came for a bill that was gone is given back to whom it was owed; anything else is the
    /// house's to bear, tips included: valets keep theirs.
    static func refunded(
        _ refund: Refund, of attempt: Attempt
    ) throws(LedgerError) -> LedgerEntry {
        try transfer(
            refund.amount, self.refund(refund.id), refund.order, .providerClearing,
            attempt.isReturned ? .customerCredit : .refunds)
    }

    static func capture(_ payment: PaymentID) -> String { "capture:\(payment)" }
    static func refund(_ refund: RefundID) -> String { "refund:\(refund)" }

    /// Credits one account and debits the other.
    private static func transfer(
        _ amount: Money, _ id: String, _ order: OrderID, _ credited: Account, _ debited: Account
    ) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(
            id: id, order: order,
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

/// What an account holds in one currency.
struct Balance: Sendable, Hashable {
    let account: LedgerEntry.Account
    let amount: Money
}
