import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// Currencies with a minimum of their own.
    static let mostMinimums = 100

    func payoutRules() async throws -> PayoutRulesVersion {
        try await database.read { try $0.payoutRules.current() }
    }

    func payoutRulesVersions(_ page: PageRequest) async throws -> Page<PayoutRulesVersion> {
        try await database.read { try $0.payoutRules.versions(page) }
    }

    /// Makes the next version of the rules; a schedule applies to its days from now on.
    func setPayoutRules(
        _ rules: PayoutRules, ifVersion: VersionCondition, by person: PersonID
    ) async throws -> PayoutRulesVersion {
        try rules.check()
        let now = clock.now
        return try await database.write { transaction in
            let current = try transaction.payoutRules.current()
            try ifVersion.require(current.version)
            let next = PayoutRulesVersion(
                rules, version: current.version + 1, changedAt: now, changedBy: person)
            try transaction.record(
                "payments.set-payout-rules", next.version, by: person, at: now)
            try transaction.payoutRules.insert(next)
            return next
        }
    }

    func payouts(_ query: PayoutsQuery) async throws -> Page<PayoutEntry> {
        try await database.read { try $0.payouts.page(query) }
    }
}

extension PayoutRules {
    /// The smallest payout in a currency.
    func minimum(in currency: String) -> Money {
        minimums.first { $0.currency == currency }
            ?? Money(amount: Payouts.least, currency: currency)
    }

    fileprivate func check() throws {
        guard minimums.count <= PaymentUseCases.mostMinimums,
            Set(minimums.map(\.currency)).count == minimums.count,
            minimums.allSatisfy({
                $0.currency.wholeMatch(of: /[A-Z]{3}/) != nil
                    && (1...Money.largestAmount).contains($0.amount)
            })
        else {
            throw Refusal.invalid(
                "minimums",
                "Use each currency once, at most \(PaymentUseCases.mostMinimums), with amounts above 0."
            )
        }
        let (weekday, day) = (schedule.weekday, schedule.day)
        switch schedule.interval {
        case .none, .daily:
            guard weekday == nil, day == nil else {
                throw Refusal.invalid("schedule", "Leave out the weekday and the day.")
            }
        case .weekly:
            guard let weekday, (1...7).contains(weekday), day == nil else {
                throw Refusal.invalid("schedule.weekday", "Use 1 (Monday) to 7 (Sunday).")
            }
        case .monthly:
            guard let day, (1...28).contains(day), weekday == nil else {
                throw Refusal.invalid("schedule.day", "Use 1 to 28.")
            }
        }
    }
}

extension Transaction {
    var payoutRules: PayoutRulesStore { PayoutRulesStore(transaction: self) }
}

/// All versions of the rules.
struct PayoutRulesStore {
    let transaction: Transaction

    func current() throws -> PayoutRulesVersion {
        try transaction.row("SELECT body FROM payout_rules ORDER BY version DESC LIMIT 1")?.json()
            ?? PayoutRulesVersion(PayoutRules())
    }

    func insert(_ rules: PayoutRulesVersion) throws {
        try transaction.execute(
            "INSERT INTO payout_rules (version, body) VALUES (?, ?)", rules.version,
            Wire.json(rules))
    }

    /// Newest first.
    func versions(_ page: PageRequest) throws -> Page<PayoutRulesVersion> {
        let last: Int = try page.cursor() ?? .max
        let rows = try transaction.rows(
            "SELECT version, body FROM payout_rules WHERE version < ? ORDER BY version DESC LIMIT ?",
            last, page.rows)
        let items = try rows.map { row -> PayoutRulesVersion in try row.json() }
        return page.page(of: items, cursor: { $0.version })
    }
}
