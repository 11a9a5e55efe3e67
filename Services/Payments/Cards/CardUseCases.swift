import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// Begins to set up a card that can be charged in its holder's absence; nothing is stored before it is saved.
    func beginSetup(for payer: PersonID) async throws -> PaymentSetup {
        try await database.read { try $0.methods.requireRoom(for: payer) }
        do {
            return PaymentSetup(clientSecret: try await provider.beginSetup(for: payer))
        } catch is ProviderUnavailable {
            throw Refusal.paymentProviderUnavailable
        }
    }

    /// Makes a card the one that is listed first.
    func makeDefault(_ id: PaymentMethodID, of payer: PersonID) async throws -> PaymentMethod {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.requireStanding(of: payer)
            guard try transaction.methods.find(id, of: payer, at: now) != nil else {
                throw Refusal.paymentMethodUnknown
            }
            try transaction.methods.makeDefault(id, of: payer)
            guard let saved = try transaction.methods.find(id, of: payer, at: now) else {
                throw Refusal.paymentMethodUnknown
            }
            return saved.method
        }
    }

    /// Takes over what the bank or the provider changed: new digits, a new expiry date, or the card's removal.
    func refreshCards(_ reference: String) async throws {
        guard try await database.read({ try $0.methods.has(reference: reference) }) else { return }
        let card: Instrument?
        do {
            card = try await provider.saved(reference)
        } catch is ProviderUnavailable {
            throw Refusal.paymentProviderUnavailable
        }
        try await database.write { try $0.methods.refresh(reference, as: card) }
    }

    /// Continues the payment of a bill that waits for its payer, wherever it was begun.
    ///
    /// If it has ended meanwhile, for example by an event of the provider, the answer is how it ended.
    func confirm(_ bill: BillID, by payer: PersonID) async throws -> Payment {
        let id = try await database.read { transaction in
            try transaction.requireStanding(of: payer)
            guard let known = try transaction.bills.find(bill), known.bill.payer == payer else {
                throw Refusal.billUnknown
            }
            return try known.paidBy ?? known.attempt ?? transaction.attempts.newest(of: bill)
        }
        guard let id else { throw Refusal.paymentUnknown }
        return try await conclude(PaymentClaim(payment: id, resumes: true, maker: UUID()))
    }
}
