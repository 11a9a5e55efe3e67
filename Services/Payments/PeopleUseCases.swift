import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// What payments knows of people, and how it forgets them.

extension PaymentUseCases {
    /// Payments and refunds of one person's export, each.
    static let mostExported = 1_000

    /// Receipts are written in the customer's language.
    func know(_ event: AccountChanged, _ delivery: Delivery) async throws {
        guard event.account.role == .customer else { return }
        let customer = event.account.id.as(CustomerID.self)
        try await database.apply(delivery) { transaction in
            try transaction.keep(event.account.language, of: customer, version: event.version)
        }
    }

    /// Cards and plates go, here and at the provider; what was paid stays in the books, where no
    /// name ever was.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        guard event.role == .customer else { return }
        let customer = event.account.as(CustomerID.self)
        try await database.apply(delivery) { transaction in
            try transaction.deleteMethods(of: customer)
            for var bill in try transaction.bills(of: customer) {
                bill.facts?.vehicle = nil
                try transaction.update(bill)
            }
            // A copy of an older version that comes late changes nothing.
            try transaction.keep(.english, of: customer, version: event.version)
            try transaction.add(.forget(customer))
        }
    }

    /// Does at the provider what was decided here; done once, it may be done again.
    func run(_ chore: Chore) async throws {
        do {
            switch chore {
            case .release(let reference): try await provider.release(reference)
            case .forget(let customer): try await provider.forget(customer)
            }
        } catch let error as ProviderUnavailable {
            logger.warning(
                "payment provider gave no answer", metadata: ["error": "\(error.detail)"])
            throw PaymentError.providerUnavailable
        }
        try await database.write { try $0.remove(chore) }
    }

    /// All that is held on a person, for their export.
    func data(of person: PersonID) async throws -> PersonData {
        let customer = person.as(CustomerID.self)
        let page = try PagePosition(after: nil, limit: Self.mostExported, of: PaymentID.self)
        let methods = try PagePosition(
            after: nil, limit: Self.mostMethods, of: PaymentMethodID.self)
        return try await database.read { transaction in
            PersonData(
                language: try transaction.language(of: customer),
                paymentMethods: try transaction.methods(of: customer, methods).items,
                payments: try transaction.entries(of: customer, page).items,
                tips: try transaction.tips(
                    of: person.as(ValetID.self), limit: Self.mostExported))
        }
    }
}

/// Answer of `GET /internal/people/{id}`.
struct PersonData: Codable, Sendable {
    let language: Language?
    let paymentMethods: [PaymentMethod]
    let payments: [PaymentEntry]
    let tips: [Earnings.Item]
}

/// Something to do at the provider that nobody waits for.
enum Chore: Sendable, Hashable {
    /// The provider's name of a card that was removed here.
    case release(String)
    case forget(CustomerID)

    fileprivate var columns: (kind: String, subject: String) {
        switch self {
        case .release(let reference): ("release", reference)
        case .forget(let customer): ("forget", customer.description)
        }
    }

    fileprivate init?(kind: String, subject: String) {
        switch kind {
        case "release": self = .release(subject)
        case "forget":
            guard let customer = CustomerID(subject) else { return nil }
            self = .forget(customer)
        default: return nil
        }
    }
}

extension Transaction {
    func add(_ chore: Chore) throws {
        try execute(
            "INSERT INTO chores (kind, subject) VALUES (?, ?) ON CONFLICT DO NOTHING",
            chore.columns.kind, chore.columns.subject)
        signal(PaymentStore.unresolvedSignal)
    }

    func chores(limit: Int) throws -> [Chore] {
        try rows("SELECT kind, subject FROM chores LIMIT ?", limit).compactMap {
            Chore(kind: try $0.get("kind"), subject: try $0.get("subject"))
        }
    }

    func remove(_ chore: Chore) throws {
        try execute(
            "DELETE FROM chores WHERE kind = ? AND subject = ?", chore.columns.kind,
            chore.columns.subject)
    }

    func keep(_ language: Language, of customer: CustomerID, version: Int) throws {
        try execute(
            """
            INSERT INTO customers (id, language, version) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE
                SET language = excluded.language, version = excluded.version
                WHERE customers.version < excluded.version
            """, customer, language.rawValue, version)
    }

    func language(of customer: CustomerID) throws -> Language? {
        try row("SELECT language FROM customers WHERE id = ?", customer).flatMap {
            Language(rawValue: try $0.get("language"))
        }
    }

    func bills(of customer: CustomerID) throws -> [Bill] {
        try rows("SELECT body FROM bills WHERE customer_id = ?", customer).map { try $0.body() }
    }
}
