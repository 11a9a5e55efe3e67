import Contracts
import ServiceKit

/// Every key that accounts reads beside the common ones.
struct AccountsConfig: Config {
    static let service = ServiceManifest.accounts

    static let keys: [ConfigKey] =
        BlobsConfig.keys + [
            ConfigKey(
                "OPENVALET_OPERATOR_PHONE", default: "",
                "Phone number of the first operator, who is made at the start when missing."),
            ConfigKey(
                "OPENVALET_OPERATOR_PASSWORD", default: "", secret: true,
                "That operator's password; a changed one replaces theirs and ends their sessions."),
            ConfigKey(
                "OPENVALET_ACCOUNTS_SIGNING_KEY", default: "", secret: true,
                "P-256 private key in PEM that signs access tokens; without it, one is made and kept "
                    + "in the data folder as \(SigningKeys.fileName)."),
            ConfigKey(
                "OPENVALET_ACCOUNTS_PREVIOUS_KEY", default: "", secret: true,
                "P-256 public key in PEM whose tokens are still good: the one before the last change."
            ),
        ]

    /// Who can let others in.
    struct FirstOperator: Sendable {
        var phone: String
        var password: String
    }

    var firstOperator: FirstOperator?
    var signingKey: String?
    var previousKey: String?
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
        blobs = try BlobsConfig(values)
        signingKey = try values.optional("OPENVALET_ACCOUNTS_SIGNING_KEY")
        previousKey = try values.optional("OPENVALET_ACCOUNTS_PREVIOUS_KEY")
    }
}
