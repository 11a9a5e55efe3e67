import Contracts
import Foundation
import ServiceKit

/// The rules for passwords. They require no capitals or symbols (NIST SP 800-63B §5.1.1.2).
enum PasswordRules {
    /// In Unicode code points, as NIST counts them.
    static let length = 10...128
    /// The last digits of the phone number, which may not appear in the password.
    static let phoneTail = 7
    /// An e-mail address's name may not appear in the password if it is at least this long.
    static let shortestName = 5
    /// Repetitions of a unit of up to this many characters are refused, such as `abcabcabcabc`.
    static let longestRepeatedUnit = 3

    /// Throws `request.invalid` with the reason. `field` is the password's field.
    static func check(
        _ password: String, of contacts: [Contact], field: String = "password"
    ) throws {
        if let reason = weakness(of: password, contacts: contacts) {
            throw Refusal.invalid(field, reason)
        }
    }

    /// The reason for a refusal, for people to read; nil if the password is accepted.
    static func weakness(of password: String, contacts: [Contact]) -> String? {
        let normal = PasswordHash.normalised(password)
        guard length.contains(normal.unicodeScalars.count) else {
            return "A password has \(length.lowerBound) to \(length.upperBound) characters."
        }
        let folded = normal.lowercased()
        if CommonPasswords.contains(folded) { return "This password is among the common ones." }
        let letters = Array(folded.unicodeScalars)
        if isRepetition(letters) { return "This password repeats the same few characters." }
        if isSequence(letters) { return "This password is a simple sequence." }
        return contacts.lazy.compactMap { weakness(of: folded, $0) }.first
    }

    private static func weakness(of folded: String, _ contact: Contact) -> String? {
        switch contact {
        case .phone(let phone):
            let digits = String(folded.filter { ("0"..."9").contains($0) })
            return digits.contains(phone.description.suffix(phoneTail))
                ? "This password contains the phone number." : nil
        case .email(let email):
            return email.name.count >= shortestName && folded.contains(email.name)
                ? "This password contains the e-mail address." : nil
        }
    }

    /// For example `aaaaaaaaaa`, `1212121212` or `abcabcabcabc`.
    private static func isRepetition(_ letters: [Unicode.Scalar]) -> Bool {
        (1...longestRepeatedUnit).contains { unit in
            letters.indices.allSatisfy { letters[$0] == letters[$0 % unit] }
        }
    }

    /// Whether each character follows the previous one, in the alphabet or on a row of keys, in one direction.
    private static func isSequence(_ letters: [Unicode.Scalar]) -> Bool {
        let text = String(String.UnicodeScalarView(letters))
        let backwards = String(String.UnicodeScalarView(letters.reversed()))
        return rows.contains { $0.contains(text) || $0.contains(backwards) }
    }

    /// Each row is repeated beyond the longest password, so that a sequence can start anywhere in it.
    private static let rows = [
        "0123456789", "1234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm",
        "qwertyuiop[]asdfghjkl;'zxcvbnm,./", "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "qwertzuiopasdfghjkl",
        "azertyuiopqsdfghjklm",
    ].map { String(repeating: $0, count: 1 + length.upperBound / $0.count) }
}
