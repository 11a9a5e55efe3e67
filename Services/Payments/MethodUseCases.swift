import Contracts
import ServiceKit
import Store

extension PaymentUseCases {
    /// Keeps a card for the next time; only the provider's name of it is stored.
    func saveMethod(
        _ token: PaymentToken, of customer: CustomerID, key: IdempotencyKey?
    ) async throws -> PaymentMethod {
        let outcome: KeepOutcome
        do {
            outcome = try await provider.keep(token, for: customer)
        } catch is ProviderUnavailable {
            throw PaymentError.providerUnavailable
        }
        let instrument: Instrument
        switch outcome {
        case .kept(let kept): instrument = kept
        case .unknown: throw PaymentError.tokenUnknown
        case .declined(let reason): throw PaymentError.declined(reason: reason)
        }
        let now = clock.now
        return try await database.write(once: key) { transaction in
            guard try transaction.countMethods(of: customer) < Self.mostMethods else {
                throw PaymentError.tooManyMethods
            }
            let method = PaymentMethod(
                id: .new(at: now), brand: instrument.brand, last4: instrument.last4)
            try transaction.insert(
                SavedMethod(method: method, customer: customer, reference: instrument.reference))
            return method
        }
    }

    func methods(of customer: CustomerID, _ page: PageRequest) async throws -> Page<PaymentMethod> {
        let position = try PagePosition(
            after: page.after, limit: page.limit, of: PaymentMethodID.self)
        return try await database.read { try $0.methods(of: customer, position) }
    }

    func deleteMethod(_ id: PaymentMethodID, of customer: CustomerID) async throws {
        try await database.write { transaction in
            guard let reference = try transaction.deleteMethod(id, of: customer) else {
                throw PaymentError.methodUnknown
            }
            try transaction.add(.release(reference))
        }
    }

    /// Payments and refunds: a customer's own, or everybody's.
    func entries(of customer: CustomerID?, _ page: PageRequest) async throws -> Page<PaymentEntry> {
        let position = try PagePosition(after: page.after, limit: page.limit, of: PaymentID.self)
        return try await database.read { try $0.entries(of: customer, position) }
    }
}
