import Contracts
import Crypto
import Foundation

/// Encrypts data that must not be readable on the bus or in a table: AES-256-GCM, with a key from the service secret
/// by HKDF.
public struct Sealer: Sendable {
    private let key: SymmetricKey
    private let fingerprintKey: SymmetricKey

    public init(secret: String) {
        let secret = SymmetricKey(data: Data(secret.utf8))
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Data("openvalet sealed values".utf8),
            outputByteCount: 32)
        fingerprintKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Data("openvalet fingerprints".utf8),
            outputByteCount: 32)
    }

    /// A keyed hash that only tells equal values from different ones. A plain hash of a body with a password would
    /// let somebody guess it offline.
    func fingerprint(_ data: Data) -> String {
        HMAC<SHA256>.authenticationCode(for: data, using: fingerprintKey).hex
    }

    /// Nonce, cipher text and tag in base64.
    public func seal(_ value: some Encodable) throws -> String {
        let box = try AES.GCM.seal(try Wire.encode(value), using: key)
        guard let combined = box.combined else { throw SealError() }
        return combined.base64EncodedString()
    }

    /// Throws if the text was sealed with another secret, or changed.
    public func open<Value: Decodable>(
        _ type: Value.Type = Value.self, from text: String
    ) throws -> Value {
        guard let combined = Data(base64Encoded: text) else { throw SealError() }
        let data = try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key)
        return try Wire.decode(type, from: data)
    }
}

/// A value couldn't be sealed or opened.
public struct SealError: Error {}
