import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// The balances of all people.

extension PaymentUseCases {
    func balances(_ text: String?, _ page: PageRequest) async throws -> Page<PersonBalance> {
        try await database.read { try $0.ledger.personBalances(text, page) }
    }
}

extension LedgerStore {
    /// People who have an account of shares or tips, by id from the last one on.
    fileprivate func personBalances(
        _ text: String?, _ page: PageRequest
    ) throws -> Page<PersonBalance> {
        let kinds = LedgerAccount.Kind.owed.map(\.rawValue)
        var conditions = Conditions()
        conditions.require("kind IN (\(transaction.marks(kinds.count)))", arguments: kinds)
        conditions.require("owner < ?", try page.below(PersonID.self))
        conditions.require(person: text, "owner")
        let rows = try transaction.rows(
            """
            SELECT owner FROM accounts \(conditions.where)
            GROUP BY owner ORDER BY owner DESC LIMIT ?
            """, arguments: conditions.arguments + [page.rows])
        let people = try rows.prefix(page.limit).map { try $0.get("owner", as: PersonID.self) }
        let names = try transaction.books.names(of: Set(people))
        let owed = try owed(to: people)
        return try page.page(
            of: rows, cursor: { try $0.get("owner", as: String.self) }
        ) { row in
            let person: PersonID = try row.get("owner")
            let sums = owed.filter { $0.key.person == person }
            return PersonBalance(
                person: person, name: names[person],
                currencies: sums.sorted { $0.key.currency < $1.key.currency }.map(\.value),
                lastPayout: try lastPayout(of: person))
        }
    }

    private struct Owed: Hashable {
        let person: PersonID
        let currency: String
    }

    private func owed(to people: [PersonID]) throws -> [Owed: PersonBalance.Currency] {
        guard !people.isEmpty else { return [:] }
        let accounts = people.flatMap {
            [
                LedgerAccount.payable($0).id, LedgerAccount.pending($0).id,
                LedgerAccount.frozen($0).id,
            ]
        }
        // Only a payout, and one that came back, begin with these words in a person's account.
        let rows = try transaction.rows(
            """
            SELECT account, currency,
                CASE WHEN entry_id >= 'payout:' AND entry_id < 'payout;' THEN 1
                    WHEN entry_id >= 'unpaid:' AND entry_id < 'unpaid;' THEN 1 ELSE 0 END AS moved,
                CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS total
            FROM ledger WHERE account IN (\(transaction.marks(accounts.count)))
            GROUP BY account, currency, moved
            """, arguments: accounts)
        var sums: [Owed: PersonBalance.Currency] = [:]
        for row in rows {
            let account = AccountID(try row.get("account"))
            guard let person = account.person else { continue }
            let currency: String = try row.get("currency")
            let key = Owed(person: person, currency: currency)
            var sum = sums[key] ?? PersonBalance.Currency(nothingIn: currency)
            let total: Int = try row.get("total")
            switch account.kind {
            case .pending: sum.pending.amount -= total
            case .frozen: sum.frozen.amount -= total
            default:
                sum.available.amount -= total
                if try row.get("moved", as: Int.self) == 1 { sum.paidOut.amount += total }
            }
            sums[key] = sum
        }
        for (key, amount) in try processing(people) {
            var sum = sums[key] ?? PersonBalance.Currency(nothingIn: key.currency)
            sum.processing.amount += amount
            sum.paidOut.amount -= amount
            sums[key] = sum
        }
        return sums
    }

    /// Payouts that the provider has not completed.
    private func processing(_ people: [PersonID]) throws -> [Owed: Int] {
        let rows = try transaction.rows(
            """
            SELECT body FROM payouts
            WHERE status = 'processing' AND person IN (\(transaction.marks(people.count)))
            """, arguments: people.map { $0 })
        let payouts = try rows.map { try $0.json(as: PayoutAttempt.self) }
        return Dictionary(
            payouts.map { one in
                let amount = one.payout.amount
                return (Owed(person: one.person, currency: amount.currency), amount.amount)
            }, uniquingKeysWith: +)
    }

    private func lastPayout(of person: PersonID) throws -> Payout? {
        try transaction.row(
            "SELECT body FROM payouts WHERE person = ? ORDER BY id DESC LIMIT 1", person
        )?.json(as: PayoutAttempt.self).payout
    }
}

extension Conditions {
    /// Requires that the column has one of the people whom a search finds by name or phone number.
    mutating func require(person text: String?, _ column: String) {
        guard let terms = SearchTerms(text) else { return }
        guard !terms.words.isEmpty else { return require("1 = 0") }
        let byWord = "SELECT person FROM payer_words WHERE word >= ? AND word < ?"
        if let phone = terms.phone {
            return require("\(column) IN (\(byWord))", arguments: phone.wordRange)
        }
        for word in terms.words {
            require("\(column) IN (\(byWord))", arguments: word.wordRange)
        }
    }
}

extension PersonBalance.Currency {
    fileprivate init(nothingIn currency: String) {
        let zero = Money.zero(currency)
        self.init(available: zero, pending: zero, frozen: zero, processing: zero, paidOut: zero)
    }
}
