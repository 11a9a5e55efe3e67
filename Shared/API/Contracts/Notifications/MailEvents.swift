import Foundation

/// A service asks for an e-mail to a person, for example with a receipt. It is sent once.
public struct MailRequested: Event {
    public static let type = "notices.mail-requested.v1"
    public static let topic = Topic.notices
    /// Two requests with the same id are one mail.
    public var id: MessageID
    public var person: PersonID
    /// Another address than the confirmed one of the person's account, sealed with AES-GCM, in
    /// base64; absent for that.
    public var sealedAddress: String?
    public var subject: String
    /// For readers that show no HTML.
    public var text: String
    public var html: String
    public var key: String { person.description }

    public init(
        id: MessageID, person: PersonID, sealedAddress: String? = nil, subject: String,
        text: String, html: String
    ) {
        (self.id, self.person, self.sealedAddress) = (id, person, sealedAddress)
        (self.subject, self.text, self.html) = (subject, text, html)
    }
}
