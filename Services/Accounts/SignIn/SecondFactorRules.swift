import Contracts
import Crypto
import Foundation
import ServiceKit
import Store

/// The rules for making and checking second factors.
struct SecondFactorRules: Sendable {
    /// Seconds within which a setup must be confirmed.
    static let setupLife: TimeInterval = 600
    static let recoveryCodes = 10
    /// Characters of a recovery code, which are 50 bits, in two halves.
    static let recoveryLength = 10
    /// Without `i`, `l`, `o` and `u`, which are easily misread.
    private static let recoveryAlphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    /// Limits for wrong codes of one account: from one address, and per day. Only a person who knows the
    /// password gets this far, so these limits can't be used to lock the owner out.
    private static let ofAddress = Quota(name: "second factor of address", most: 10, seconds: 900)
    private static let ofDay = Quota(name: "second factor", most: 20, seconds: 86_400)

    /// Whether operators need a second factor.
    let operatorsNeedOne: Bool
    let messages: VerificationCodes
    private let sealer: Sealer
    private let quotas: Quotas
    private let pepper: SymmetricKey

    init(secret: String, sealer: Sealer, operatorsNeedOne: Bool) {
        self.operatorsNeedOne = operatorsNeedOne
        self.sealer = sealer
        messages = VerificationCodes(.secondFactor, secret: secret, sealer: sealer)
        quotas = Quotas(secret: secret)
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet recovery codes".utf8), outputByteCount: 32)
    }

    func isRequired(of person: Person) -> Bool {
        operatorsNeedOne && person.roles.contains(.operator)
    }

    func seal(_ totp: TOTP) throws -> String { try sealer.seal(totp) }

    /// Nil if it was sealed with another secret. Then no code is right, and no recovery code either.
    func open(_ sealed: String) -> TOTP? { try? sealer.open(from: sealed) }

    // MARK: Recovery codes

    func newRecoveryCodes() -> [String] {
        (0..<Self.recoveryCodes).map { _ in
            let letters = (0..<Self.recoveryLength).map { _ in
                Self.recoveryAlphabet.randomElement() ?? "0"
            }
            let half = Self.recoveryLength / 2
            return String(letters.prefix(half)) + "-" + String(letters.dropFirst(half))
        }
    }

    /// A keyed hash, as for codes by message: a plain hash of a code short enough to type can be reversed.
    func hash(_ recoveryCode: String, of person: PersonID) -> String {
        let letters = recoveryCode.lowercased().filter { $0.isLetter || $0.isNumber }
        return HMAC<SHA256>.authenticationCode(
            for: Data("\(person)\n\(letters)".utf8), using: pepper
        ).hex
    }

    // MARK: Tries

    /// Counts an attempt before its code is checked. Throws `account.too_many_attempts` if none is left.
    func take(
        _ person: PersonID, from address: ClientAddress, in transaction: Transaction, at now: Date
    ) throws {
        let wait =
            try quotas.take([Self.ofAddress], of: pair(person, address), in: transaction, at: now)
            ?? quotas.take([Self.ofDay], of: person.description, in: transaction, at: now)
        if let wait { throw Refusal.tooManyAttempts.retrying(after: wait) }
    }

    func succeed(
        _ person: PersonID, from address: ClientAddress, in transaction: Transaction
    ) throws {
        try quotas.clear([Self.ofAddress], of: pair(person, address), in: transaction)
        try forget(person, in: transaction)
    }

    /// Forgets the attempts against factors that no longer exist.
    func forget(_ person: PersonID, in transaction: Transaction) throws {
        try quotas.clear([Self.ofDay], of: person.description, in: transaction)
    }

    private func pair(_ person: PersonID, _ address: ClientAddress) -> String {
        "\(person)\n\(address.text ?? "")"
    }
}
