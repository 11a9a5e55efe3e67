import Contracts
import Crypto
import Foundation
import ServiceKit

struct NotificationsConfig: Config {
    static let service = ServiceManifest.notifications

    /// How text messages are sent.
    enum TextMessages: Sendable, Hashable {
        case dev
        case twilio(base: URL, accountSID: String, authToken: String, from: String)
    }

    /// How e-mails are sent.
    enum Mail: Sendable, Hashable {
        case dev
        case smtp(MailServer)
    }

    static let keys = [
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMS_PROVIDER", default: "dev",
            "dev stores text messages for operators to read; twilio sends them."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_URL", default: "https://api.twilio.com",
            "Address of Twilio's API."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID", default: "",
            "Your account at Twilio."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN", default: "", secret: true,
            "Auth token of that account."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_TWILIO_FROM", default: "",
            "Sender of text messages: a phone number in E.164 format, or a name."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_MAIL_PROVIDER", default: "dev",
            "dev stores e-mails for operators to read; smtp sends them through a mail server."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMTP_HOST", default: "",
            "Host name of the mail server, as in its certificate."),
        ConfigKey("OPENVALET_NOTIFICATIONS_SMTP_PORT", default: "587", "Port of the mail server."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMTP_SECURITY", default: "starttls",
            "starttls, or tls for a connection that is encrypted from the start (port 465)."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMTP_USER", default: "",
            "User at the mail server; empty if it needs none."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMTP_PASSWORD", default: "", secret: true,
            "Password of that user."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMTP_FROM", default: "",
            "Sender of e-mails, for example valet@example.org."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_SMTP_AUTHORITIES", default: "",
            "PEM file of certificate authorities to trust in addition to the system's."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE", default: "en",
            "Language of the operators' shared feed: en or zh-Hant."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_VAPID_KEY", default: "", secret: true,
            "P-256 private key that signs pushes, in PEM or as 32 bytes in base64url. If empty, one "
                + "is created at the first start and stored sealed in the database."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_VAPID_SUBJECT", default: "mailto:operator@example.org",
            "Your contact for push services, mailto: or https:. Some refuse an address that can't be "
                + "reached."),
        ConfigKey(
            "OPENVALET_NOTIFICATIONS_PUSH_SERVICES", default: PushServices.standard,
            "Hosts of the push services to allow, separated by commas; *.host allows its subdomains, "
                + "http://127.0.0.1:PORT a sink on this machine."),
    ]

    let textMessages: TextMessages
    let mail: Mail
    let operatorsLanguage: Language
    let vapidKey: P256.Signing.PrivateKey?
    let vapidSubject: String
    let pushServices: PushServices

    init(_ values: ConfigValues) throws {
        vapidKey = try values.optional("OPENVALET_NOTIFICATIONS_VAPID_KEY").map { text in
            guard let key = Vapid.privateKey(text) else {
                throw ConfigError("OPENVALET_NOTIFICATIONS_VAPID_KEY is not a P-256 private key")
            }
            return key
        }
        vapidSubject = try values.string("OPENVALET_NOTIFICATIONS_VAPID_SUBJECT")
        guard vapidSubject.wholeMatch(of: /(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)/) != nil
        else {
            throw ConfigError(
                "OPENVALET_NOTIFICATIONS_VAPID_SUBJECT is not a mailto: or https: address")
        }
        let services = try values.string("OPENVALET_NOTIFICATIONS_PUSH_SERVICES")
        guard let pushServices = PushServices(services) else {
            throw ConfigError("OPENVALET_NOTIFICATIONS_PUSH_SERVICES is not a list of hosts")
        }
        self.pushServices = pushServices
        let language = try values.string("OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE")
        guard let operatorsLanguage = Language.spoken(language) else {
            throw ConfigError("OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE is not en or zh-Hant")
        }
        self.operatorsLanguage = operatorsLanguage
        mail = try Self.mail(values)
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

    private static func mail(_ values: ConfigValues) throws -> Mail {
        let (prefix, provider) = (
            "OPENVALET_NOTIFICATIONS_SMTP_",
            try values.string("OPENVALET_NOTIFICATIONS_MAIL_PROVIDER")
        )
        guard provider != "dev" else { return .dev }
        guard provider == "smtp" else {
            throw ConfigError("OPENVALET_NOTIFICATIONS_MAIL_PROVIDER is neither dev nor smtp")
        }
        guard let security = MailServer.Security(rawValue: try values.string(prefix + "SECURITY"))
        else { throw ConfigError("\(prefix)SECURITY is neither starttls nor tls") }
        let from = try needed(prefix + "FROM", values)
        guard from.wholeMatch(of: /[!-;=?A-~]+@[0-9A-Za-z.-]+/) != nil else {
            throw ConfigError("\(prefix)FROM is not an e-mail address")
        }
        let user = try values.optional(prefix + "USER")
        let password = try values.optional(prefix + "PASSWORD")
        guard (user == nil) == (password == nil) else {
            throw ConfigError("\(prefix)USER and \(prefix)PASSWORD need each other")
        }
        return .smtp(
            MailServer(
                host: try needed(prefix + "HOST", values),
                port: try values.int(prefix + "PORT", in: 1...65_535), security: security,
                login: user.flatMap { user in password.map { .init(user: user, password: $0) } },
                authorities: try values.optional(prefix + "AUTHORITIES"), from: from))
    }

    private static func needed(_ key: String, _ values: ConfigValues) throws -> String {
        guard let value = try values.optional(key) else {
            throw ConfigError("\(key) is missing: the provider needs it")
        }
        return value
    }
}
