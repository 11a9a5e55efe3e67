import Contracts
import Crypto
import Foundation
import ServiceKit

/// The browser's keys, which encrypt pushes for it alone (RFC 8291, section 2).
struct PushSecrets: Sendable {
    /// Bytes of the authentication secret (RFC 8291, section 3.2).
    static let authLength = 16
    /// Bytes of an uncompressed point of P-256: 0x04, x, y (X9.62).
    static let pointLength = 65

    let key: P256.KeyAgreement.PublicKey
    let auth: Data

    /// Refuses points off the curve: a key agreement with one could reveal our private key.
    init(p256dh: String, auth: String) throws {
        guard let point = Data(base64URL: p256dh), point.count == Self.pointLength,
            let key = try? P256.KeyAgreement.PublicKey(x963Representation: point)
        else {
            throw Refusal.invalid(
                "keys.p256dh", "Use an uncompressed point of P-256, 65 bytes in base64url.")
        }
        guard let auth = Data(base64URL: auth), auth.count == Self.authLength else {
            throw Refusal.invalid("keys.auth", "Use \(Self.authLength) bytes in base64url.")
        }
        self.key = key
        self.auth = auth
    }
}

/// Encryption of a push message: RFC 8291, in one record of RFC 8188.
enum PushEncryption {
    /// Bytes of the only record; push services needn't accept more (RFC 8030, section 7.2).
    static let recordSize = 4_096
    private static let saltLength = 16
    private static let tagLength = 16
    /// Salt, record size, length of the key id, and our public key as that id (RFC 8188, section 2.1).
    private static let headerLength = saltLength + 4 + 1 + PushSecrets.pointLength
    /// Largest plain text of a message, in bytes; one more byte is the record's delimiter.
    static let mostPlain = recordSize - headerLength - 1 - tagLength

    struct TooLong: Error {}

    /// The body of the request; `key` and `salt` are new for each message, except in tests.
    static func seal(
        _ plain: Data, for secrets: PushSecrets, key: P256.KeyAgreement.PrivateKey = .init(),
        salt: Data = randomSalt()
    ) throws -> Data {
        guard plain.count <= mostPlain else { throw TooLong() }
        let ours = key.publicKey.x963Representation
        // RFC 8291, section 3.4: both keys are bound into what is derived from the shared secret.
        let info = Data("WebPush: info\0".utf8) + secrets.key.x963Representation + ours
        let material = try key.sharedSecretFromKeyAgreement(with: secrets.key)
            .hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: secrets.auth, sharedInfo: info, outputByteCount: 32)
        // RFC 8188, sections 2.2 and 2.3; the nonce is that of record 0.
        let contentKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt,
            info: Data("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt,
            info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12
        ).withUnsafeBytes { Data($0) }
        // 0x02 delimits the last record, without padding behind it.
        let box = try AES.GCM.seal(
            plain + [0x02], using: contentKey, nonce: AES.GCM.Nonce(data: nonce))
        let size = withUnsafeBytes(of: UInt32(recordSize).bigEndian) { Data($0) }
        return salt + size + [UInt8(ours.count)] + ours + box.ciphertext + box.tag
    }

    static func randomSalt() -> Data {
        SymmetricKey(size: .init(bitCount: saltLength * 8)).withUnsafeBytes { Data($0) }
    }
}
