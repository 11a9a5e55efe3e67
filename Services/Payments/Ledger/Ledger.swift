import Contracts
import Foundation

/// A ledger account: of the platform, a product, or one person.
struct LedgerAccount: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable, Codable {
        /// Receivables from payers.
        case customerReceivable
        /// A product's share of bills that are due and not paid.
        case billed
        /// A product's revenue.
        case revenue
        /// Taxes of a country that are owed to its authority.
        case tax
        /// The platform's commission on payees' shares.
        case commission
        /// Money that the provider has collected and owes to the platform.
        case providerClearing
        /// Cash in a drawer.
        case cash
        /// Cash in the safe or at the bank, less the floats of drawers.
        case safe
        /// Cash missing at counts, less surpluses.
        case cashDifference
        /// Money that card terminals have collected.
        case terminal
        /// Money that banks have taken back for payers, until the dispute is decided.
        case disputed
        /// The provider's fees for disputes.
        case disputeFees
        /// A person's shares of disputed payments, which are not paid out before a decision.
        case frozen
        /// Refunds at the platform's expense, without tax, which reduce revenue.
        case refunds
        /// A person's share of unpaid bills.
        case pending
        /// A person's balance: shares of paid bills, and tips.
        case payable
        /// Money for withdrawn bills, to be refunded.
        case customerCredit
        /// Payouts that the provider has not completed.
        case payouts
        /// Rewards that pay a part of a payer's later bill.
        case reward
        /// The product's cost of rewards.
        case rewardCost
    }

    let kind: Kind
    /// The product or person; nil for an account of the platform.
    let owner: String?

    private init(_ kind: Kind, _ owner: String? = nil) {
        self.kind = kind
        self.owner = owner
    }

    /// As a row of the accounts' table has it.
    static func stored(_ kind: Kind, _ owner: String?) -> LedgerAccount {
        LedgerAccount(kind, owner)
    }

    /// For example `payable:0190…`.
    var id: String { owner.map { "\(kind.rawValue):\($0)" } ?? kind.rawValue }

    static let customerReceivable = LedgerAccount(.customerReceivable)
    static let providerClearing = LedgerAccount(.providerClearing)
    static let customerCredit = LedgerAccount(.customerCredit)
    static let terminal = LedgerAccount(.terminal)
    static let safe = LedgerAccount(.safe)
    static let cashDifference = LedgerAccount(.cashDifference)
    static let disputed = LedgerAccount(.disputed)
    static let disputeFees = LedgerAccount(.disputeFees)
    static let payouts = LedgerAccount(.payouts)

    /// The account of a product, or of one of its areas or car parks.
    static func revenue(_ product: Product, at site: Bill.Site? = nil) -> LedgerAccount {
        LedgerAccount(.revenue, site.map { "\(product)/\($0.id)" } ?? product.description)
    }

    /// The account of a product's refunds, or of those at one of its areas or car parks. An earlier release had one for
    /// all products.
    static func refunds(_ product: Product, at site: Bill.Site? = nil) -> LedgerAccount {
        LedgerAccount(.refunds, site.map { "\(product)/\($0.id)" } ?? product.description)
    }

    static func billed(_ product: Product) -> LedgerAccount {
        LedgerAccount(.billed, product.description)
    }

    /// The account of a country, by its ISO 3166-1 code.
    static func tax(_ country: String) -> LedgerAccount { LedgerAccount(.tax, country) }

    static func cash(_ drawer: String) -> LedgerAccount { LedgerAccount(.cash, drawer) }

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

    static func frozen(_ person: PersonID) -> LedgerAccount {
        LedgerAccount(.frozen, person.description)
    }
}

/// One movement of money: lines whose amounts sum to zero in each currency.
///
/// A debit is positive, a credit negative. An entry is written once and never changed; a further entry
/// corrects a mistake.
struct LedgerEntry: Sendable, Hashable {
    struct Line: Sendable, Hashable {
        let account: LedgerAccount
        let amount: Money
        /// Marks tips among a person's payables.
        var isTip = false
    }

