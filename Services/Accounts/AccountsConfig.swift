import Contracts
import ServiceKit

/// The settings of accounts.
struct AccountsConfig: Config {
    static let service = ServiceManifest.accounts

    private static let operatorsNeedSecondFactor =
        "OPENVALET_ACCOUNTS_OPERATORS_NEED_SECOND_FACTOR"
    /// Lets many people sign up in tests without the work that slows down a guessing thief.
    private static let cheapPasswords = ConfigKey.forTests(
        "OPENVALET_ACCOUNTS_CHEAP_PASSWORDS", default: "no",
        "yes makes the hashing of passwords cost almost nothing.")

    static let keys: [ConfigKey] =
        BlobsConfig.keys + [
            ConfigKey(
                "OPENVALET_OPERATOR_PHONE", default: "",
                "Phone number of the first operator, whose account is created at the start."),
            ConfigKey(
                "OPENVALET_OPERATOR_PASSWORD", default: "", secret: true,
                """
                Password of the first operator. A changed one replaces theirs, ends their sessions and removes their \
                second factors.
                """),
            ConfigKey(
                operatorsNeedSecondFactor, default: "no",
                "yes: operators need a second factor to sign in, and set one up if they have none."),
            ConfigKey(
                "OPENVALET_ACCOUNTS_COUNTRY", default: "",
                "Country of phone numbers without a country code, if the app names none: two letters of "
                    + "ISO 3166-1, for example FI. Without it they are refused."),
        ] + [cheapPasswords].compactMap(\.self)
        + SigningKeys.Settings.keys(service, "signs access tokens")

    /// The first operator. The service creates this account at the start if it is missing.
    struct FirstOperator: Sendable {
        var phone: String
        var password: String
    }

    var firstOperator: FirstOperator?
    /// The country of phone numbers for which a request names none.
    let country: Country?
    let operatorsNeedSecondFactor: Bool
    let passwordCost: PasswordCost
    let signing: SigningKeys.Settings
    let blobs: BlobsConfig

    init(_ values: ConfigValues) throws {
        let phone = try values.optional("OPENVALET_OPERATOR_PHONE")
        let password = try values.optional("OPENVALET_OPERATOR_PASSWORD")
        switch (phone, password) {
        case (let phone?, let password?):
            firstOperator = FirstOperator(phone: phone, password: password)
        case (nil, nil):
            firstOperator = nil
        case (nil, _?), (_?, nil):
            throw ConfigError(
                "OPENVALET_OPERATOR_PHONE and OPENVALET_OPERATOR_PASSWORD need each other")
        }
        country = try values.optional("OPENVALET_ACCOUNTS_COUNTRY").map { text in
            guard let country = Country(text) else {
                throw ConfigError(
                    "OPENVALET_ACCOUNTS_COUNTRY has to be two letters of ISO 3166-1, for example FI"
                )
            }
            return country
        }
        operatorsNeedSecondFactor = try values.bool(Self.operatorsNeedSecondFactor)
        let isCheap = try Self.cheapPasswords.map { try values.bool($0.name) } ?? false
        passwordCost = isCheap ? .cheap : .standard
        blobs = try BlobsConfig(values)
        signing = try SigningKeys.Settings(Self.service, values)
    }
}
