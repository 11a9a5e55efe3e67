import Foundation

/// A person's account for payouts at the payment provider.
public struct PayoutAccount: Codable, Sendable, Hashable {
    /// Status of the account.
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// There is no account yet.
        case none
        /// The person has not given everything yet, or the provider is checking it.
        case pending
        /// The provider pays nothing out until the requirements are met.
        case restricted
        /// Payouts are possible.
        case enabled
    }

    /// Something that the provider still needs from the person.
    public struct Requirement: Codable, Sendable, Hashable {
        public var kind: PayoutRequirement
        /// The provider pays nothing out from this time on unless it has been given; null without
        /// a deadline.
        @Nullable public var dueAt: Date?
        /// Whether the deadline has passed.
        public var isOverdue: Bool

        public init(_ kind: PayoutRequirement, dueAt: Date? = nil, isOverdue: Bool = false) {
            (self.kind, self.isOverdue) = (kind, isOverdue)
            self.dueAt = dueAt
        }
    }

    public var status: Status
    /// One per kind; empty if nothing is missing.
    public var requirements: [Requirement]
    /// The last four digits of the bank account; null if they are not known.
    @Nullable public var last4: String?
    /// The account's country, ISO 3166-1; null if it is not known.
    @Nullable public var country: String?
    /// Whether the provider has a page where the person sees and changes the account.
    public var hasDashboard: Bool
    /// When the provider was last asked about the account; null without an account, and until the
    /// provider first answers.
    @Nullable public var readAt: Date?

    public init(
        _ status: Status, requirements: [Requirement] = [], last4: String? = nil,
        country: String? = nil, hasDashboard: Bool = false, readAt: Date? = nil
    ) {
        (self.status, self.requirements) = (status, requirements)
        self.hasDashboard = hasDashboard
        self.last4 = last4
        self.country = country
        self.readAt = readAt
    }
}

/// Kind of detail that the provider needs before it pays out.
public enum PayoutRequirement: String, Codable, Sendable, CaseIterable {
    case bankAccount
    case name
    case birthDate
    case address
    /// Phone number or e-mail address.
    case contact
    /// A tax or identity number.
    case idNumber
    /// A picture of an identity document.
    case identityDocument
    /// Details about the business, or the person's trade.
    case business
    /// The provider's terms have to be accepted.
    case terms
    /// Anything else; the provider's page says what.
    case other
}

/// The start of the onboarding.
public struct PayoutOnboardingBody: Codable, Sendable {
    /// Which app continues after the onboarding.
    public enum App: String, Codable, Sendable, CaseIterable {
        case customer, valet
    }

    /// Defaults to the app of the person's role.
    public var app: App?
    /// The country of a new account, ISO 3166-1. Defaults to the company's or, without a company, to
    /// that of the provider's contract.
    public var country: String?

    public init(app: App? = nil, country: String? = nil) {
        (self.app, self.country) = (app, country)
    }
}

/// A page of the payment provider.
public struct PayoutLink: Codable, Sendable, Hashable {
    /// The page's address, to be opened by the person only. The built-in provider has its page in
    /// the app, so the address begins with `#` and is relative to the app.
    public var url: String
    /// The address works once, until then; null if the provider sets no limit.
    @Nullable public var expiresAt: Date?

    public init(url: String, expiresAt: Date? = nil) {
        self.url = url
        self.expiresAt = expiresAt
    }
}

/// The details of a test account, with the built-in provider.
public struct TestPayoutAccountBody: Codable, Sendable {
    /// The number of the bank account. `000111111113` is a closed account: the bank refuses
    /// payouts.
    public var bankAccount: String
    /// Whether the identity is proven. Otherwise the account is restricted.
    public var isIdentified: Bool

    public init(bankAccount: String, isIdentified: Bool = true) {
        (self.bankAccount, self.isIdentified) = (bankAccount, isIdentified)
    }
}
