import Contracts
import Crypto
import Foundation
import JWTKit
import Synchronization

/// Short-lived tokens by which services authenticate to each other: HS256 with the shared secret.
public final class ServiceTokens: Sendable {
    /// Lifetime of a token, in seconds. A new one is made after half of it.
    static let life = 60
    /// Tolerated clock difference between two machines, in seconds.
    static let leeway = 10
    /// Maximum number of remembered tokens from other services.
    static let mostRemembered = 1_000

    struct Claims: JWTPayload {
        var iss: String
        var aud: String
        var iat: Int
        var exp: Int
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private struct State {
        var made: [String: (token: String, until: Date)] = [:]
        var verified: [SHA256Digest: Claims] = [:]
    }

    private let service: String
    private let key: SymmetricKey
    private let clock: ServiceClock
    private let state = Mutex(State())

    public init(service: String, secret: String, clock: ServiceClock) {
        self.service = service
        self.clock = clock
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet service tokens".utf8), outputByteCount: 32)
    }

    /// A token for the audience, another service.
    public func token(for audience: String) async throws -> String {
        let now = clock.now
        if let made = state.withLock({ $0.made[audience] }), made.until > now { return made.token }
        let issued = Int(now.timeIntervalSince1970)
        let claims = Claims(iss: service, aud: audience, iat: issued, exp: issued + Self.life)
        let token = try await keys().sign(claims)
        state.withLock { state in
            state.made[audience] = (token, now.addingTimeInterval(Double(Self.life) / 2))
        }
        return token
    }

    /// The calling service. Throws 401 `auth.token_invalid` for an invalid token.
    func verify(_ token: String) async throws -> String {
        guard token.utf8.count <= TokenVerifier.longestToken else {
            throw Refusal.tokenInvalid
        }
        let digest = SHA256.hash(data: Data(token.utf8))
        let claims: Claims
        if let known = state.withLock({ $0.verified[digest] }) {
            claims = known
        } else {
            guard let checked = try? await keys().verify(token, as: Claims.self) else {
                throw Refusal.tokenInvalid
            }
            claims = checked
            state.withLock { state in
                if state.verified.count >= Self.mostRemembered { state.verified.removeAll() }
                state.verified[digest] = checked
            }
        }
        let now = Int(clock.now.timeIntervalSince1970)
        guard claims.aud == service, now <= claims.exp + Self.leeway,
            claims.iat <= now + Self.leeway
        else { throw Refusal.tokenInvalid }
        return claims.iss
    }

    private func keys() async -> JWTKeyCollection {
        await JWTKeyCollection().add(hmac: HMACKey(key: key), digestAlgorithm: .sha256)
    }
}
