import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The only personal data in payments: the language of people's receipts.
let people = Replica<Language>("people")

extension PaymentUseCases {
    /// The most payments, and the most refunds, in a person's export.
    static let mostExported = 1_000

    /// Stores the language of the payer's receipts.
    func apply(_ event: AccountChanged, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try people.keep(
                event.account.language, of: event.account.id, version: event.version, at: now,
                in: transaction)
        }
    }

    /// Deletes cards, here and at the provider, and the person's data in bills. The ledger stays as it is; it
    /// never has names.
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

    /// Handles one page of bills per transaction, so that a person with many doesn't block others.
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

    /// Bills per transaction.
    static let batch = 100

    /// Makes a change at the provider that was decided here; it may be repeated safely.
    func run(_ chore: Chore) async throws {
        switch chore {
        case .release(let reference): try await provider.release(reference)
        case .forget(let person): try await provider.forget(person)
        }
    }

    /// All data held about a person, for their export.
    func data(of person: PersonID) async throws -> PersonData {
        let most = PageRequest(limit: Self.mostExported)
        let (methods, now) = (PageRequest(limit: Self.mostMethods), clock.now)
        return try await database.read { transaction in
            PersonData(
                language: try people.value(of: person, in: transaction),
                paymentMethods: try transaction.methods.page(of: person, methods, at: now).items,
                payments: try transaction.attempts.entries(of: person, bill: nil, most).items,
                tips: try transaction.ledger.tips(of: person, limit: Self.mostExported),
                payouts: try transaction.payouts.page(of: person, most).items,
                payoutAccount: try transaction.payouts.account(of: person)?.view,
                drawers: try transaction.drawers.page(Conditions("keeper = ?", person), most)
                    .items)
        }
    }
}

/// The export of a person's data.
struct PersonData: Codable, Sendable {
    let language: Language?
    let paymentMethods: [PaymentMethod]
    let payments: [PaymentEntry]
    let tips: [Earnings.Item]
    let payouts: [Payout]
    let payoutAccount: PayoutAccount?
    /// The cash drawers that the person has kept.
    let drawers: [CashDrawer]
}

/// A background task at the provider.
enum Chore: Sendable, Hashable {
    /// Deletes the removed card with this reference.
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
