import Contracts
import Foundation
import ServiceKit

/// A mailbox `name@domain` (RFC 5321), in lower case. Quoted names, address literals and non-ASCII names are refused,
/// since few servers accept them. A non-ASCII domain is written as `xn--`.
struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    /// In octets (RFC 5321, section 4.5.3.1): the limit of a path, less its angle brackets.
    static let longest = 254
    static let longestName = 64
    static let longestLabel = 63

    let description: String
    /// The part before the `@`.
    var name: Substring { description.prefix { $0 != "@" } }

    init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isName(parts[0]), Self.isDomain(parts[1]) else { return nil }
        description = text.lowercased()
    }

    /// Throws `request.invalid` with the name of the field.
    init(checking text: String, field: String = "email") throws {
        guard let email = Self(text) else {
            throw Refusal.invalid(field, "Enter an e-mail address, for example ada@example.org.")
        }
        self = email
    }

    private static func isName(_ name: Substring) -> Bool {
        name.utf8.count <= longestName
            && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && atom.allSatisfy { isPlain($0) || "!#$%&'*+-/=?^_`{|}~".contains($0) }
            }
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.last?.first?.isLetter == true
            && labels.allSatisfy { label in
                (1...longestLabel).contains(label.utf8.count) && label.first != "-"
                    && label.last != "-" && label.allSatisfy { isPlain($0) || $0 == "-" }
            }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}
