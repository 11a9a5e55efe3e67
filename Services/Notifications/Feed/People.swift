import Contracts
import EventBus

/// The language of a person's messages.
let people = Replica<Language>("people")

/// The confirmed e-mail addresses of people.
let mailAddresses = Replica<MailAddress>("mail_addresses")

struct MailAddress: Codable, Sendable, Hashable {
    /// Nil for a person without a confirmed address.
    var sealed: String?
}
