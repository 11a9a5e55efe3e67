import Contracts
import Foundation
import ServiceKit
import Store

/// A receipt, and its product's additions for people and for its own clients.
struct ReceiptAnswer: Sendable {
    let receipt: BillReceipt
    let details: [Bill.Detail]
    let fields: [Bill.Field]
}

extension ReceiptAnswer: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Encodes the product's fields first, so that they never replace those of payments.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for field in fields { try container.encode(field.value, forKey: Name(field.name)) }
        try receipt.encode(to: encoder)
    }
}

extension PaymentUseCases {
    /// The price and how it was paid, in the payer's language unless another is requested.
    ///
    /// Payers see their own receipts, operators all.
    func receipt(
        of id: BillID, for payer: PersonID?, in language: Language?
    ) async throws -> ReceiptAnswer {
        try await database.read { transaction in
            guard let known = try transaction.bills.find(id),
                payer == nil || payer == known.bill.payer
            else { throw Refusal.billUnknown }
            let bill = known.bill
            let paid = try known.paidBy.flatMap { try transaction.attempts.find($0) }
            guard let charge = paid?.payment.forBill ?? bill.zero else {
                throw Refusal.receiptNotReady
            }
            let words = try language ?? knownLanguage(of: bill.payer, in: transaction)
            var receipt = BillReceipt(bill, charge: charge, in: words)
            if let company = try transaction.company.newest() {
                receipt.seller = company.seller
                receipt.timeZone = bill.facts.timeZone ?? company.body.timeZone
            }
            if let paid { try receipt.add(paid, in: transaction) }
            return ReceiptAnswer(
                receipt: receipt, details: bill.facts.details, fields: bill.facts.fields)
        }
    }
}

extension BillReceipt {
    /// The payment as far as it is known, and the documents about it.
    fileprivate mutating func add(_ attempt: Attempt, in transaction: Transaction) throws {
        let payment = attempt.payment
        (paid, refunded) = (payment.amount, payment.refunded)
        (brand, last4, tip) = (payment.brand, payment.last4, payment.tip)
        (paidAt, means) = (attempt.paidAt ?? payment.createdAt, payment.means ?? .known(.card))
        (tax, taxes) = (payment.tax, attempt.tax?.rows(payment.amount.currency) ?? [])
        creditNotes = try transaction.documents.creditNotes(of: payment.id).map(\.asReference)
        guard let document = try transaction.documents.receipt(of: payment.id) else { return }
        (self.document, seller) = (document.asReference, document.seller)
        timeZone = document.timeZone
    }
}

extension Bill {
    /// Zero for a bill that is finished and cost nothing.
    fileprivate var zero: Money? {
        state == .open && !lines.isEmpty && total.amount == 0 ? total : nil
    }
}
