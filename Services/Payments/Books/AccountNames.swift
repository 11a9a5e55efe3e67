import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// An account's kind and owner, from its id.
struct AccountID: Sendable, Hashable {
    let text: String
    /// Nil for a kind that this release does not know.
    let kind: LedgerAccount.Kind?
    let owner: String?

    init(_ text: String) {
        self.text = text
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        kind = parts.first.flatMap(LedgerAccount.Kind.init)
        owner = parts.count > 1 ? parts[1] : nil
    }

    var person: PersonID? {
        guard let kind, LedgerAccount.Kind.people.contains(kind) else { return nil }
        return owner.flatMap { PersonID($0) }
    }

    var product: Product? {
        switch kind {
        case .revenue, .refunds, .billed, .commission, .rewardCost:
            owner.flatMap { Product(String($0.prefix { $0 != "/" })) }
        default: nil
        }
    }

    /// The area or car park behind the product.
    var site: String? {
        guard product != nil, let owner, let slash = owner.firstIndex(of: "/") else { return nil }
        return String(owner[owner.index(after: slash)...])
    }

    /// Whether it holds money: the provider's, a drawer, the safe or the terminals.
    var holdsMoney: Bool { kind.map(LedgerAccount.Kind.money.contains) ?? false }
}

extension LedgerAccount.Kind {
    /// The kinds of accounts that hold money.
    static let money: Set<Self> = [.providerClearing, .cash, .safe, .terminal]
    /// The kinds of accounts of what people have earned.
    static let owed: [Self] = [.payable, .pending, .frozen]
    /// The kinds of accounts of single people.
    static let people: Set<Self> = [.pending, .payable, .frozen, .reward]
    /// The same as arguments of SQL.
    static let peopleValues: [(any SQLConvertible)?] = people.map(\.rawValue).sorted()
}

/// The names of some accounts in words.
struct AccountNames: Sendable {
    let language: Language
    private let people: [PersonID: String]
    private let sites: [String: String]
    private let drawers: [String: String]

    /// Reads the names of people, areas, car parks and drawers of these accounts.
    init(_ accounts: some Sequence<String>, in language: Language, _ transaction: Transaction)
        throws
    {
        let accounts = Set(accounts).map(AccountID.init)
        self.language = language
        people = try transaction.books.names(of: Set(accounts.compactMap(\.person)))
        sites = try transaction.sites.names(of: Set(accounts.compactMap(\.site)))
        let owners = Set(accounts.filter { $0.kind == .cash }.compactMap(\.owner))
        drawers = Dictionary(
            uniqueKeysWithValues: try owners.compactMap { owner in
                try DrawerID(owner).flatMap { try transaction.drawers.find($0)?.name }
                    .map { (owner, $0) }
            })
    }

    func name(_ id: String) -> String {
        let account = AccountID(id)
        guard let kind = account.kind else { return id }
        let key = "account.\(kind.rawValue)"
        guard let owner = account.owner else {
            // The accounts of all people together, and that of all refunds of an earlier release.
            let isOfMany = LedgerAccount.Kind.people.contains(kind) || kind == .refunds
            return words(isOfMany ? "account-people.\(kind.rawValue)" : key)
        }
        return words(key, ["name": .text(name(of: owner, account))])
    }

    func site(_ id: String) -> String? { sites[id] }

    private func name(of owner: String, _ account: AccountID) -> String {
        if let person = account.person { return people[person] ?? words("account.no-name") }
        if let product = account.product {
            return [Self.product(product, in: language), account.site.map { sites[$0] ?? $0 }]
                .compactMap(\.self).joined(separator: ", ")
        }
        if account.kind == .tax {
            let locale = Locale(identifier: language.rawValue)
            return locale.localizedString(forRegionCode: owner) ?? owner
        }
        return drawers[owner] ?? owner
    }

    private func words(_ key: String, _ values: [String: Catalogue.Value] = [:]) -> String {
        PaymentNotices.words.text(key, values, in: language)
    }

