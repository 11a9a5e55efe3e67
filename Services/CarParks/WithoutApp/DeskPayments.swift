import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

extension BookingUseCases {
    /// Records that somebody has paid at the desk. The key gets the bill first, so that a repeat after a crash finds
    /// the payment that was made for it.
    ///
    /// - Parameter charge: Makes the bill, or finds the open one.
    func receive(
        _ body: ReceiveBody, by person: PersonID, once key: IdempotencyKey?,
        charge: @escaping @Sendable (Transaction) throws -> BillID
    ) async throws -> ReceivedPayment {
        let asked: BillID? = try await database.answer(once: key)
        guard let asked else {
            let bill = try await database.write(once: key, charge)
            return try await receive(bill, body, by: person)
        }
        do {
            return try await receive(asked, body, by: person)
        } catch let refusal as Refusal where refusal.problem.code == "payment.already_paid" {
            let payment = try await cashier.payment(of: asked)
            guard payment.means == .known(body.means) else { throw refusal }
            let change = body.given.map { $0 - payment.amount.amount } ?? 0
            return ReceivedPayment(
                payment: payment,
                change: Money(amount: max(0, change), currency: payment.amount.currency))
        } catch let refusal as Refusal where refusal.problem.code == "payment.not_due" {
            // Another bill has replaced it.
            let bill = try await database.write(charge)
            return try await receive(bill, body, by: person)
        }
    }

    /// Settles what is paid already: the word of it may be on its way.
    private func receive(
        _ bill: BillID, _ body: ReceiveBody, by person: PersonID
    ) async throws -> ReceivedPayment {
        do {
            return try await cashier.receive(bill, body, by: person)
        } catch let refusal as Refusal where refusal.problem.code == "payment.already_paid" {
            try await settle(try await cashier.payment(of: bill))
            throw refusal
        }
    }
}
