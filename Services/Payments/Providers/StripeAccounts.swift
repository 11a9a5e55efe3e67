import Contracts
import Foundation
import ServiceKit

// Express accounts of people who are paid out (Stripe, "Using Connect with Express connected accounts").

extension StripeProvider {
    static let personKey = "person"

    /// For example `acct_1032D82eZvKYlo2C`.
    func isPayoutAccount(_ account: String) -> Bool {
        account.utf8.count <= Payouts.longestAccount
            && account.wholeMatch(of: /acct_[A-Za-z0-9]+/) != nil
    }

    /// The account has our id of the person only. Stripe asks for everything else on its own page.
    func openAccount(for person: PersonID, in country: String?) async throws -> String? {
        let api = api.begun()
        let known = try await store.beginAccount(of: person, in: country, at: clock.now)
        if let id = known.stripeID { return id }
        do {
            let account: StripeAccount
            if known.isRepeat, let found = try await find(person, since: known.begunAt, api) {
                account = found
            } else {
                account = try await create(person, known, api)
            }
            try await store.keepAccount(account.id, of: person)
            return account.id
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused to open an account")
            try await store.removeAccount(of: person)
            return nil
        }
    }

    private func create(
        _ person: PersonID, _ known: StripeStore.KnownAccount, _ api: StripeAPI
    ) async throws -> StripeAccount {
        var form: [StripeField] = [
            ("type", "express"), ("capabilities[transfers][requested]", "true"),
            ("metadata[\(Self.personKey)]", person.description),
        ]
        if let country = known.country { form.append(("country", country)) }
        // Stripe answers a repeat of a refused request with the same refusal, so each begin has a key of its own.
        let key = "account-\(person)-\(Int(known.begunAt.timeIntervalSince1970))"
        return try await api.post("/v1/accounts", form, key: key)
    }

    /// Stripe forgets a key after a day, but not the accounts.
    private func find(
        _ person: PersonID, since begun: Date, _ api: StripeAPI
    ) async throws -> StripeAccount? {
        let start = begun.addingTimeInterval(-Self.clockDifference)
        var query: [StripeField] = [
            ("created[gte]", String(Int(start.timeIntervalSince1970))),
            ("limit", String(Self.page)),
        ]
        for _ in 1...Self.mostPages {
            let list: StripeList<StripeAccount> = try await api.get("/v1/accounts", query)
            let found = list.data.first { $0.metadata?[Self.personKey] == person.description }
            guard found == nil, list.has_more, let last = list.data.last else { return found }
            query = query.filter { $0.name != "starting_after" } + [("starting_after", last.id)]
        }
        return nil
    }

    func hasOpened(_ account: String, for person: PersonID) async throws -> Bool {
        try await store.account(of: person) == account
    }

    func payeeAccount(_ account: String) async throws -> PayeeAccount? {
        do {
            let found: StripeAccount = try await api.begun().get("/v1/accounts/\(account)")
            return found.state
        } catch let refusal as StripeRefusal {
            guard refusal.isMissing || refusal.isClosedAccount else {
                log(refusal, "Stripe refused to show an account")
                throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
            }
            try await store.removeAccount(account)
            return nil
        }
    }

    /// A link can be opened once, so each has a key of its own.
    func onboardingPage(of account: String, _ pages: ReturnPages) async throws -> PayoutLink? {
        try await page(
            "/v1/account_links",
            [
                ("account", account), ("type", "account_onboarding"), ("return_url", pages.done),
                ("refresh_url", pages.expired),
                ("collection_options[fields]", "eventually_due"),
            ])
    }

    func dashboard(of account: String) async throws -> PayoutLink? {
        try await page("/v1/accounts/\(account)/login_links", [])
    }

    private func page(_ path: String, _ form: [StripeField]) async throws -> PayoutLink? {
        do {
            let link: StripeLink = try await api.begun().post(
                path, form, key: "link-\(UUID().uuidString.lowercased())")
            return PayoutLink(
                url: link.url,
                expiresAt: link.expires_at.map { Date(timeIntervalSince1970: $0) })
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused a page about an account")
            return nil
        }
    }

    func fillIn(_ account: String, _ details: TestPayoutAccountBody) async throws -> Bool { false }

