import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// A person's balance, in the given currency or the one with the highest amount.
    func balance(of person: PersonID, in currency: String?) async throws -> PayeeBalance {
        let now = clock.now
        return try await database.read { transaction in
            let schedule = try transaction.payoutRules.current().rules.schedule
            let account = try transaction.payouts.account(of: person)
            let next = account?.isUsable == true ? schedule.next(after: now) : nil
            return try transaction.payouts.balance(of: person, in: currency, next: next)
        }
    }
}

extension PayoutStore {
    /// - Parameter next: When the schedule pays next; nil if it does not.
    func balance(
        of person: PersonID, in currency: String?, next: Date? = nil
    ) throws -> PayeeBalance {
        let rules = try transaction.payoutRules.current().rules
        let (payable, pending, frozen) = (
            try sums(of: .payable(person)), try sums(of: .pending(person)),
            try sums(of: .frozen(person))
        )
        func all(_ currency: String) -> PayeeBalance.Currency {
            func money(_ amount: Int?) -> Money { Money(amount: amount ?? 0, currency: currency) }
            let held = -(frozen[currency] ?? 0)
            let available = money(-(payable[currency] ?? 0))
            let least = rules.minimum(in: currency)
            return .init(
                available: available, pending: money(-(pending[currency] ?? 0)), minimum: least,
                frozen: held == 0 ? nil : money(held),
                next: available.amount < least.amount
                    ? nil : next.map { .init(at: $0, amount: available) })
        }
        let names = Set(payable.keys).union(pending.keys).union(frozen.keys)
        let currencies = names.sorted().map(all)
        let most = currencies.max { $0.available.amount < $1.available.amount }
        return PayeeBalance(
            try currency.map(all) ?? most ?? all(usualCurrency(of: person)), currencies: currencies)
    }

    private func sums(of account: LedgerAccount) throws -> [String: Int] {
        Dictionary(
            try transaction.ledger.balance(of: account).map { ($0.currency, $0.amount) }
        ) { first, _ in first }
    }

    /// The currency of an empty balance: that of the person's latest bill, of their account's country, or of the
    /// platform's latest bill; euros before the first one.
    private func usualCurrency(of person: PersonID) throws -> String {
        if let own = try transaction.bills.latestCurrency(of: person) { return own }
        if let country = try account(of: person)?.state?.country,
            let own = Locale(identifier: "und_\(country)").currency?.identifier,
            // Antarctica has none.
            Locale.commonISOCurrencyCodes.contains(own)
        {
            return own
        }
        return try transaction.bills.latestCurrency() ?? "EUR"
    }
}
