import Contracts
import Foundation
import ServiceKit

struct NotificationsConfig: Config {
    /// Who sends text messages.
    enum TextMessages: Sendable, Hashable {
        case dev
        case twilio(base: URL, accountSID: String, authToken: String, from: String)
    }

    static let keys = [
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMS_PROVIDER", default: "dev",
            "dev keeps text messages for operators to read; twilio sends them."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_URL", default: "https://api.twilio.com",
            "Address of the API that the twilio provider calls."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID", default: "",
            "Account at the twilio provider."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN", default: "", secret: true,
            "Its password."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_FROM", default: "",
            "Sender of the messages: a phone number in E.164, or a name."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE", default: "en",
            "Language of the feed that operators share: en or zh-Hant."),
    ]

    let textMessages: TextMessages
    let operatorsLanguage: Language

    init(_ values: ConfigValues) throws {
        let language = try values.string("OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE")
        guard let operatorsLanguage = Language(rawValue: language) else {
            throw ConfigError("OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE is not en or zh-Hant")
        }
        self.operatorsLanguage = operatorsLanguage
        switch try values.string("OPENVALET_NOTIFICATIONS_SMS_PROVIDER") {
        case "dev": textMessages = .dev
        case "twilio":
            textMessages = .twilio(
                base: try values.url("OPENVALET_NOTIFICATIONS_TWILIO_URL"),
                accountSID: try Self.needed("OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID", values),
                authToken: try Self.needed("OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN", values),
                from: try Self.needed("OPENVALET_NOTIFICATIONS_TWILIO_FROM", values))
        default:
            throw ConfigError("OPENVALET_NOTIFICATIONS_SMS_PROVIDER is neither dev nor twilio")
        }
    }

    private static func needed(_ key: String, _ values: ConfigValues) throws -> String {
        guard let value = try values.optional(key) else {
            throw ConfigError("\(key) is missing: the twilio provider needs it")
        }
        return value
    }
}
