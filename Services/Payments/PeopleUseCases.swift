import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// All that payments knows of people: the language in which their receipts are written.
let people = Replica<Language>("people")

extension PaymentUseCases {
    /// Payments and refunds of one person's export, each.
    static let mostExported = 1_000

    /// Receipts are written in the payer's language.
    func apply(_ event: AccountChanged, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try people.keep(
                event.account.language, of: event.account.id, version: event.version, at: now,
                in: transaction)
        }
    }

    /// Cards go, here and at the provider, and what bills tell of the person; what was paid stays in
    /// the books, where no name ever was.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let (person, now) = (event.account, clock.now)
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try transaction.methods.deleteAll(of: person)
            try transaction.payouts.deleteAccount(of: person)
            try people.forget(person, version: event.version, at: now, in: transaction)
            try transaction.schedule(PaymentWork.forgetBills, person, at: now)
            try Chore.forget(person).schedule(at: now, in: transaction)
        }
    }

    /// A page of bills a transaction, so that nobody waits for somebody's many.
    func forgetBills(of person: PersonID) async throws {
        var after: String?
        repeat {
            let last = after
            after = try await database.write { transaction in
                let page = try transaction.bills.all(of: person, after: last, limit: Self.batch)
                for var known in page {
                    let before = known
                    known.forgetPayer()
                    if known != before { try transaction.bills.update(&known) }
                }
                return page.count == Self.batch ? page.last?.bill.id.description : nil
            }
        } while after != nil
    }

    /// Bills that are forgotten in one transaction.
    static let batch = 100

    /// Does at the provider what was decided here; done once, it may be done again.
    func run(_ chore: Chore) async throws {
        switch chore {
        case .release(let reference): try await provider.release(reference)
        case .forget(let person): try await provider.forget(person)
        }
    }

    /// All that is held on a person, for their export.
    func data(of person: PersonID) async throws -> PersonData {
        let most = PageRequest(limit: Self.mostExported)
        let methods = PageRequest(limit: Self.mostMethods)
        return try await database.read { transaction in
            PersonData(
                language: try people.value(of: person, in: transaction),
                paymentMethods: try transaction.methods.page(of: person, methods).items,
                payments: try transaction.attempts.entries(of: person, bill: nil, most).items,
                tips: try transaction.ledger.tips(of: person, limit: Self.mostExported),
                payouts: try transaction.payouts.page(of: person, most).items)
        }
    }
}

/// Everything that payments holds on a person.
struct PersonData: Codable, Sendable {
    let language: Language?
    let paymentMethods: [PaymentMethod]
    let payments: [PaymentEntry]
    let tips: [Earnings.Item]
    let payouts: [Payout]
}

/// Something to do at the provider that nobody waits for.
enum Chore: Sendable, Hashable {
    /// The provider's name of a card that was removed here.
    case release(String)
    case forget(PersonID)

    func schedule(at now: Date, in transaction: Transaction) throws {
        switch self {
        case .release(let reference):
            try transaction.schedule(PaymentWork.release, reference, at: now)
        case .forget(let person): try transaction.schedule(PaymentWork.forget, person, at: now)
        }
    }
}
