import Contracts

// Entries of cash drawers and card terminals.

extension Attempt {
    /// The account in which the money arrives.
    var collectedIn: LedgerAccount { receipt?.account ?? .providerClearing }
}

extension RefundAttempt {
    /// The account from which the money leaves.
    var paidFrom: LedgerAccount { handOut?.account ?? .providerClearing }
}

extension HandReceipt {
    fileprivate var account: LedgerAccount {
        drawer.map { .cash($0.description) } ?? .terminal
    }
}

extension LedgerEntry {
    /// Change is put into a new drawer; nil for none.
    static func float(_ float: [Money], in drawer: DrawerID) throws -> LedgerEntry? {
        try moved(
            float, "float:\(drawer)", from: .safe, to: .cash(drawer.description))
    }

    /// Cash is taken out of a drawer: to the safe, or into another drawer.
    static func deposited(
        _ amount: Money, from drawer: DrawerID, to other: DrawerID?, version: Int
    ) throws -> LedgerEntry? {
        try moved(
            [amount], "deposit:\(drawer):\(version)", from: .cash(drawer.description),
            to: other.map { .cash($0.description) } ?? .safe)
    }

    /// A drawer was counted: the cash goes to the safe, and the difference is entered. Nil if the drawer was empty, and
    /// should have been.
    static func counted(
        _ counted: [Money], expected: [Money], in drawer: DrawerID
    ) throws -> LedgerEntry? {
        let lines =
            expected.flatMap { amount in
                [
                    Line(account: .cash(drawer.description), amount: amount.negated),
                    Line(account: .cashDifference, amount: amount),
                ]
            }
            + counted.flatMap { amount in
                [
                    Line(account: .safe, amount: amount),
                    Line(account: .cashDifference, amount: amount.negated),
                ]
            }
        return try entry("count:\(drawer)", summed(lines))
    }

    private static func moved(
        _ amounts: [Money], _ id: String, from: LedgerAccount, to: LedgerAccount
    ) throws -> LedgerEntry? {
        try entry(
            id,
            amounts.flatMap { amount in
                [
                    Line(account: to, amount: amount), Line(account: from, amount: amount.negated),
                ]
            })
    }

    private static func entry(_ id: String, _ lines: [Line]) throws -> LedgerEntry? {
        guard lines.contains(where: { $0.amount.amount != 0 }) else { return nil }
        return try LedgerEntry(id: id, bill: nil, lines: lines)
    }

    /// One line for each account and currency.
    private static func summed(_ lines: [Line]) -> [Line] {
        Dictionary(grouping: lines) { "\($0.account.id) \($0.amount.currency)" }
            .sorted { $0.key < $1.key }.compactMap { _, lines in
                lines.first.map { first in
                    Line(
                        account: first.account,
                        amount: Money(
                            amount: lines.reduce(0) { $0 + $1.amount.amount },
                            currency: first.amount.currency))
                }
            }
    }
}