    /// The cause, for example `capture:0190…`: the same cause can't be entered twice.
    let id: String
    /// Nil if no bill is involved.
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
    /// The ledger lines while the bill is due: the receivable, the payees' shares, and what will be
    /// revenue, commission and tax once it is paid. Empty if nothing is due.
    func postings(with tax: BillTax?) -> [LedgerEntry.Line] {
        guard total.amount > 0 else { return [] }
        let added = tax?.added ?? 0
        var sums: [LedgerAccount: Int] = [.customerReceivable: total.amount + added]
        sums[.billed(product), default: 0] -= added
        for line in lines {
            let commission = line.commission?.amount ?? 0
            if let payee = line.payee {
                sums[.pending(payee), default: 0] -= line.amount.amount - commission
                sums[.billed(product), default: 0] -= commission
            } else {
                sums[.billed(line.product ?? product), default: 0] -= line.amount.amount
            }
        }
        return LedgerEntry.lines(sums, currency)
    }

    /// The platform's earnings of a bill that is paid: what was billed becomes revenue of the
    /// line's product and site, commission, and tax that is owed. A deduction reduces the revenue of
    /// its own line's product and site.
    ///
    /// - Parameter standing: What stands in the ledger for the bill. An earlier release entered
    ///   revenue and commission when a bill became due.
    func earnings(
        with tax: BillTax?, insteadOf standing: [LedgerEntry.Line]? = nil
    ) -> [LedgerEntry.Line] {
        var sums: [LedgerAccount: Int] = [:]
        for line in standing ?? postings(with: tax)
        where [.billed, .revenue, .commission].contains(line.account.kind) {
            sums[line.account, default: 0] -= line.amount.amount
        }
        for (index, line) in lines.enumerated() {
            let part = tax?.part(of: index)
            let isAdded = part.flatMap { tax?.groups[$0.group].isAdded } ?? false
            let included = isAdded ? 0 : part?.tax ?? 0
            if line.payee != nil {
                let commission = line.commission?.amount ?? 0
                sums[.commission(product), default: 0] -= commission - included
            } else {
                let site = line.site ?? facts.site
                sums[.revenue(line.product ?? product, at: site), default: 0] -=
                    line.amount.amount - included
            }
        }
        if let tax { sums[.tax(tax.country), default: 0] -= tax.total }
        return LedgerEntry.lines(sums, currency)
    }

    /// The platform's part of a refund, divided as the bill's lines have earned it: by product and site.
    func refunds(of amount: Int) -> [LedgerEntry.Line] {
        var earned: [LedgerAccount: Int] = [:]
        for line in lines where line.payee == nil {
            let account = LedgerAccount.refunds(
                line.product ?? product, at: line.site ?? facts.site)
            earned[account, default: 0] += line.amount.amount
        }
        let parts = earned.filter { $0.value > 0 }.sorted { $0.key.id < $1.key.id }
        guard !parts.isEmpty else {
            return LedgerEntry.lines([.refunds(product, at: facts.site): amount], currency)
        }
        let amounts = TaxArithmetic.split(amount, by: parts.map(\.value))
        return LedgerEntry.lines(
            Dictionary(uniqueKeysWithValues: zip(parts.map(\.key), amounts)), currency)
    }

    /// The payees' shares of the bill when it is paid, line by line.
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

/// A payee's share of one line of a bill.
struct PayeeShare: Codable, Sendable, Hashable {
    /// Index of the bill's line.
    let line: Int
    let payee: PersonID
    /// The amount of the whole line.
    let amount: Money
    /// The platform's commission on it, in minor units.
    let commission: Int

    /// The payee's loss when `refunded` of the line has been refunded in all.
    func net(of refunded: Int) -> Int {
        let (high, low) = refunded.multipliedFullWidth(by: amount.amount - commission)
        return amount.amount.dividingFullWidth((high, low)).quotient
    }
}

extension LedgerEntry {
    /// Sums of accounts in one currency, sorted, without zeros.
    static func lines(_ sums: [LedgerAccount: Int], _ currency: String) -> [Line] {
        sums.filter { $0.value != 0 }.sorted { $0.key.id < $1.key.id }.map {
            Line(account: $0.key, amount: Money(amount: $0.value, currency: currency))
        }
    }

