import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The account that a person is paid out to, and what the provider last told about it.
struct KnownPayoutAccount: Sendable, Hashable {
    /// The provider's name.
    let name: String
    /// Nil until the provider has been asked.
    let state: PayeeAccount?
    let readAt: Date?

    /// As the person sees it. An account that the person has named, of which nothing is known, may be paid out to.
    var view: PayoutAccount {
        guard let state else { return PayoutAccount(.enabled) }
        return PayoutAccount(
            state.status, requirements: state.requirements, last4: state.last4,
            country: state.country, hasDashboard: state.hasDashboard, readAt: readAt)
    }

    var isUsable: Bool { view.status == .enabled }
}

extension PaymentUseCases {
    /// How long it is taken for granted that nothing is missing, in seconds.
    static let accountFreshness: TimeInterval = 10

    /// A person's account, as the provider has it now; as it was last known if the provider does not answer.
    func payoutAccount(of person: PersonID) async throws -> PayoutAccount {
        guard let known = try await database.read({ try $0.payouts.account(of: person) })
        else { return PayoutAccount(.none) }
        let age = known.readAt.map { clock.now.timeIntervalSince($0) }
        if known.isUsable, let age, age < Self.accountFreshness { return known.view }
        do {
            return try await readAccount(known.name, of: person)
        } catch Refusal.paymentProviderUnavailable {
            return known.view
        }
    }

    /// Sets the account for a person's payouts. A late repeat under the same key changes nothing.
    func keepAccount(
        _ account: String, of person: PersonID, key: IdempotencyKey?
    ) async throws {
        guard provider.isPayoutAccount(account) else { throw Refusal.payoutAccountInvalid }
        _ = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            try transaction.payouts.keepAccount(account, of: person)
            return account
        }
    }

    /// Opens the person's account if there is none, and returns the provider's page for its details. One that they have
    /// named themselves is replaced.
    func onboard(_ person: PersonID, _ body: PayoutOnboardingBody) async throws -> PayoutLink {
        if let country = body.country, country.wholeMatch(of: /[A-Z]{2}/) == nil {
            throw Refusal.invalid("country", "Use two capital letters, for example FI.")
        }
        let country = try await database.write { transaction in
            try transaction.requireStanding(of: person)
            return try body.country ?? transaction.company.newest()?.body.country
        }
        return try await asking {
            guard let account = try await provider.openAccount(for: person, in: country)
            else { throw Refusal.payoutAccountRefused }
            try await keepOpened(account, of: person)
            let pages = ReturnPages(body.app ?? .customer, at: appAddress)
            guard let page = try await provider.onboardingPage(of: account, pages) else {
                throw Refusal.payoutAccountRefused
            }
            return page
        }
    }

    /// Stores a new account, to which nothing can be paid out yet.
    private func keepOpened(_ account: String, of person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            guard try transaction.payouts.account(of: person)?.name != account else { return }
            try transaction.payouts.keepAccount(account, of: person)
            try transaction.payouts.keep(
                PayeeAccount(status: .pending), of: account, of: person, at: now)
        }
    }

    /// The provider's page about the account that was opened for the person.
    func payoutDashboard(of person: PersonID) async throws -> PayoutLink {
        guard let known = try await database.read({ try $0.payouts.account(of: person) })
        else { throw Refusal.payoutAccountMissing }
        return try await asking {
            guard try await provider.hasOpened(known.name, for: person),
                let page = try await provider.dashboard(of: known.name)
            else { throw Refusal.payoutDashboardMissing }
            return page
        }
    }

    /// Completes the onboarding with the built-in provider.
    func fillInTestAccount(
        _ details: TestPayoutAccountBody, of person: PersonID
    ) async throws -> PayoutAccount {
        guard details.bankAccount.wholeMatch(of: /[0-9]{4,34}/) != nil else {
            throw Refusal.invalid("bankAccount", "Use 4 to 34 digits.")
        }
        let known = try await database.write { transaction in
            try transaction.requireStanding(of: person)
            return try transaction.payouts.account(of: person)?.name
        }
        guard let known, try await provider.hasOpened(known, for: person) else {
            throw Refusal.payoutAccountMissing
        }
        guard try await provider.fillIn(known, details) else { throw Refusal.notFound }
        return try await readAccount(known, of: person)
    }

    /// Reads an account that the provider says has changed.
    func hear(_ account: String) async throws {
        for person in try await database.read({ try $0.payouts.owners(of: account) }) {
            _ = try await readAccount(account, of: person)
        }
    }

    /// The bank has refused what came from an account: our payouts in it are taken back.
    func hear(_ transfer: String, from account: String) async throws {
        let refusal = try await asking { try await provider.refusal(of: transfer, from: account) }
        for payout in refusal?.payouts ?? [] {
            let (now, reason) = (clock.now, refusal?.reason ?? "")
            try await database.write { transaction in
                guard var attempt = try transaction.payouts.find(payout),
                    attempt.account == account, attempt.refuse(because: reason)
                else { return }
                attempt.version.advance()
                try Payouts.table.update(&attempt, in: transaction)
                try transaction.schedule(PaymentWork.payout, payout, at: now)
            }
            _ = try await settlePayout(payout)
        }
        if refusal != nil { try await hear(account) }
    }

    /// Asks the provider about an account, and stores the answer.
    private func readAccount(
        _ account: String, of person: PersonID
    ) async throws -> PayoutAccount {
        let begun = clock.now
        let state = try await asking { try await readState(of: account, for: person) }
        return try await database.write { transaction in
            let known = try transaction.payouts.account(of: person)
            // The person has another account by now, or a later answer is stored.
            guard let known, known.name == account, known.readAt ?? .distantPast <= begun
            else { return known?.view ?? PayoutAccount(.none) }
            if let state {
                try transaction.payouts.keep(state, of: account, of: person, at: begun)
            } else {
                try transaction.payouts.deleteAccount(of: person)
            }
            let view = try transaction.payouts.account(of: person)?.view ?? PayoutAccount(.none)
            let before = known.state?.status ?? PayoutAccount.Status.none
            if view.status != before {
                try PayoutNotices.announce(view, of: person, at: begun, in: transaction)
            }
            return view
        }
    }

    /// Hides the details of an account that was not opened for the person.
    private func readState(of account: String, for person: PersonID) async throws -> PayeeAccount? {
        let state = try await provider.payeeAccount(account)
        let isOwn = try await provider.hasOpened(account, for: person)
        return isOwn ? state : state.map { PayeeAccount(status: $0.status) }
    }

    private func asking<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as ProviderUnavailable {
            logger.warning(
                "payment provider gave no answer", metadata: ["error": "\(error.detail)"])
            throw Refusal.paymentProviderUnavailable
        }
    }
}

