import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// What an order cost and how it was paid, in the customer's language unless another is named.
    ///
    /// A customer sees their own, operators everybody's.
    func receipt(
        of order: OrderID, for customer: CustomerID?, in language: Language?
    ) async throws -> Receipt {
        try await database.read { transaction in
            guard let bill = try transaction.bill(of: order),
                customer == nil || customer == bill.customer
            else { throw PaymentError.orderUnknown }
            guard let facts = bill.facts else { throw PaymentError.receiptNotReady }
            let paid = try bill.paidBy.flatMap { try transaction.attempt($0) }
            guard let charge = paid?.payment.bill ?? facts.zero else {
                throw PaymentError.receiptNotReady
            }
            let words = try language ?? transaction.language(of: bill.customer) ?? .english
            var receipt = Receipt(
                order: order, ticket: facts.ticket, language: words, lines: facts.lines,
                charge: charge)
            (receipt.vehicle, receipt.collectedAt) = (facts.vehicle, facts.collectedAt)
            receipt.returnedAt = facts.returnedAt
            guard let payment = paid?.payment else { return receipt }
            (receipt.paid, receipt.refunded) = (payment.amount, payment.refunded)
            (receipt.brand, receipt.last4) = (payment.brand, payment.last4)
            (receipt.tip, receipt.paidAt) = (payment.tip, paid?.paidAt ?? payment.createdAt)
            return receipt
        }
    }
}

extension OrderFacts {
    /// Of an order that is over and cost nothing.
    fileprivate var zero: Money? {
        isFree ? currency.map { Money(amount: 0, currency: $0) } : nil
    }
}
