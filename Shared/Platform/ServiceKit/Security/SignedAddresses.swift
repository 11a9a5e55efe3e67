import Contracts
import Crypto
import Foundation
import HTTPTypes

/// Signed addresses that give anyone who has them access to one thing for some minutes; for what a browser fetches
/// without a token.
public struct SignedAddresses: Sendable {
    /// Minimum validity of an address, in seconds.
    public static let life: TimeInterval = 600
    /// Expiry times are multiples of this, in seconds, so that an address stays the same and its answer can be
    /// cached.
    static let step: TimeInterval = 300

    private let key: SymmetricKey

    public init(secret: String) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet pictures".utf8), outputByteCount: 32)
    }

    /// Path of a person's profile picture, unsigned.
    public static func path(person picture: PictureID) -> String {
        "/v1/pictures/people/\(picture)"
    }

    /// Path of a vehicle's photo, unsigned.
    public static func path(vehicle picture: PictureID) -> String {
        "/v1/pictures/vehicles/\(picture)"
    }

    /// Path of a fine's picture, unsigned.
    public static func path(fine picture: PictureID) -> String {
        "/v1/pictures/fines/\(picture)"
    }

    /// Path of a picture of a parking position, unsigned.
    public static func path(parkedVehicle picture: PictureID) -> String {
        "/v1/pictures/parked-vehicles/\(picture)"
    }

    /// The path with `?expires=&signature=`.
    public func sign(_ path: String, at now: Date) -> String {
        let end = (now.timeIntervalSince1970 + Self.life) / Self.step
        let expires = Int(end.rounded(.up) * Self.step)
        return "\(path)?expires=\(expires)&signature=\(signature(path, expires))"
    }

    /// Returns the seconds that are left. Throws 403 if the signature is wrong or has expired.
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

    /// The bytes of 64 hexadecimal digits.
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
