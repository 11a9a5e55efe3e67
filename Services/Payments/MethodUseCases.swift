import Contracts
import ServiceKit
import Store

extension PaymentUseCases {
    /// Keeps a card for the next time; only the provider's name of it is stored.
    func saveMethod(
        _ token: PaymentToken, of customer: CustomerID, key: IdempotencyKey?
    ) async throws -> PaymentMethod {
        let instrument: Instrument?
        do {
            instrument = try await provider.instrument(for: token)
        } catch is ProviderUnavailable {
            throw PaymentError.providerUnavailable
        }
        guard let instrument else { throw PaymentError.tokenUnknown }
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
        let isGone = try await database.write { try $0.deleteMethod(id, of: customer) }
        guard isGone else { throw PaymentError.methodUnknown }
    }

    /// Payments and refunds: a customer's own, or everybody's.
    func entries(of customer: CustomerID?, _ page: PageRequest) async throws -> Page<PaymentEntry> {
        let position = try PagePosition(after: page.after, limit: page.limit, of: PaymentID.self)
        return try await database.read { try $0.entries(of: customer, position) }
    }
}
