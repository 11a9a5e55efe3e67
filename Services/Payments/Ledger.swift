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
    }

    struct Line: Sendable, Hashable {
        let account: Account
        let amount: Money
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

    static func captured(_ payment: Payment) throws(LedgerError) -> LedgerEntry {
        try transfer(
            payment.amount, "capture:\(payment.id)", payment.order, .customerReceivable,
            .providerClearing)
    }

    static func refunded(_ refund: Refund) throws(LedgerError) -> LedgerEntry {
        try transfer(
            refund.amount, "refund:\(refund.id)", refund.order, .providerClearing, .refunds)
    }

    /// Credits one account and debits the other.
    private static func transfer(
        _ amount: Money, _ id: String, _ order: OrderID, _ credited: Account, _ debited: Account
    ) throws(LedgerError) -> LedgerEntry {
        let credit = Money(amount: -amount.amount, currency: amount.currency)
        return try LedgerEntry(
            id: id, order: order,
            lines: [
                Line(account: debited, amount: amount), Line(account: credited, amount: credit),
            ])
    }
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