    /// The product's name in words; its own if there are none.
    static func product(_ product: Product, in language: Language) -> String {
        let key = "product.\(product)"
        let text = PaymentNotices.words.text(key, in: language)
        return text == key ? product.description : text
    }
}

// MARK: - Accounts and entries with names

extension PaymentUseCases {
    func accounts(
        _ kind: String?, _ page: PageRequest, in language: Language
    ) async throws -> Page<LedgerAccountInfo> {
        try await database.read { transaction in
            let found = try transaction.ledger.accounts(kind, page)
            let names = try AccountNames(found.items, in: language, transaction)
            return Page(
                items: found.items.map { id in
                    let account = AccountID(id)
                    return LedgerAccountInfo(
                        id: id, kind: String(id.prefix { $0 != ":" }), name: names.name(id),
                        person: account.person, product: account.product, site: account.site,
                        siteName: account.site.flatMap(names.site))
                }, next: found.next)
        }
    }

    func trialBalance(in language: Language) async throws -> TrialBalance {
        let now = clock.now
        return try await database.read { transaction in
            let balances = try transaction.ledger.balances()
            let names = try AccountNames(balances.map(\.name), in: language, transaction)
            return TrialBalance(
                lines: balances.map { balance in
                    var line = TrialBalance.Line(
                        account: balance.name, currency: balance.amount.currency,
                        balance: balance.amount.amount)
                    line.name = names.name(balance.name)
                    return line
                }, at: now)
        }
    }

    func ledgerTotals(_ filters: some LedgerFilters) async throws -> LedgerTotals {
        try await database.read { try $0.ledger.totals(filters) }
    }

    func ledger(
        _ filters: some LedgerFilters, _ page: PageRequest, in language: Language
    ) async throws -> Page<LedgerRecord> {
        try await database.read { transaction in
            var found = try transaction.ledger.records(filters, page)
            let accounts = found.items.flatMap { $0.postings.map(\.account) }
            let names = try AccountNames(accounts, in: language, transaction)
            for item in found.items.indices {
                for index in found.items[item].postings.indices {
                    let account = found.items[item].postings[index].account
                    found.items[item].postings[index].name = names.name(account)
                }
            }
            return found
        }
    }
}

extension LedgerStore {
    static let bookMigrations = [
        Migration.addition("ledger-2", "CREATE INDEX accounts_of_kind ON accounts (kind, id)")
    ]

    fileprivate func accounts(_ kind: String?, _ page: PageRequest) throws -> Page<String> {
        var conditions = Conditions("id > ?", page.after ?? "")
        if let kind {
            conditions.require("kind = ?", kind)
        } else {
            let people = LedgerAccount.Kind.peopleValues
            conditions.require(
                "kind NOT IN (\(transaction.marks(people.count)))", arguments: people)
        }
        let rows = try transaction.rows(
            "SELECT id FROM accounts \(conditions.where) ORDER BY id LIMIT ?",
            arguments: conditions.arguments + [page.rows])
        return try page.page(of: rows) { try $0.get("id") }
    }

    /// When an entry was made; nil if there is none.
    func time(of entry: String) throws -> Date? {
        try transaction.row("SELECT created_at FROM ledger WHERE entry_id = ? AND line = 0", entry)?
            .get("created_at")
    }

    /// Entries newest first.
    func records(_ filters: some LedgerFilters, _ page: PageRequest) throws -> Page<LedgerRecord> {
        let last = try page.cursor() ?? LedgerPosition.end
        var conditions = try conditions(filters)
        conditions.require(
            "(created_at < ? OR (created_at = ? AND entry_id < ?))", last.enteredAt, last.enteredAt,
            last.entry)
        let heads = try heads(conditions, filters.account, "DESC", limit: page.rows)
        let items = try records(heads.map(\.entry))
        return try page.page(of: heads, cursor: { $0 }) { head in
            guard let record = items[head.entry] else { throw StoreError(.other, "no such entry") }
            return record
        }
    }

