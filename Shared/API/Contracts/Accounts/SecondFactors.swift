/// A proof that a person gives in addition to their password: a code from an authenticator app
/// (`totp`, RFC 6238), a code sent to their phone (`sms`), or a recovery code (`recoveryCode`).
public enum SecondFactorMethod: String, Codable, Sendable, Hashable, CaseIterable {
    /// A code of an app that makes them (RFC 6238).
    case totp
    /// A code that comes to their phone.
    case sms
    /// One of those that they have written down.
    case recoveryCode
}

/// The second factors of an account.
public struct SecondFactors: Codable, Sendable, Hashable {
    /// The second factors that are on: `totp`, `sms`.
    public var methods: [SecondFactorMethod]
    public var recoveryCodesLeft: Int
    /// Whether the last second factor can't be turned off: for operators, if the platform requires
    /// one.
    public var isRequired: Bool

    public init(methods: [SecondFactorMethod], recoveryCodesLeft: Int, isRequired: Bool) {
        self.methods = methods
        self.recoveryCodesLeft = recoveryCodesLeft
        self.isRequired = isRequired
    }
}

/// The secret for an authenticator app (RFC 6238). It is shown only once.
public struct TOTPSetup: Codable, Sendable, Hashable {
    /// The secret in base 32.
    public var secret: String
    /// An `otpauth://` address with everything that the app needs.
    public var uri: String
    /// The same address as a QR code.
    public var qrCode: QRPicture

    public init(secret: String, uri: String, qrCode: QRPicture) {
        (self.secret, self.uri, self.qrCode) = (secret, uri, qrCode)
    }
}

/// A code that confirms the second factor that was just set up.
public struct SecondFactorCodeBody: Codable, Sendable {
    public var code: String
    public init(code: String) { self.code = code }
}

/// Recovery codes, shown once. Each replaces the second factor once. Empty if earlier codes stay
/// valid.
public struct RecoveryCodes: Codable, Sendable, Hashable {
    public var recoveryCodes: [String]
    public init(recoveryCodes: [String]) { self.recoveryCodes = recoveryCodes }
}

/// The current password, as proof that the account owner asks.
///
/// It is needed to set up a second factor and to get new recovery codes.
public struct PasswordBody: Codable, Sendable {
    public var password: String
    public init(password: String) { self.password = password }
}

/// The second factor to remove, `totp` or `sms`, and the password.
public struct SecondFactorRemovalBody: Codable, Sendable {
    public var method: SecondFactorMethod
    public var password: String

    public init(method: SecondFactorMethod, password: String) {
        (self.method, self.password) = (method, password)
    }
}

/// A sign-in that waits for its second factor.
public struct ChallengeBody: Codable, Sendable {
    public var challenge: String
    public init(challenge: String) { self.challenge = challenge }
}

/// The second factor of a sign-in.
public struct SecondFactorBody: Codable, Sendable {
    public var challenge: String
    public var method: SecondFactorMethod
    public var code: String

    public init(challenge: String, method: SecondFactorMethod, code: String) {
        (self.challenge, self.method, self.code) = (challenge, method, code)
    }
}

/// The first code of the second factor that was set up during the sign-in.
public struct EnrolmentBody: Codable, Sendable {
    public var challenge: String
    public var code: String

    public init(challenge: String, code: String) {
        (self.challenge, self.code) = (challenge, code)
    }
}

/// An account, signed in, with a second factor from now on.
public struct Enrolled: Codable, Sendable, HasTokens {
    public var account: Account
    /// A JWT, signed with ES256.
    public var accessToken: String
    /// Renews the tokens once.
    public var refreshToken: String
    /// Lifetime of the access token.
    public var expiresInSeconds: Int
    /// Recovery codes, shown once.
    public var recoveryCodes: [String]

    public init(_ signedIn: SignedIn, recoveryCodes: [String]) {
        account = signedIn.account
        accessToken = signedIn.accessToken
        refreshToken = signedIn.refreshToken
        expiresInSeconds = signedIn.expiresInSeconds
        self.recoveryCodes = recoveryCodes
    }
}