extension PayoutStore {
    func account(of person: PersonID) throws -> KnownPayoutAccount? {
        try transaction.row(
            """
            SELECT payout_accounts.account AS account, body, read_at FROM payout_accounts
            LEFT JOIN payout_account_states
                ON payout_account_states.person = payout_accounts.person
                AND payout_account_states.account = payout_accounts.account
            WHERE payout_accounts.person = ?
            """, person
        ).map { row in
            let readAt = try row.getIfPresent("read_at", as: Date.self)
            return KnownPayoutAccount(
                name: try row.get("account"), state: try readAt.map { _ in try row.json() },
                readAt: readAt)
        }
    }

    /// The account to pay out to; refuses if there is none, or if the provider pays nothing out to it.
    func usableAccount(of person: PersonID) throws -> KnownPayoutAccount {
        guard let account = try account(of: person) else { throw Refusal.payoutAccountMissing }
        guard account.isUsable else { throw Refusal.payoutAccountRestricted }
        return account
    }

    /// The people who are paid out to an account.
    func owners(of account: String) throws -> [PersonID] {
        try transaction.rows(
            "SELECT person FROM payout_accounts WHERE account = ? ORDER BY person", account
        ).map { try $0.get("person") }
    }

    func keepAccount(_ account: String, of person: PersonID) throws {
        try transaction.execute(
            """
            INSERT INTO payout_accounts (person, account) VALUES (?, ?)
            ON CONFLICT (person) DO UPDATE SET account = excluded.account
            """, person, account)
    }

    func keep(
        _ state: PayeeAccount, of account: String, of person: PersonID, at time: Date
    ) throws {
        try transaction.execute(
            """
            INSERT INTO payout_account_states (person, account, body, read_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (person) DO UPDATE SET account = excluded.account, body = excluded.body,
                read_at = excluded.read_at
            """, person, account, Wire.json(state), time)
    }

    func deleteAccount(of person: PersonID) throws {
        for table in ["payout_accounts", "payout_account_states"] {
            try transaction.execute("DELETE FROM \(table) WHERE person = ?", person)
        }
    }
}
