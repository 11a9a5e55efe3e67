/// What somebody shows besides their password.
public enum SecondFactorMethod: String, Codable, Sendable, Hashable, CaseIterable {
    /// A code of an app that makes them (RFC 6238).
    case totp
    /// A code that comes to their phone.
    case sms
    /// One of those that they have written down.
    case recoveryCode
}

/// What is asked for besides the password: answer of `GET /v1/me/second-factors`.
public struct SecondFactors: Codable, Sendable, Hashable {
    /// Those that are on: `totp`, `sms`.
    public var methods: [SecondFactorMethod]
    public var recoveryCodesLeft: Int
    /// The last can't be turned off: for operators, where the house says so.
    public var isRequired: Bool

    public init(methods: [SecondFactorMethod], recoveryCodesLeft: Int, isRequired: Bool) {
        self.methods = methods
        self.recoveryCodesLeft = recoveryCodesLeft
        self.isRequired = isRequired
    }
}

/// What an app that makes codes is given, once.
public struct TOTPSetup: Codable, Sendable, Hashable {
    /// In base 32.
    public var secret: String
    /// `otpauth://`, with all that the app needs.
    public var uri: String
    /// The same to scan.
    public var qrCode: QRPicture

    public init(secret: String, uri: String, qrCode: QRPicture) {
        (self.secret, self.uri, self.qrCode) = (secret, uri, qrCode)
    }
}

/// Shows that one has what was set up.
public struct SecondFactorCodeBody: Codable, Sendable {
    public var code: String
    public init(code: String) { self.code = code }
}

/// Shown once: each stands in for the second factor, once. Empty where those from before go on.
public struct RecoveryCodes: Codable, Sendable, Hashable {
    public var recoveryCodes: [String]
    public init(recoveryCodes: [String]) { self.recoveryCodes = recoveryCodes }
}

/// Shows that it is the person: for setting a second factor up, and for new recovery codes.
public struct PasswordBody: Codable, Sendable {
    public var password: String
    public init(password: String) { self.password = password }
}

/// Body of `POST /v1/me/second-factors/removal`.
public struct SecondFactorRemovalBody: Codable, Sendable {
    public var method: SecondFactorMethod
    public var password: String

    public init(method: SecondFactorMethod, password: String) {
        (self.method, self.password) = (method, password)
    }
}

/// Of a sign-in that waits for its second factor.
public struct ChallengeBody: Codable, Sendable {
    public var challenge: String
    public init(challenge: String) { self.challenge = challenge }
}

/// Body of `POST /v1/sessions/second-factor`.
public struct SecondFactorBody: Codable, Sendable {
    public var challenge: String
    public var method: SecondFactorMethod
    public var code: String

    public init(challenge: String, method: SecondFactorMethod, code: String) {
        (self.challenge, self.method, self.code) = (challenge, method, code)
    }
}

/// Body of `POST /v1/sessions/second-factor/enrolment/confirm`.
public struct EnrolmentBody: Codable, Sendable {
    public var challenge: String
    public var code: String

    public init(challenge: String, code: String) {
        (self.challenge, self.code) = (challenge, code)
    }
}

/// Signed in, with a second factor from now on.
public struct Enrolled: Codable, Sendable, HasTokens {
    public var account: Account
    public var accessToken: String
    public var refreshToken: String
    public var expiresInSeconds: Int
    public var recoveryCodes: [String]

    public init(_ signedIn: SignedIn, recoveryCodes: [String]) {
        account = signedIn.account
        accessToken = signedIn.accessToken
        refreshToken = signedIn.refreshToken
        expiresInSeconds = signedIn.expiresInSeconds
        self.recoveryCodes = recoveryCodes
    }
}
