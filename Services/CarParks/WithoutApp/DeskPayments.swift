import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

extension BookingUseCases {
    /// Records that somebody has paid at the desk. The key gets the bill first, and payments the key, so that a repeat
    /// finds the payment that was made for it, and no other.
    ///
    /// - Parameter charge: Makes the bill, or finds the open one.
    func receive(
        _ body: ReceiveBody, by person: PersonID, once key: IdempotencyKey?,
        charge: @escaping @Sendable (Transaction) throws -> BillID
    ) async throws -> ReceivedPayment {
        let bill = try await database.write(once: key, charge)
        do {
            return try await receive(bill, body, by: person, once: key)
        } catch let refusal as Refusal where refusal.problem.code == "payment.not_due" {
            // Another bill may have replaced it.
            guard let next = key?.step(bill),
                try await database.write(once: next, charge) != bill
            else { throw refusal }
            return try await receive(body, by: person, once: next, charge: charge)
        }
    }

    /// Settles what is paid already: the word of it may be on its way.
    private func receive(
        _ bill: BillID, _ body: ReceiveBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> ReceivedPayment {
        do {
            return try await cashier.receive(bill, body, by: person, once: key?.forwarded)
        } catch let refusal as Refusal where refusal.problem.code == "payment.already_paid" {
            try await settle(try await cashier.payment(of: bill))
            throw refusal
        }
    }
}
