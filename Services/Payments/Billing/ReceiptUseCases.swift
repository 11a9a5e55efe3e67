import Contracts
import Foundation
import ServiceKit
import Store

/// A receipt, and what the bill's product adds to it for people and for its own clients.
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

    /// The product's fields first: none of them takes the place of what payments says.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for field in fields { try container.encode(field.value, forKey: Name(field.name)) }
        try receipt.encode(to: encoder)
    }
}

extension PaymentUseCases {
    /// What something cost and how it was paid, in the payer's language unless another is named.
    ///
    /// A payer sees their own, operators everybody's.
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
    /// Of what is over and cost nothing.
    fileprivate var zero: Money? {
        state == .open && !lines.isEmpty && total.amount == 0 ? total : nil
    }
}
