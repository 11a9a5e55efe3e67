import Contracts
import EventBus
import Foundation
import Store

/// A dispute as the provider last had it, and what the ledger has of it. Pure.
///
/// The provider's report is a whole, so that it doesn't matter which of its events came, how often and in which
/// order: each report is entered as the difference from the last one.
struct DisputeRecord: Document, Hashable {
    let id: DisputeID
    let reference: String
    let payment: PaymentID
    let bill: BillID
    let product: Product
    let payer: PersonID
    let createdAt: Date
    private(set) var amount: Money
    private(set) var status: DisputeStatus
    private(set) var reason: String
    private(set) var evidenceDueAt: Date?
    /// Amount the ledger has as taken, in minor units.
    private(set) var taken = 0
    private(set) var fee: Money?
    /// The payees' parts that are frozen.
    private(set) var frozen: [TakenBack] = []
    /// The loss, and the payees' parts of it; nil unless the dispute is lost and the money taken.
    private(set) var loss: Loss?
    /// Amount that can't be refunded, in minor units.
    private(set) var blocked = 0
    /// When the provider was asked for the report that was entered last.
    private(set) var askedAt: Date
    /// Ledger entries so far.
    private(set) var entries = 0
    var version = Version()

    struct Loss: Codable, Sendable, Hashable {
        let amount: Int
        let takenBack: [TakenBack]
        /// The platform's part of it, by the owner of the account of refunds: a product, at a site or elsewhere.
        let borne: [String: Int]
    }

    /// The ledger lines that a report leads to. What was lost is an entry of its own, so that the books tell it apart
    /// from money that was taken or returned.
    struct Lines: Sendable {
        /// Funds taken or returned, the fee, shares frozen or released.
        let moved: [LedgerEntry.Line]
        /// A loss, or one that has turned out otherwise.
        let lost: [LedgerEntry.Line]
    }

    init(_ id: DisputeID, _ report: ReportedDispute, of charge: Attempt, _ now: Date) {
        (self.id, reference, payment) = (id, report.reference, report.payment)
        (bill, product, payer) = (charge.payment.bill, charge.product, charge.payer)
        (amount, status, reason) = (report.amount, report.status, report.reason)
        (evidenceDueAt, createdAt, askedAt) = (report.evidenceDueAt, report.createdAt, now)
    }

    var view: Dispute {
        var dispute = Dispute(
            id: id, payment: payment, bill: bill, reference: reference, amount: amount,
            status: status, reason: reason, createdAt: createdAt)
        (dispute.evidenceDueAt, dispute.fee) = (evidenceDueAt, fee)
        return dispute
    }

    /// Takes a report, and returns the ledger lines that it leads to; nil if it is older than the last one.
    ///
    /// - Parameter bill: What was paid; its lines tell whose revenue a loss reduces.
    mutating func take(
        _ report: ReportedDispute, askedAt: Date, of charge: inout Attempt, for bill: Bill
    ) -> Lines? {
        guard askedAt >= self.askedAt else { return nil }
        self.askedAt = askedAt
        (amount, status, reason) = (report.amount, report.status, report.reason)
        evidenceDueAt = report.evidenceDueAt
        // The shares first: what is lost is no longer blocked twice.
        let funds = takeFunds(report.taken) + takeFee(report.fee)
        let lost = decide(on: &charge, for: bill)
        let moved = (funds + freeze(of: charge)).filter { $0.amount.amount != 0 }
        let kept = status.keepsFunds || loss != nil ? report.amount.amount : 0
        charge.block(kept, insteadOf: blocked)
        blocked = kept
        if !moved.isEmpty || !lost.isEmpty { entries += 1 }
        return Lines(moved: moved, lost: lost)
    }

    private func line(_ account: LedgerAccount, _ amount: Int) -> LedgerEntry.Line {
        LedgerEntry.Line(
            account: account, amount: Money(amount: amount, currency: self.amount.currency))
    }

    private mutating func takeFunds(_ now: Int) -> [LedgerEntry.Line] {
        defer { taken = now }
        guard now != taken else { return [] }
        return [line(.disputed, now - taken), line(.providerClearing, taken - now)]
    }

    private mutating func takeFee(_ now: Money?) -> [LedgerEntry.Line] {
        defer { fee = now }
        guard now != fee else { return [] }
        func lines(_ fee: Money?) -> [LedgerEntry.Line] {
            guard let fee else { return [] }
            return [
                .init(account: .disputeFees, amount: fee),
                .init(account: .providerClearing, amount: fee.negated),
            ]
        }
        return lines(now) + lines(fee?.negated)
    }

    /// Enters the loss of a lost dispute; one that turns out otherwise is undone.
    private mutating func decide(
        on charge: inout Attempt, for bill: Bill
    ) -> [LedgerEntry.Line] {
        let lost = status == .lost ? taken : 0
        guard lost != loss?.amount ?? 0 else { return [] }
        var lines: [LedgerEntry.Line] = []
        if let loss {
            lines += self.lines(of: loss).map {
                .init(account: $0.account, amount: $0.amount.negated)
            }
            charge.giveBack(disputed: loss.takenBack)
            self.loss = nil
        }
        if lost > 0 {
            let takenBack = charge.takeBack(disputed: lost)
            let rest = lost - takenBack.reduce(0) { $0 + $1.net + $1.commission }
            let borne = bill.refunds(of: rest).map { ($0.account.owner ?? "", $0.amount.amount) }
            let now = Loss(
                amount: lost, takenBack: takenBack, borne: Dictionary(uniqueKeysWithValues: borne))
            lines += self.lines(of: now)
            loss = now
        }
        return lines
    }

    /// As of a refund: payees bear their parts, and the platform the rest, divided as it has earned. There is no credit
    /// note, and the tax stays owed: whether a lost dispute reduces it depends on the country, so the company's
    /// accountant enters that.
    private func lines(of loss: Loss) -> [LedgerEntry.Line] {
        var lines = [line(.disputed, -loss.amount)]
        for part in loss.takenBack {
            lines += [
                line(.payable(part.payee), part.net), line(.commission(product), part.commission),
            ]
        }
        for (owner, amount) in loss.borne.sorted(by: { $0.key < $1.key }) {
            lines.append(line(.stored(.refunds, owner), amount))
        }
        return lines
    }

    /// Freezes the payees' parts until there is a decision.
    private mutating func freeze(of charge: Attempt) -> [LedgerEntry.Line] {
        let wanted =
            status.isOpen
            ? (frozen.isEmpty ? charge.parts(ofDisputed: amount.amount) : frozen) : []
        guard wanted != frozen else { return [] }
        func lines(_ parts: [TakenBack], _ sign: Int) -> [LedgerEntry.Line] {
            parts.flatMap {
                [
                    line(.payable($0.payee), sign * $0.net),
                    line(.frozen($0.payee), -sign * $0.net),
                ]
            }
        }
        defer { frozen = wanted }
        return lines(wanted, 1) + lines(frozen, -1)
    }
}

extension DisputeStatus {
    /// Whether the bank has the money, or has it soon: an inquiry can still be answered by a refund.
    fileprivate var keepsFunds: Bool {
        switch self {
        case .needsResponse, .underReview, .lost: true
        case .inquiry, .won, .closed: false
        }
    }
}

extension DisputeRecord {
    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        ["reference": reference, "payment_id": payment, "is_open": status.isOpen]
    }
}