    /// A payout of Stripe's has what was transferred to the account since the last one: the transfers are found by its
    /// balance transactions (Stripe, "Payout reconciliation").
    func refusal(of transfer: String, from account: String) async throws -> BankRefusal? {
        let api = api.begun()
        do {
            let theirs = api.acting(for: account)
            let payout: StripePayout = try await theirs.get("/v1/payouts/\(transfer)")
            guard payout.status == "failed" else { return nil }
            var ours: [PayoutID] = []
            for source in try await sources(of: payout.id, theirs) {
                let transfer: StripeTransfer = try await api.get("/v1/transfers/\(source)")
                if let id = transfer.metadata?[Self.payoutKey].flatMap(PayoutID.init) {
                    ours.append(id)
                }
            }
            return BankRefusal(reason: payout.failure_code ?? "could_not_process", payouts: ours)
        } catch let refusal as StripeRefusal {
            guard refusal.isMissing || refusal.isClosedAccount else {
                log(refusal, "Stripe refused to show a payout to a bank")
                throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
            }
            return nil
        }
    }

    /// The platform's transfers that a payout of Stripe's consists of.
    private func sources(of payout: String, _ api: StripeAPI) async throws -> [String] {
        var query: [StripeField] = [
            ("payout", payout), ("type", "payment"), ("expand[]", "data.source"),
            ("limit", String(Self.page)),
        ]
        var found: [String] = []
        for _ in 1...Self.mostPages {
            let list: StripeList<StripeBalanceTransaction> = try await api.get(
                "/v1/balance_transactions", query)
            found += list.data.compactMap(\.source?.source_transfer)
            guard list.has_more, let last = list.data.last else { return found }
            query = query.filter { $0.name != "starting_after" } + [("starting_after", last.id)]
        }
        return found
    }
}

// MARK: Stripe's objects

struct StripeAccount: Decodable, Sendable {
    struct Requirements: Decodable, Sendable {
        let currently_due: [String]?
        let past_due: [String]?
        /// Seconds since 1970.
        let current_deadline: Double?
        let disabled_reason: String?
    }

    struct Capabilities: Decodable, Sendable {
        let transfers: String?
    }

    struct Banks: Decodable, Sendable {
        struct Bank: Decodable, Sendable {
            let last4: String?
        }
        let data: [Bank]
    }

    let id: String
    let type: String?
    let country: String?
    let details_submitted: Bool?
    let payouts_enabled: Bool?
    let capabilities: Capabilities?
    let requirements: Requirements?
    let external_accounts: Banks?
    let metadata: [String: String]?

    var state: PayeeAccount {
        PayeeAccount(
            status: status, requirements: due, last4: external_accounts?.data.first?.last4,
            country: country, hasDashboard: type == "express" && details_submitted == true)
    }

    private var status: PayoutAccount.Status {
        if payouts_enabled == true, capabilities?.transfers == "active" { return .enabled }
        guard details_submitted == true else { return .pending }
        let isChecked = ["requirements.pending_verification", "under_review"].contains(
            requirements?.disabled_reason)
        return due.isEmpty && (isChecked || requirements?.disabled_reason == nil)
            ? .pending : .restricted
    }

    /// One per kind; the overdue ones count.
    private var due: [PayoutAccount.Requirement] {
        let overdue = Set((requirements?.past_due ?? []).map(PayoutRequirement.init(field:)))
        let current = Set((requirements?.currently_due ?? []).map(PayoutRequirement.init(field:)))
        let deadline = requirements?.current_deadline.map(Date.init(timeIntervalSince1970:))
        return PayoutRequirement.allCases.filter { overdue.contains($0) || current.contains($0) }
            .map { .init($0, dueAt: deadline, isOverdue: overdue.contains($0)) }
    }
}

extension PayoutRequirement {
    /// By the name of the field that Stripe asks for, for example `individual.dob.day` (Stripe, "Required
    /// verification information").
    init(field: String) {
        let parts = field.split(separator: ".").map(String.init)
        func has(_ names: String...) -> Bool { parts.contains { names.contains($0) } }
        self =
            switch true {
            case has("external_account"): .bankAccount
            case has("tos_acceptance"): .terms
            case has("verification", "proof_of_liveness"): .identityDocument
            case has("dob"): .birthDate
            case has("address", "registered_address"): .address
            case has("id_number", "ssn_last_4", "tax_id", "vat_id"): .idNumber
            case has("email", "phone"): .contact
            case has("first_name", "last_name"): .name
            case has("business_profile", "company", "business_type"): .business
            default: .other
            }
    }
}

struct StripeLink: Decodable, Sendable {
    let url: String
    /// Seconds since 1970.
    let expires_at: Double?
}

struct StripeBalanceTransaction: Decodable, Sendable {
    struct Source: Decodable, Sendable {
        let source_transfer: String?
    }

    let id: String
    let source: Source?
}
