import Contracts
import ServiceKit
import Store

extension PaymentUseCases {
    /// Saves a card for later payments; only the provider's reference is stored.
    func saveMethod(
        _ token: PaymentToken, of payer: PersonID, key: IdempotencyKey?
    ) async throws -> PaymentMethod {
        if let known = try await database.answer(once: key, as: PaymentMethod.self) { return known }
        // Checked before the provider saves the card, and again when it is stored.
        try await database.read { try $0.methods.requireRoom(for: payer) }
        let outcome: KeepOutcome
        do {
            outcome = try await provider.keep(token, for: payer)
        } catch is ProviderUnavailable {
            throw Refusal.paymentProviderUnavailable
        }
        let instrument: Instrument
        switch outcome {
        case .kept(let kept): instrument = kept
        case .unknown: throw Refusal.paymentTokenUnknown
        case .declined(let reason): throw Refusal.paymentDeclined.because(reason)
        }
        let now = clock.now
        do {
            return try await database.write(once: key) { transaction in
                try transaction.methods.requireRoom(for: payer)
                let saved = SavedMethod(.new(at: now), instrument, of: payer, at: now)
                try transaction.methods.insert(saved)
                return saved.method
            }
        } catch Refusal.tokenInvalid {
            // The account was deleted meanwhile: the provider may have deleted its data before it saved the card.
            try await database.write { try Chore.forget(payer).schedule(at: now, in: $0) }
            throw Refusal.tokenInvalid
        }
    }

    func methods(of payer: PersonID, _ page: PageRequest) async throws -> Page<PaymentMethod> {
        let now = clock.now
        return try await database.read { try $0.methods.page(of: payer, page, at: now) }
    }

    func method(_ id: PaymentMethodID, of payer: PersonID) async throws -> SavedMethod {
        let now = clock.now
        guard let saved = try await database.read({ try $0.methods.find(id, of: payer, at: now) })
        else { throw Refusal.paymentMethodUnknown }
        return saved
    }

    func deleteMethod(_ id: PaymentMethodID, of payer: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let reference = try transaction.methods.delete(id, of: payer) else {
                throw Refusal.paymentMethodUnknown
            }
            try Chore.release(reference).schedule(at: now, in: transaction)
        }
    }

    /// Payments and refunds: a payer's own, or everyone's; optionally of one bill.
    func entries(
        of payer: PersonID?, bill: BillID? = nil, _ page: PageRequest
    ) async throws -> Page<PaymentEntry> {
        try await database.read { try $0.attempts.entries(of: payer, bill: bill, page) }
    }
}
