import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The schema of what is known of saved cards beyond `payment_methods`, and of each person's default card.
enum Cards {
    static let migrations = [
        Migration.addition(
            "cards-1",
            """
            CREATE TABLE card_details (
                method_id TEXT NOT NULL PRIMARY KEY,
                expiry_month BIGINT,
                expiry_year BIGINT,
                wallet TEXT
            )
            """,
            """
            CREATE TABLE default_cards (
                payer TEXT NOT NULL PRIMARY KEY,
                method_id TEXT NOT NULL
            )
            """,
            "CREATE INDEX payment_methods_by_reference ON payment_methods (reference)")
    ]
}

extension Transaction {
    var methods: MethodStore { MethodStore(transaction: self) }
}

/// A card that a person has saved.
struct SavedMethod: Sendable, Hashable {
    let method: PaymentMethod
    let payer: PersonID
    let reference: String

    init(
        _ id: PaymentMethodID, _ card: Instrument, of payer: PersonID, isDefault: Bool = false,
        at now: Date
    ) {
        var method = PaymentMethod(id: id, brand: card.brand, last4: card.last4)
        (method.expiryMonth, method.expiryYear) = (card.expiry?.month, card.expiry?.year)
        method.wallet = card.wallet
        // Absent rather than false, as before there were defaults.
        method.isDefault = isDefault ? true : nil
        method.isExpired = card.expiry?.isPast(at: now) == true ? true : nil
        (self.method, self.payer, reference) = (method, payer, card.reference)
    }

    var instrument: Instrument {
        var card = Instrument(reference: reference, brand: method.brand, last4: method.last4)
        if let month = method.expiryMonth, let year = method.expiryYear {
            card.expiry = CardExpiry(month: month, year: year)
        }
        card.wallet = method.wallet
        return card
    }
}

/// Saved cards.
struct MethodStore {
    let transaction: Transaction

    private static let select = """
        SELECT payment_methods.id AS id, payment_methods.payer AS payer, reference, brand, last4,
            expiry_month, expiry_year, wallet, default_cards.method_id AS default_id
        FROM payment_methods
        LEFT JOIN card_details ON card_details.method_id = payment_methods.id
        LEFT JOIN default_cards ON default_cards.method_id = payment_methods.id
        """

    func find(_ id: PaymentMethodID, of payer: PersonID, at now: Date) throws -> SavedMethod? {
        try transaction.row(
            "\(Self.select) WHERE payment_methods.id = ? AND payment_methods.payer = ?", id, payer
        ).map { try $0.savedMethod(at: now) }
    }

    /// The default card first, then the newest.
    func page(
        of payer: PersonID, _ page: PageRequest, at now: Date
    ) throws -> Page<PaymentMethod> {
        let last = try page.cursor(as: PaymentMethodID.self)
        let all = try transaction.rows(
            """
            \(Self.select) WHERE payment_methods.payer = ?
            ORDER BY default_cards.method_id IS NULL, payment_methods.id DESC LIMIT ?
            """, payer, PaymentUseCases.mostMethods
        ).map { try $0.savedMethod(at: now).method }
        let rest: [PaymentMethod]
        if let index = all.firstIndex(where: { $0.id == last }) {
            rest = Array(all.dropFirst(index + 1))
        } else if let last {
            // The last card of the page before has been removed since.
            rest = all.filter { $0.isDefault != true && $0.id.description < last.description }
        } else {
            rest = all
        }
        return page.page(of: Array(rest.prefix(page.rows)), cursor: \.id)
    }

    /// Throws if the payer may not act any more, or has the maximum number of methods.
    func requireRoom(for payer: PersonID) throws {
        try transaction.requireStanding(of: payer)
        let count: Int =
            try transaction.row("SELECT COUNT(*) AS n FROM payment_methods WHERE payer = ?", payer)?
            .get("n") ?? 0
        guard count < PaymentUseCases.mostMethods else { throw Refusal.tooManyPaymentMethods }
    }

    func insert(_ saved: SavedMethod) throws {
        try transaction.execute(
            """
            INSERT INTO payment_methods (id, payer, reference, brand, last4)
            VALUES (?, ?, ?, ?, ?)
            """,
            saved.method.id, saved.payer, saved.reference, saved.method.brand,
            saved.method.last4)
        try keep(saved.instrument, of: saved.method.id)
    }

    private func keep(_ card: Instrument, of id: PaymentMethodID) throws {
        try transaction.execute(
            """
            INSERT INTO card_details (method_id, expiry_month, expiry_year, wallet)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (method_id) DO UPDATE SET expiry_month = excluded.expiry_month,
                expiry_year = excluded.expiry_year, wallet = excluded.wallet
            """, id, card.expiry?.month, card.expiry?.year, card.wallet)
    }

    func makeDefault(_ id: PaymentMethodID, of payer: PersonID) throws {
        try transaction.execute(
            """
            INSERT INTO default_cards (payer, method_id) VALUES (?, ?)
            ON CONFLICT (payer) DO UPDATE SET method_id = excluded.method_id
            """, payer, id)
    }

    /// Returns the provider's reference of the deleted card; nil if the payer has no such card.
    func delete(_ id: PaymentMethodID, of payer: PersonID) throws -> String? {
        let reference: String? = try transaction.row(
            """
            DELETE FROM payment_methods WHERE id = ? AND payer = ? RETURNING reference
            """, id, payer)?.get("reference")
        if reference != nil { try forget(id) }
        return reference
    }

    private func forget(_ id: PaymentMethodID) throws {
        try transaction.execute("DELETE FROM card_details WHERE method_id = ?", id)
        try transaction.execute("DELETE FROM default_cards WHERE method_id = ?", id)
    }

    func deleteAll(of payer: PersonID) throws {
        try transaction.execute(
            """
            DELETE FROM card_details WHERE method_id IN
                (SELECT id FROM payment_methods WHERE payer = ?)
            """, payer)
        try transaction.execute("DELETE FROM default_cards WHERE payer = ?", payer)
        try transaction.execute("DELETE FROM payment_methods WHERE payer = ?", payer)
    }

    // MARK: Cards as the provider knows them

    /// Whether anyone has saved the card with this reference.
    func has(reference: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM payment_methods WHERE reference = ? LIMIT 1", reference) != nil
    }

    /// Takes a card's current data; nil deletes it.
    func refresh(_ reference: String, as card: Instrument?) throws {
        let ids: [PaymentMethodID] = try transaction.rows(
            "SELECT id FROM payment_methods WHERE reference = ?", reference
        ).map { try $0.get("id") }
        for id in ids {
            guard let card else {
                try transaction.execute("DELETE FROM payment_methods WHERE id = ?", id)
                try forget(id)
                continue
            }
            try transaction.execute(
                "UPDATE payment_methods SET brand = ?, last4 = ? WHERE id = ?", card.brand,
                card.last4, id)
            try keep(card, of: id)
        }
    }
}

extension Row {
    fileprivate func savedMethod(at now: Date) throws -> SavedMethod {
        var card = Instrument(
            reference: try get("reference"), brand: try get("brand"), last4: try get("last4"))
        if let month = try getIfPresent("expiry_month", as: Int.self),
            let year = try getIfPresent("expiry_year", as: Int.self)
        {
            card.expiry = CardExpiry(month: month, year: year)
        }
        card.wallet = try getIfPresent("wallet")
        return SavedMethod(
            try get("id"), card, of: try get("payer"),
            isDefault: try getIfPresent("default_id", as: String.self) != nil, at: now)
    }
}
