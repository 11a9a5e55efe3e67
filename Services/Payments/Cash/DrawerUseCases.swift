import Contracts
import Foundation
import ServiceKit
import Store

// Opening, emptying and counting drawers.

/// The caller of a use case of cash.
struct Teller: Sendable {
    let person: PersonID
    /// Valets use their own drawer, and receive payments of orders that they served.
    let isValet: Bool
}

extension PaymentUseCases {
    /// The most currencies in one drawer.
    static let mostCurrencies = 10

    func openDrawer(
        _ body: OpenDrawerBody, by person: Teller, key: IdempotencyKey?
    ) async throws -> CashDrawer {
        let name = try Check.text(body.name, "name", 1...60)
        let float = try Check.amounts(body.float ?? [], "float")
        let keeper = person.isValet ? person.person : body.keeper ?? person.person
        let now = clock.now
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: keeper, as: person.isValet ? .valet : nil)
            guard try transaction.drawers.open(of: keeper) == nil else {
                throw Refusal.drawerAlreadyOpen
            }
            let drawer = Drawer(.new(at: now), of: keeper, name: name, float: float, at: now)
            try DrawerStore.table.insert(drawer, in: transaction)
            if let entry = try LedgerEntry.float(float, in: drawer.id) {
                try transaction.ledger.enter(entry, at: now)
            }
            try transaction.drawers.record("payments.open-drawer", drawer.id, by: person, at: now)
            return try transaction.drawers.view(drawer)
        }
    }

    func drawers(_ query: DrawersQuery, _ page: PageRequest) async throws -> Page<CashDrawer> {
        var conditions = Conditions()
        conditions.require("is_open = ?", ifPresent: query.state.map { $0 == .open })
        conditions.require("keeper = ?", ifPresent: query.keeper)
        let found = conditions
        return try await database.read { try $0.drawers.page(found, page) }
    }

    func drawers(of keeper: PersonID, _ page: PageRequest) async throws -> Page<CashDrawer> {
        try await database.read { try $0.drawers.page(Conditions("keeper = ?", keeper), page) }
    }

    func deposit(
        _ body: DepositBody, from id: DrawerID, by person: Teller, key: IdempotencyKey?
    ) async throws -> CashDrawer {
        let amount = try Check.amount(body.amount, "amount", from: 1)
        let note = try Check.optionalText(body.note, "note", most: Self.longestNote)
        guard body.drawerId != id else {
            throw Refusal.invalid("drawerId", "Choose another drawer.")
        }
        let now = clock.now
        return try await database.write(once: key) { transaction in
            let drawers = transaction.drawers
            var drawer = try drawers.use(id, by: person.person, isValet: person.isValet)
            try drawers.takeOut(amount, of: &drawer)
            if let other = body.drawerId {
                // A valet may hand cash over to anybody.
                var target = try drawers.use(other, by: person.person, isValet: false)
                try drawers.update(&target)
            }
            if let entry = try LedgerEntry.deposited(
                amount, from: id, to: body.drawerId, version: drawer.version.number)
            {
                try transaction.ledger.enter(entry, at: now)
            }
            try transaction.drawers.record(
                "payments.deposit", id, by: person, reason: note, at: now)
            return try drawers.view(drawer)
        }
    }

    /// Closes a drawer with what was counted in it.
    func closeDrawer(
        _ id: DrawerID, _ body: CloseDrawerBody, by person: Teller, key: IdempotencyKey?
    ) async throws -> CashDrawer {
        let counted = try Check.amounts(body.counted, "counted")
        let note = try Check.optionalText(body.note, "note", most: Self.longestNote)
        let now = clock.now
        return try await database.write(once: key) { transaction in
            var drawer = try transaction.drawers.use(
                id, by: person.person, isValet: person.isValet)
            let expected = try transaction.drawers.balance(of: id)
            drawer.close(counted, expected: expected, at: now)
            try transaction.drawers.update(&drawer)
            if let entry = try LedgerEntry.counted(counted, expected: expected, in: id) {
                try transaction.ledger.enter(entry, at: now)
            }
            try transaction.drawers.record(
                "payments.close-drawer", id, by: person, reason: note, at: now)
            return try transaction.drawers.view(drawer)
        }
    }

    /// The longest note of a drawer, a payment or a closed day, in characters.
    static let longestNote = 500
}

extension DrawerStore {
    /// Records an operator's action. Throws if the person may not act any more.
    func record(
        _ action: String, _ subject: some CustomStringConvertible, by person: Teller,
        reason: String? = nil, at now: Date
    ) throws {
        guard person.isValet else {
            return try transaction.record(
                action, subject, by: person.person, reason: reason, at: now)
        }
        try transaction.requireStanding(of: person.person, as: .valet)
    }
}

extension Check {
    /// Amounts of cash, at most one for each currency.
    fileprivate static func amounts(_ amounts: [Money], _ field: String) throws -> [Money] {
        guard amounts.count <= PaymentUseCases.mostCurrencies,
            Set(amounts.map(\.currency)).count == amounts.count
        else {
            throw Refusal.invalid(
                field, "Use one amount for each of at most \(PaymentUseCases.mostCurrencies).")
        }
        return try amounts.map { try amount($0, field, from: 0) }
    }

    fileprivate static func amount(
        _ money: Money, _ field: String, from least: Int
    ) throws -> Money {
        guard money.currency.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw Refusal.invalid(field, "Use three capital letters, for example EUR.")
        }
        _ = try int(money.amount, field, in: least...Money.largestAmount)
        return money
    }
}
