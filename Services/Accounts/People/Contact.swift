import Contracts
import ServiceKit

/// What somebody is reached by, and signs in with. As a text a number begins with `+` and an address has an `@`, so
/// that one column holds either.
enum Contact: Hashable, Sendable, LosslessStringConvertible {
    case phone(PhoneNumber)
    case email(EmailAddress)

    var description: String {
        switch self {
        case .phone(let phone): phone.description
        case .email(let email): email.description
        }
    }

    init?(_ text: String) {
        if let phone = PhoneNumber(text) {
            self = .phone(phone)
        } else if let email = EmailAddress(text) {
            self = .email(email)
        } else {
            return nil
        }
    }

    /// Of the fields of a body, of which one has to be there; throws `request.invalid` that names the wrong one.
    init(phone: String?, email: String?) throws {
        switch (phone, email) {
        case (let phone?, nil): self = .phone(try PhoneNumber(checking: phone))
        case (nil, let email?): self = .email(try EmailAddress(checking: email))
        case (nil, nil): throw Refusal.invalid("phone", "A phone number or an e-mail address.")
        case (_?, _?):
            throw Refusal.invalid("email", "Either a phone number or an e-mail address.")
        }
    }

    /// The field of a body in which it stands.
    var field: String {
        switch self {
        case .phone: "phone"
        case .email: "email"
        }
    }

    /// Somebody else has it.
    var taken: Refusal {
        switch self {
        case .phone: .phoneTaken
        case .email: .emailTaken
        }
    }
}
