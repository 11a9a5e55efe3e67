import Contracts
import Foundation
import JWTKit

/// The claims of an access token (RFC 7519), signed with ES256 by accounts.
public struct AccessClaims: JWTPayload, Equatable {
    public static let issuer = "openvalet"
    public static let audience = "openvalet"
    /// Lifetime of a token, in seconds.
    public static let life = 900

    public var sub: PersonID
    public var roles: Roles
    public var sid: SessionID
    public var iss: String
    public var aud: String
    /// Seconds since 1970.
    public var iat: Int
    /// Seconds since 1970.
    public var exp: Int

    public init(person: PersonID, roles: Roles, session: SessionID, issuedAt: Date) {
        sub = person
        self.roles = roles
        sid = session
        iss = Self.issuer
        aud = Self.audience
        iat = Int(issuedAt.timeIntervalSince1970)
        exp = iat + Self.life
    }

    /// Checks issuer and audience. The verifier checks the time, by the platform's clock.
    public func verify(using algorithm: some JWTAlgorithm) throws {
        guard iss == Self.issuer, aud == Self.audience else {
            throw Refusal.tokenInvalid
        }
    }

    var identity: Identity { Identity(person: sub, roles: roles, session: sid) }
}
