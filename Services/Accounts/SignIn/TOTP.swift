import Contracts
import Crypto
import Foundation

/// Time-based codes (RFC 6238) as all authenticator apps support them: SHA-1, six digits, 30 seconds.
struct TOTP: Codable, Sendable, Hashable {
    static let digits = 6
    /// Seconds for which a code is valid.
    static let period = 30
    /// Steps by which the clocks may differ, either way.
    static let drift = 1
    /// As long as the hash (RFC 4226, section 4).
    static let secretBits = 160
    /// The issuer's name, as authenticator apps show it.
    static let issuer = "OpenValet"

    let secret: Data

    static func new() -> TOTP {
        TOTP(
            secret: SymmetricKey(size: .init(bitCount: secretBits)).withUnsafeBytes { Data($0) })
    }

    static func step(at time: Date) -> Int {
        Int((time.timeIntervalSince1970 / Double(period)).rounded(.down))
    }

    func code(ofStep step: Int) -> String {
        let counter = withUnsafeBytes(of: UInt64(step).bigEndian) { Data($0) }
        let hash = Data(
            HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return String(format: "%0\(Self.digits)d", (number & 0x7FFF_FFFF) % 1_000_000)
    }

    /// The latest step with this code; nil if there is none. All steps and digits are compared, so that the time
    /// reveals nothing.
    func step(of code: String, at now: Date) -> Int? {
        let middle = Self.step(at: now)
        return (middle - Self.drift...middle + Self.drift).reduce(nil) { found, step in
            isSame(self.code(ofStep: step), code) ? step : found
        }
    }

    private func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Data(one.utf8), Data(other.utf8))
        return zip(one, other).reduce(one.count ^ other.count) { $0 | Int($1.0 ^ $1.1) } == 0
    }

    /// The secret for typing: base 32 (RFC 4648), without padding.
    var text: String {
        let bits = secret.map { byte in
            let text = String(byte, radix: 2)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        return String(
            stride(from: 0, to: bits.count, by: 5).map { start in
                let group = bits.dropFirst(start).prefix(5)
                let value = Int(group, radix: 2) ?? 0
                return alphabet[value << (5 - group.count)]
            })
    }

    /// The address for authenticator apps, which show `account`.
    func uri(of account: String) -> String {
        "otpauth://totp/\(Self.issuer):\(account.percentEncoded)?secret=\(text)&issuer=\(Self.issuer)"
            + "&algorithm=SHA1&digits=\(Self.digits)&period=\(Self.period)"
    }
}
