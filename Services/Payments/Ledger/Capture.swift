import Contracts
import EventBus
import Foundation
import Store

// The entries of money that was received or refunded, each with its document.

extension LedgerStore {
    /// Enters the payment of a bill, and issues its receipt.
    func enterCapture(
        of attempt: inout Attempt, for known: Receivable, at now: Date
    ) throws {
        attempt.pay(known)
        let earnings = known.bill.earnings(
            with: attempt.tax, insteadOf: try renew(known, at: now))
        try enter(.captured(attempt, earnings: earnings), at: now)
        try transaction.sites.keepNames(of: known.bill)
        try transaction.documents.issue(
            DocumentDraft(content: .receipt(known.bill, attempt)), at: now)
    }

    /// An earlier release entered the revenue of a bill when it became due. It becomes that of the day on which it is
    /// paid, as of all other bills. Returns what stands for the bill then.
    private func renew(_ known: Receivable, at now: Date) throws -> [LedgerEntry.Line] {
        let bill = known.bill
        let standing = try standing(for: bill.id)
        guard standing.contains(where: { [.revenue, .commission].contains($0.account.kind) })
        else { return standing }
        try enter(.withdrawn(bill.id, standing, version: "renewed"), at: now)
        try enter(.billed(bill, version: "renewed", tax: known.tax), at: now)
        return try self.standing(for: bill.id)
    }

    /// Enters a refund that has succeeded with the tax that it takes back, and issues its credit note. Money for a
    /// bill that no longer exists had no receipt, and goes back without a credit note.
    ///
    /// - Parameter charge: The refund is already settled there.
    func enterRefund(
        _ refund: inout RefundAttempt, of charge: inout Attempt, at now: Date
    ) throws {
        refund.takeTax(from: &charge)
        let known = try transaction.bills.find(refund.refund.bill)
        try enter(.refunded(refund, of: charge, known?.bill), at: now)
        guard !charge.isReturned, let known else { return }
        let receipt = try transaction.documents.receipt(of: charge.id)
        try transaction.documents.issue(
            DocumentDraft(
                content: .creditNote(refund, of: charge, known.bill, receipt: receipt)), at: now)
    }

    /// Reverses the entry of a refund that has failed after all: its tax is owed again, and its credit note cancelled.
    func enterFailure(
        of refund: RefundAttempt, of charge: inout Attempt, at now: Date
    ) throws {
        charge.giveTax(of: refund)
        try reverse(
            LedgerEntry.refund(refund.id), as: LedgerEntry.refundFailed(refund.id), at: now)
        try transaction.documents.cancel(refund.id, at: now)
    }
}

extension DocumentStore {
    /// A refund has failed after all: its credit note is taken back by a document of its own. Nil without a credit
    /// note; a repeat changes nothing.
    @discardableResult
    func cancel(_ refund: RefundID, at now: Date) throws -> PaymentDocument? {
        if let known = try document(.cancellation, of: refund) { return known }
        guard let note = try document(.creditNote, of: refund) else { return nil }
        return try issue(DocumentDraft(content: .cancellation(of: note)), at: now)
    }
}
