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
            guard let charge = paid?.payment.due ?? bill.zero else {
                throw Refusal.receiptNotReady
            }
            let words = try language ?? people.value(of: bill.payer, in: transaction) ?? .english
            var receipt = BillReceipt(bill, charge: charge, in: words)
            if let payment = paid?.payment {
                (receipt.paid, receipt.refunded) = (payment.amount, payment.refunded)
                (receipt.brand, receipt.last4) = (payment.brand, payment.last4)
                (receipt.tip, receipt.paidAt) = (payment.tip, paid?.paidAt ?? payment.createdAt)
            }
            return ReceiptAnswer(
                receipt: receipt, details: bill.facts.details, fields: bill.facts.fields)
        }
    }
}

extension Bill {
    /// Zero for a bill that is finished and cost nothing.
    fileprivate var zero: Money? {
        state == .open && !lines.isEmpty && total.amount == 0 ? total : nil
    }
}