    /// Entries after a position and before a time, oldest first.
    func records(
        _ filters: some LedgerFilters, after last: LedgerPosition?, until end: Date, limit: Int
    ) throws -> (records: [LedgerRecord], last: LedgerPosition?) {
        var conditions = try conditions(filters)
        conditions.require("created_at < ?", end)
        if let last {
            conditions.require(
                "(created_at > ? OR (created_at = ? AND entry_id > ?))", last.enteredAt,
                last.enteredAt, last.entry)
        }
        let heads = try heads(conditions, filters.account, "ASC", limit: limit)
        let items = try records(heads.map(\.entry))
        return (
            heads.compactMap { items[$0.entry] }, heads.count < limit ? nil : heads.last
        )
    }

    /// The sums over a period read its entries only; without one or another filter, they read the whole ledger.
    fileprivate func totals(_ filters: some LedgerFilters) throws -> LedgerTotals {
        var conditions = try conditions(filters)
        conditions.require("account = ?", ifPresent: filters.account)
        var heads = conditions
        if filters.account == nil {
            // An account may have several lines of an entry, which has one first line.
            heads.require("line = 0")
            if filters.from != nil || filters.to != nil {
                // Only first lines have an index by time.
                conditions = Conditions()
                conditions.require(
                    "entry_id IN (SELECT entry_id FROM ledger \(heads.where))",
                    arguments: heads.arguments)
            }
        }
        let count: Int =
            try transaction.rows(
                "SELECT COUNT(DISTINCT entry_id) AS n FROM ledger \(heads.where)",
                arguments: heads.arguments
            ).first?.get("n") ?? 0
        let rows = try transaction.rows(
            """
            SELECT currency,
                CAST(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS BIGINT) AS debits,
                CAST(SUM(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS BIGINT) AS credits
            FROM ledger \(conditions.where) GROUP BY currency ORDER BY currency
            """, arguments: conditions.arguments)
        return LedgerTotals(
            count: count,
            currencies: try rows.map { row in
                let currency: String = try row.get("currency")
                return LedgerTotals.Currency(
                    debits: Money(amount: try row.get("debits"), currency: currency),
                    credits: Money(amount: try row.get("credits"), currency: currency))
            })
    }

    private func conditions(_ filters: some LedgerFilters) throws -> Conditions {
        let span = try BookSpan(filters.from, filters.to, in: transaction.company.timeZone())
        var conditions = Conditions()
        conditions.require("bill_id = ?", ifPresent: filters.billId ?? filters.orderId)
        conditions.require("created_at >= ?", ifPresent: span.from)
        conditions.require("created_at < ?", ifPresent: span.until)
        if let kind = filters.kind {
            // Entry ids begin with their kind, and `;` sorts right after `:`.
            conditions.require(
                "entry_id >= ? AND entry_id < ?", arguments: ["\(kind):", "\(kind);"])
        }
        var found = Conditions()
        found.require("product = ?", ifPresent: filters.product)
        found.require("site = ?", ifPresent: filters.site)
        found.require(found: filters.q, "payment")
        if !found.where.isEmpty {
            conditions.require(
                "bill_id IN (SELECT bill_id FROM payment_search \(found.where))",
                arguments: found.arguments)
        }
        return conditions
    }

    /// The heads of entries; with an account, those that have a line of it.
    private func heads(
        _ conditions: Conditions, _ account: String?, _ order: String, limit: Int
    ) throws -> [LedgerPosition] {
        var conditions = conditions
        if let account {
            conditions.require("account = ?", account)
        } else {
            conditions.require("line = 0")
        }
        return try transaction.rows(
            """
            SELECT created_at, entry_id FROM ledger \(conditions.where)
            GROUP BY created_at, entry_id ORDER BY created_at \(order), entry_id \(order) LIMIT ?
            """, arguments: conditions.arguments + [limit]
        ).map(LedgerPosition.init)
    }
}
