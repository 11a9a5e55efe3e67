import Contracts
import Foundation
import ServiceKit
import Store

// Accounts and payouts of the built-in provider. Its page is a screen of the apps. An account that a person has named
// themselves, without that screen, accepts payouts at once.

extension StubProvider {
    /// The account with this name accepts no payouts.
    static let closedAccount = "acct_closed"
    /// A bank account that is closed (Stripe, "Test account numbers").
    static let closedBank = "000111111113"
    /// How long a person has to prove their identity.
    static let identification: TimeInterval = 14 * Day.length
    /// The screen in the apps.
    static let accountPage = PayoutLink(url: "#/payouts/test")

    func isPayoutAccount(_ account: String) -> Bool {
        (1...Payouts.longestAccount).contains(account.utf8.count)
    }

    func openAccount(for person: PersonID, in country: String?) async throws -> String? {
        let name = Self.name(of: person)
        _ = try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO stub_accounts (name, country) VALUES (?, ?) ON CONFLICT DO NOTHING",
                name, country)
        }
        return name
    }

    func hasOpened(_ account: String, for person: PersonID) async throws -> Bool {
        account == Self.name(of: person)
    }

    private static func name(of person: PersonID) -> String { "acct_test_\(person)" }

    func payeeAccount(_ account: String) async throws -> PayeeAccount? {
        let now = clock.now
        return try await database.read { try Self.account(account, at: now, $0) }
    }

    func onboardingPage(of account: String, _ pages: ReturnPages) async throws -> PayoutLink? {
        try await database.read { try Self.isOpened(account, $0) } ? Self.accountPage : nil
    }

    func dashboard(of account: String) async throws -> PayoutLink? {
        try await database.read { try Self.isOpened(account, $0) } ? Self.accountPage : nil
    }

    func payOut(_ attempt: PayoutAttempt) async throws -> PayoutOutcome {
        let (payout, now) = (attempt.payout, clock.now)
        return try await database.write { transaction in
            let failure =
                try attempt.account.map {
                    try Self.failure(of: $0, at: now, transaction)
                } ?? "account_missing"
            try transaction.execute(
                """
                INSERT INTO stub_payouts (id, account, amount, currency, failure)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """, payout.id, attempt.account, payout.amount.amount, payout.amount.currency,
                failure)
            let row = try transaction.row(
                "SELECT failure FROM stub_payouts WHERE id = ?", payout.id)
            return try row?.getIfPresent("failure", as: String.self).map { .failed($0) } ?? .paid()
        }
    }

    /// Its banks refuse at once, so nothing is ever taken back.
    func takeBack(_ payout: PayoutAttempt) async throws -> PayoutOutcome { .pending }

    func refusal(of transfer: String, from account: String) async throws -> BankRefusal? { nil }

    func fillIn(_ account: String, _ details: TestPayoutAccountBody) async throws -> Bool {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.execute(
                "UPDATE stub_accounts SET bank = ?, identify_by = ? WHERE name = ?",
                details.bankAccount,
                details.isIdentified ? nil : now.addingTimeInterval(Self.identification), account
            ) == 1
        }
    }

    private static func isOpened(_ account: String, _ transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM stub_accounts WHERE name = ?", account) != nil
    }

    private static func account(
        _ name: String, at now: Date, _ transaction: Transaction
    ) throws -> PayeeAccount {
        guard let row = try transaction.row("SELECT * FROM stub_accounts WHERE name = ?", name)
        else { return PayeeAccount(status: .enabled) }
        let country = try row.getIfPresent("country", as: String.self)
        guard let bank = try row.getIfPresent("bank", as: String.self) else {
            return PayeeAccount(
                status: .pending,
                requirements: [.init(.bankAccount), .init(.name), .init(.terms)], country: country)
        }
        let deadline = try row.getIfPresent("identify_by", as: Date.self)
        return PayeeAccount(
            status: deadline == nil ? .enabled : .restricted,
            requirements: deadline.map {
                [.init(.identityDocument, dueAt: $0, isOverdue: $0 < now)]
            } ?? [], last4: String(bank.suffix(4)), country: country, hasDashboard: true)
    }

    private static func failure(
        of account: String, at now: Date, _ transaction: Transaction
    ) throws -> String? {
        guard account != closedAccount else { return "account_closed" }
        guard try self.account(account, at: now, transaction).status == .enabled else {
            return "account_invalid"
        }
        let bank = try transaction.row("SELECT bank FROM stub_accounts WHERE name = ?", account)?
            .getIfPresent("bank", as: String.self)
        return bank == closedBank ? "account_closed" : nil
    }
}
