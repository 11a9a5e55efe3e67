import Contracts
import ServiceKit

/// A phone number or an e-mail address, at which a person is reached and with which they sign in. As text, a number
/// begins with `+` and an address contains an `@`, so one column holds either.
enum Contact: Hashable, Sendable, LosslessStringConvertible {
    case phone(PhoneNumber)
    case email(EmailAddress)

    var description: String {
        switch self {
        case .phone(let phone): phone.description
        case .email(let email): email.description
        }
    }

    /// Reads the text of a stored contact.
    init?(_ text: String) {
        if let phone = PhoneNumber(stored: text) {
            self = .phone(phone)
        } else if let email = EmailAddress(text) {
            self = .email(email)
        } else {
            return nil
        }
    }

    /// Reads a body's phone number or e-mail address, of which exactly one must be present. Throws `request.invalid`
    /// with the name of the wrong field. `country` is that of a number for which the body names none.
    init(of body: some HasContact, in country: Country?) throws {
        let country = try body.country.map { try Country(checking: $0) } ?? country
        switch (body.phone, body.email) {
        case (let phone?, nil): self = .phone(try PhoneNumber(checking: phone, in: country))
        case (nil, let email?): self = .email(try EmailAddress(checking: email))
        case (nil, nil): throw Refusal.invalid("phone", "A phone number or an e-mail address.")
        case (_?, _?):
            throw Refusal.invalid("email", "Enter either a phone number or an e-mail address.")
        }
    }

    /// The body's field that holds it.
    var field: String {
        switch self {
        case .phone: "phone"
        case .email: "email"
        }
    }

    /// The refusal if another account has it.
    var taken: Refusal {
        switch self {
        case .phone: .phoneTaken
        case .email: .emailTaken
        }
    }
}
