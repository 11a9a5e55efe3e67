import Contracts
import Foundation
import ServiceKit

/// A document before it has a number.
struct DocumentDraft: Sendable {
    enum Content: Sendable {
        case receipt(Bill, Attempt)
        case creditNote(RefundAttempt, of: Attempt, Bill, receipt: PaymentDocument?)
        case cancellation(of: PaymentDocument)
    }

    let content: Content

    var kind: PaymentDocument.Kind {
        switch content {
        case .receipt: .receipt
        case .creditNote: .creditNote
        case .cancellation: .cancellation
        }
    }

    /// - Parameters:
    ///   - seller: The company now.
    ///   - timeZone: The company's; a bill with a zone of its own keeps that.
    func document(
        number: String, seller: Company, timeZone: String, at now: Date
    ) -> PaymentDocument {
        switch content {
        case .receipt(let bill, let attempt):
            var document = PaymentDocument(
                id: .new(at: now), number: number, kind: kind, issuedAt: now, bill: bill,
                payment: attempt.payment, seller: seller,
                timeZone: bill.facts.timeZone ?? timeZone, lines: bill.documentLines(attempt.tax),
                total: attempt.payment.amount)
            document.add(attempt, bill)
            return document
        case .creditNote(let refund, let attempt, let bill, let receipt):
            var document = PaymentDocument(
                id: .new(at: now), number: number, kind: kind, issuedAt: now, bill: bill,
                payment: attempt.payment, seller: seller,
                timeZone: receipt?.timeZone ?? bill.facts.timeZone ?? timeZone, lines: [],
                total: refund.refund.amount.negated)
            document.add(refund, of: attempt, receipt)
            return document
        case .cancellation(let note):
            var document = note.negated
            (document.id, document.number, document.kind) = (.new(at: now), number, .known(kind))
            (document.issuedAt, document.paidAt, document.seller) = (now, now, seller)
            document.refersTo = note.asReference
            return document
        }
    }
}

extension Bill {
    fileprivate func documentLines(_ tax: BillTax?) -> [PaymentDocument.Line] {
        lines.enumerated().map { index, line in
            PaymentDocument.Line(line, percentThousandths: tax?.rate(of: index, in: self))
        }
    }
}

extension PaymentDocument {
    /// The payment, as a receipt shows it.
    fileprivate mutating func add(_ attempt: Attempt, _ bill: Bill) {
        let currency = bill.currency
        charge = attempt.payment.forBill
        tip = attempt.payment.tip
        paidAt = attempt.paidAt ?? issuedAt
        guard let known = attempt.tax else { return }
        pricesIncludeTax = known.pricesIncludeTax
        taxes = known.rows(currency)
        tax = Money(amount: known.total, currency: currency)
        addedTax = pricesIncludeTax ? nil : Money(amount: known.added, currency: currency)
    }

    /// The refund, as a credit note shows it.
    fileprivate mutating func add(
        _ attempt: RefundAttempt, of payment: Attempt, _ receipt: PaymentDocument?
    ) {
        let (refund, currency) = (attempt.refund, attempt.refund.amount.currency)
        refersTo = receipt?.asReference
        (self.refund, reason) = (refund.id, refund.reason)
        means = .known(attempt.means(of: payment))
        charge = refund.forBill.negated
        lines = [Line(kind: "refund", text: .refund, amount: charge)]
        guard let known = payment.tax, let back = attempt.tax else { return }
        pricesIncludeTax = known.pricesIncludeTax
        taxes = back.parts.map { part in
            known.row(known.groups[part.group], gross: -part.gross, tax: -part.tax, currency)
        }
        tax = Money(amount: -back.total, currency: currency)
        addedTax = refund.tax?.negated
    }

    /// The same with the opposite amounts.
    fileprivate var negated: PaymentDocument {
        var document = self
        (document.charge, document.total) = (charge.negated, total.negated)
        (document.tax, document.addedTax) = (tax.negated, addedTax?.negated)
        document.tip = tip?.negated
        document.lines = lines.map { line in
            var line = line
            (line.amount, line.unitPrice) = (line.amount.negated, line.unitPrice?.negated)
            return line
        }
        document.taxes = taxes.map { row in
            TaxRow(
                name: row.name, percentThousandths: row.percentThousandths, country: row.country,
                gross: row.gross.negated, tax: row.tax.negated)
        }
        return document
    }
}

extension LocalizedText {
    fileprivate static let refund = LocalizedText {
        PaymentNotices.words.text("receipt.given-back", in: $0)
    }
}
