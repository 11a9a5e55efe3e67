import Contracts
import ServiceKit

/// Every key that accounts reads beside the common ones.
struct AccountsConfig: Config {
    static let service = ServiceManifest.accounts

    private static let operatorsNeedSecondFactor =
        "OPENVALET_ACCOUNTS_OPERATORS_NEED_SECOND_FACTOR"
    /// By which the many people of tests sign up and in without the work that keeps a thief from guessing.
    private static let cheapPasswords = ConfigKey.forTests(
        "OPENVALET_ACCOUNTS_CHEAP_PASSWORDS", default: "no",
        "yes hashes passwords at next to no cost.")

    static let keys: [ConfigKey] =
        BlobsConfig.keys + [
            ConfigKey(
                "OPENVALET_OPERATOR_PHONE", default: "",
                "Phone number of the first operator, who is made at the start when missing."),
            ConfigKey(
                "OPENVALET_OPERATOR_PASSWORD", default: "", secret: true,
                """
                That operator's password; a changed one replaces theirs, ends their sessions and removes their second \
                factors.
                """),
            ConfigKey(
                operatorsNeedSecondFactor, default: "no",
                "yes: operators sign in with a second factor; who has none sets one up."),
        ] + [cheapPasswords].compactMap(\.self)
        + SigningKeys.Settings.keys(service, "signs access tokens")

    /// The first operator. The service creates this account at the start if it is missing.
    struct FirstOperator: Sendable {
        var phone: String
        var password: String
    }

    var firstOperator: FirstOperator?
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
        operatorsNeedSecondFactor = try values.bool(Self.operatorsNeedSecondFactor)
        let isCheap = try Self.cheapPasswords.map { try values.bool($0.name) } ?? false
        passwordCost = isCheap ? .cheap : .standard
        blobs = try BlobsConfig(values)
        signing = try SigningKeys.Settings(Self.service, values)
    }
}