    /// A bill became due; identified by its version.
    static func billed(
        _ bill: Bill, version: some CustomStringConvertible, tax: BillTax? = nil
    ) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(
            id: "bill:\(bill.id):\(version)", bill: bill.id, lines: bill.postings(with: tax))
    }

    /// A bill was withdrawn, or replaced by another.
    ///
    /// - Parameter standing: What stands in the ledger for the bill, as this or an earlier release
    ///   has entered it.
    static func withdrawn(
        _ bill: BillID, _ standing: [Line], version: some CustomStringConvertible
    ) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(
            id: "void:\(bill):\(version)", bill: bill,
            lines: standing.map { Line(account: $0.account, amount: $0.amount.negated) })
    }

    /// The bill is paid: the payees' shares and tips become payable, and the platform's part is
    /// earned.
    ///
    /// - Parameter earnings: The platform's, of the bill.
    static func captured(
        _ attempt: Attempt, earnings: [Line] = []
    ) throws(LedgerError) -> LedgerEntry {
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
                Line(account: attempt.collectedIn, amount: payment.amount),
                Line(account: .customerReceivable, amount: payment.due.negated),
            ] + shares + tips + earnings)
    }

    /// Money arrived for a bill that no longer exists: it becomes the payer's credit.
    static func credited(_ payment: Payment) throws(LedgerError) -> LedgerEntry {
        try transfer(
            payment.amount, capture(payment.id), payment.bill, .customerCredit, .providerClearing)
    }

    /// A refund. Money for a withdrawn bill returns from the payer's credit. Otherwise payees bear their shares of the
    /// refunded lines; the platform bears the rest, including tips, which their recipients keep. The tax that belongs
    /// to the refund is no longer owed.
    ///
    /// - Parameter bill: What was paid; its lines tell whose revenue the platform's part reduces.
    static func refunded(
        _ attempt: RefundAttempt, of charge: Attempt, _ bill: Bill? = nil
    ) throws(LedgerError) -> LedgerEntry {
        let refund = attempt.refund
        let currency = refund.amount.currency
        guard !charge.isReturned else {
            return try transfer(
                refund.amount, self.refund(refund.id), refund.bill, attempt.paidFrom,
                .customerCredit)
        }
        var lines = [Line(account: attempt.paidFrom, amount: refund.amount.negated)]
        var rest = refund.amount.amount
        if let tax = attempt.tax, let country = charge.tax?.country {
            rest -= tax.total
            lines.append(
                Line(
                    account: .tax(country), amount: Money(amount: tax.total, currency: currency)))
        }
        for (index, part) in attempt.takenBack.enumerated() {
            let commission = part.commission - (attempt.tax?.ofCommissions[index] ?? 0)
            rest -= part.net + commission
            lines += [
                Line(
                    account: .payable(part.payee),
                    amount: Money(amount: part.net, currency: currency)),
                Line(
                    account: .commission(attempt.product),
                    amount: Money(amount: commission, currency: currency)),
            ]
        }
        lines +=
            bill?.refunds(of: rest) ?? self.lines([.refunds(attempt.product): rest], currency)
        return try LedgerEntry(id: self.refund(refund.id), bill: refund.bill, lines: lines)
    }

    /// A payer's reward was granted, or ended. The used part has reduced the bill's revenue, so its cost is reversed.
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
    /// A bug in this program: nothing of the transaction is stored.
    case unbalanced(entry: String)
}

/// The balance of accounts of one kind and owner in one currency.
struct Balance: Sendable, Hashable {
    let kind: LedgerAccount.Kind
    /// For example `revenue:valet`; accounts of people, and of a product's sites, are summed.
    let name: String
    var amount: Money
}
