import Contracts
import Crypto
import Foundation
import HTTPTypes

/// Addresses that open one thing to whoever has them, for minutes: for what a browser fetches without a token.
public struct SignedAddresses: Sendable {
    /// How long an address opens at least.
    public static let life: TimeInterval = 600
    /// Ends of life fall on multiples of this, so that an address stays the same, and its answer cached.
    static let step: TimeInterval = 300

    private let key: SymmetricKey

    public init(secret: String) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet pictures".utf8), outputByteCount: 32)
    }

    /// Where a person's profile picture is, without the signature.
    public static func path(person picture: PictureID) -> String {
        "/v1/pictures/people/\(picture)"
    }

    /// Where a photo of a vehicle is, without the signature.
    public static func path(vehicle picture: PictureID) -> String {
        "/v1/pictures/vehicles/\(picture)"
    }

    /// Where a picture of a fine is, without the signature.
    public static func path(fine picture: PictureID) -> String {
        "/v1/pictures/fines/\(picture)"
    }

    /// Where a picture is of where somebody has parked, without the signature.
    public static func path(parkedVehicle picture: PictureID) -> String {
        "/v1/pictures/parked-vehicles/\(picture)"
    }

    /// The path with `?expires=&signature=`.
    public func sign(_ path: String, at now: Date) -> String {
        let end = (now.timeIntervalSince1970 + Self.life) / Self.step
        let expires = Int(end.rounded(.up) * Self.step)
        return "\(path)?expires=\(expires)&signature=\(signature(path, expires))"
    }

    /// Throws 403 unless the signature is ours and not too old; gives the seconds that are left.
    @discardableResult
    public func verify(
        _ path: String, expires: Int?, signature: String?, at now: Date
    ) throws -> Int {
        guard let expires, let signature, let code = Self.bytes(signature),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Self.text(path, expires), using: key)
        else { throw Refusal.pictureAddressInvalid }
        let left = TimeInterval(expires) - now.timeIntervalSince1970
        guard left > 0 else { throw Refusal.pictureAddressExpired }
        return Int(left)
    }

    private func signature(_ path: String, _ expires: Int) -> String {
        HMAC<SHA256>.authenticationCode(for: Self.text(path, expires), using: key).hex
    }

    private static func text(_ path: String, _ expires: Int) -> Data {
        Data("\(path)\n\(expires)".utf8)
    }

    /// Of 64 hexadecimal digits.
    private static func bytes(_ text: String) -> Data? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64 else { return nil }
        var bytes = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
