import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The language of people's receipts, as 1.0.0 stores it, which may run beside this release.
let people = Replica<Language>("people")

/// How documents name people, and how operators find them.
let payers = Replica<KnownPayer>("payers")

/// Unreleased versions between 1.0.0 and this one had payers in the table of languages.
let payerMigrations = [
    payers.addition,
    Migration.addition(
        "payers-1",
        """
        INSERT INTO payers (id, version, body, changed_at)
        SELECT id, version, body, changed_at FROM people WHERE body LIKE '{%'
        """,
        """
        UPDATE people SET body =
            CASE WHEN body LIKE '%"language":"zh-Hant"%' THEN '"zh-Hant"' ELSE '"en"' END
        WHERE body LIKE '{%'
        """),
]

/// A person, as documents name them and operators look for them.
struct KnownPayer: Codable, Sendable, Hashable {
    let firstName, lastName, phone: String
    /// Whether they have a confirmed e-mail address, which only accounts and notifications know.
    let hasEmail: Bool

    init(_ event: AccountChanged) {
        let account = event.account
        (firstName, lastName, phone) = (account.firstName, account.lastName, account.phone)
        hasEmail = event.sealedEmail != nil
    }

    /// Nil if it is empty.
    var name: String? {
        let name = [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
        return name.isEmpty ? nil : name
    }
}

/// A person's language; English until it is known.
func knownLanguage(of person: PersonID, in transaction: Transaction) throws -> Language {
    try people.value(of: person, in: transaction) ?? .english
}

extension PaymentUseCases {
    /// The most payments, and the most refunds, in a person's export.
    static let mostExported = 1_000

    /// Stores what payments knows of the person.
    func apply(_ event: AccountChanged, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            let (person, payer) = (event.account.id, KnownPayer(event))
            try people.keep(
                event.account.language, of: person, version: event.version, at: now,
                in: transaction)
            // An event that comes after the person's deletion changes neither.
            guard try !people.isForgotten(person, in: transaction),
                try payers.keep(
                    payer, of: person, version: event.version, at: now, in: transaction)
            else { return }
            try transaction.paymentSearch.keep(
                person: person, name: payer.name ?? "", phone: payer.phone)
        }
    }

    /// Deletes cards, here and at the provider, and the person's data in bills. The ledger stays as it is; it
    /// never has names.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let (person, now) = (event.account, clock.now)
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            // Told again: the provider has deleted them, too.
            guard try !payers.isForgotten(person, in: transaction) else { return }
            try people.forget(person, version: event.version, at: now, in: transaction)
            try forget(person, version: event.version, at: now, in: transaction)
        }
    }

    /// Deletes what only this release stores of a person, and what the provider has.
    func forget(
        _ person: PersonID, version: Int, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.methods.deleteAll(of: person)
        try transaction.payouts.deleteAccount(of: person)
        try payers.forget(person, version: version, at: now, in: transaction)
        try transaction.paymentSearch.forget(person: person)
        try transaction.documentMails.forget(person)
        try transaction.schedule(PaymentWork.forgetBills, person, at: now)
        try Chore.forget(person).schedule(at: now, in: transaction)
    }

    /// Handles one page of bills or documents per transaction, so that a person with many doesn't block others.
    /// Documents keep what the law asks for: numbers, amounts and taxes, but neither name nor place.
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
                    // Also of a bill that came without the data of a person who was gone already.
                    try transaction.paymentSearch.forgetPayer(of: known.bill)
                }
                return page.count == Self.batch ? page.last?.bill.id.description : nil
            }
        } while after != nil
        repeat {
            let last = after
            after = try await database.write { transaction in
                try transaction.documents.forgetPayer(person, after: last, limit: Self.batch)
            }
        } while after != nil
    }

    /// Bills or documents per transaction.
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
                documents: try transaction.documents.page(
                    most, where: Conditions("payer = ?", person),
                    in: knownLanguage(of: person, in: transaction)
                ).items,
                receiptSettings: try transaction.documentMails.settings(of: person),
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
    let documents: [DocumentEntry]
    let receiptSettings: ReceiptSettings
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
