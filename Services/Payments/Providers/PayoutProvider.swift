import Contracts
import Foundation

/// The part of a payment provider that pays people out.
///
/// Every call may be repeated: an account is opened once per person, a payout made and taken back once per id.
protocol PayoutProvider: Sendable {
    /// Whether the text can be one of the provider's account names.
    func isPayoutAccount(_ account: String) -> Bool

    /// Opens a person's account and returns the provider's name for it; nil if the provider refuses.
    /// - Parameter country: ISO 3166-1; nil for the country of the provider's contract.
    func openAccount(for person: PersonID, in country: String?) async throws -> String?

    /// Whether this account was opened for this person. Others see and change nothing of it, whatever they name.
    func hasOpened(_ account: String, for person: PersonID) async throws -> Bool

    /// The present state of an account; nil if there is none of that name.
    func payeeAccount(_ account: String) async throws -> PayeeAccount?

    /// The page where the provider asks for the person's details; nil if it has none for this account.
    func onboardingPage(of account: String, _ pages: ReturnPages) async throws -> PayoutLink?

    /// The page where the person sees and changes the account; nil if there is none.
    func dashboard(of account: String) async throws -> PayoutLink?

    /// Pays out a person's balance. When called again, it returns the current outcome, since a completed payout
    /// may come back.
    func payOut(_ payout: PayoutAttempt) async throws -> PayoutOutcome

    /// Takes a completed payout back, which the person's bank has refused.
    func takeBack(_ payout: PayoutAttempt) async throws -> PayoutOutcome

    /// The bank's refusal of a transfer from an account; nil if the bank has not refused.
    /// - Parameter transfer: The provider's own name of the transfer to the bank.
    func refusal(of transfer: String, from account: String) async throws -> BankRefusal?

    /// Gives the details of an account, in place of the provider's page; false if the provider is not built in.
    func fillIn(_ account: String, _ details: TestPayoutAccountBody) async throws -> Bool
}

enum PayoutOutcome: Sendable, Hashable {
    /// With the amount that has come back, in minor units.
    case paid(returned: Int = 0)
    case failed(String)
    /// The provider does not know yet.
    case pending
}

/// The state of a person's account at the provider.
struct PayeeAccount: Codable, Sendable, Hashable {
    var status: PayoutAccount.Status
    var requirements: [PayoutAccount.Requirement] = []
    /// The last four digits of the bank account.
    var last4: String?
    /// ISO 3166-1.
    var country: String?
    var hasDashboard = false
}

/// The pages of ours to which the provider's page leads back.
struct ReturnPages: Sendable, Hashable {
    /// Opened when the person is done or leaves.
    let done: String
    /// Opened when the provider's page has expired.
    let expired: String

    init(_ app: PayoutOnboardingBody.App, at address: String) {
        let base = address.trimmingSuffix("/")
        let page = app == .valet ? "\(base)/valet" : "\(base)/"
        (done, expired) = ("\(page)#/payouts/return", "\(page)#/payouts/refresh")
    }
}

/// The refusal of a bank to take what was paid out to an account.
struct BankRefusal: Sendable, Hashable {
    /// The provider's reason, for example `account_closed`.
    let reason: String
    /// Our payouts in the refused transfer.
    let payouts: [PayoutID]
}

extension PayoutProblem {
    /// The meaning of the provider's reason: Stripe's codes of errors and of failed payouts (Stripe, "Error codes",
    /// "Payout failure codes").
    init(reason: String) {
        self =
            switch reason {
            case "reversed": .reversed
            case "account_closed", "no_account", "invalid_account_number", "incorrect_account_type":
                .bankAccountClosed
            case "account_frozen", "bank_account_restricted", "bank_ownership_changed",
                "could_not_process", "debit_not_authorized", "declined",
                "incorrect_account_holder_address", "incorrect_account_holder_name",
                "incorrect_account_holder_tax_id", "invalid_currency", "unsupported_card":
                .bankRefused
            case "account_missing", "account_invalid", "account_unactivated", "resource_missing",
                "insufficient_capabilities_for_transfer", "transfers_not_allowed",
                "payouts_not_allowed":
                .accountUnusable
            default: .providerRefused
            }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
