import Contracts
import Crypto
import Foundation
import JWTKit
import Synchronization

/// Verifies access tokens with the keys that accounts publishes, and caches the results.
///
/// An ES256 check costs about as much as four minimal requests, so a token is checked once and then found by its
/// SHA-256 until it expires.
public final class TokenVerifier: Sendable {
    /// Maximum number of cached tokens; beyond it the cache is emptied.
    static let mostRemembered = 50_000
    /// Maximum length of a token, in bytes.
    static let longestToken = 4_096
    /// Minimum time between two fetches of the keys because of unknown key ids, in seconds.
    static let refetchInterval: TimeInterval = 5
    /// Keys are fetched again after this time in seconds, so that a withdrawn key stops working.
    static let keysLife: TimeInterval = 600

    /// Fetches the published keys (RFC 7517).
    public typealias KeySource = @Sendable () async throws -> JWKS

    private struct Keys {
        var collection: JWTKeyCollection?
        var identifiers: Set<String> = []
        var fetchedAt: Date = .distantPast
    }

    private struct Verified {
        let claims: AccessClaims
    }

    private let source: KeySource
    private let clock: ServiceClock
    private let verified = Mutex<[SHA256Digest: Verified]>([:])
    private let keys = Mutex(Keys())

    public init(clock: ServiceClock, keys source: @escaping KeySource) {
        self.clock = clock
        self.source = source
    }

    /// The person whose token it is. Throws 401 `auth.token_invalid`, or 503 while the keys are unavailable.
    public func verify(_ token: String) async throws -> Identity {
        try await claims(of: token).identity
    }

    /// When the token expires; streams close then.
    public func expiry(of token: String) async throws -> Date {
        Date(timeIntervalSince1970: Double(try await claims(of: token).exp))
    }

    /// Throws 503 until the keys have been read once. Later, known keys are enough while accounts doesn't answer.
    public func requireKeys() async throws {
        guard keys.withLock({ $0.collection == nil }) else { return }
        do {
            _ = try await fetch(at: clock.now)
        } catch {
            throw Refusal.unavailable("The keys of access tokens can't be read from accounts.")
        }
    }

    private func claims(of token: String) async throws -> AccessClaims {
        guard token.utf8.count <= Self.longestToken else { throw Refusal.tokenInvalid }
        let digest = SHA256.hash(data: Data(token.utf8))
        if let known = verified.withLock({ $0[digest] }) {
            try requireUnexpired(known.claims)
            return known.claims
        }
        let claims = try await check(token)
        try requireUnexpired(claims)
        verified.withLock { verified in
            if verified.count >= Self.mostRemembered { verified.removeAll(keepingCapacity: true) }
            verified[digest] = Verified(claims: claims)
        }
        return claims
    }

    private func requireUnexpired(_ claims: AccessClaims) throws {
        guard clock.now.timeIntervalSince1970 < Double(claims.exp) else {
            throw Refusal.tokenInvalid
        }
    }

    private func check(_ token: String) async throws -> AccessClaims {
        guard let header = Header(of: token), header.alg == "ES256" else {
            throw Refusal.tokenInvalid
        }
        let collection = try await collection(knowing: header.kid)
        do {
            return try await collection.verify(token, as: AccessClaims.self)
        } catch {
            throw Refusal.tokenInvalid
        }
    }

    private func collection(knowing kid: String) async throws -> JWTKeyCollection {
        let now = clock.now
        let (known, isFresh, mayFetch) = keys.withLock { keys in
            let age = now.timeIntervalSince(keys.fetchedAt)
            let known = keys.identifiers.contains(kid) ? keys.collection : nil
            let mayFetch = keys.collection == nil || age >= Self.refetchInterval
            return (known, age < Self.keysLife, mayFetch)
        }
        if let known, isFresh { return known }
        guard mayFetch else { throw Refusal.tokenInvalid }
        do {
            let fetched = try await fetch(at: now)
            guard fetched.identifiers.contains(kid) else { throw Refusal.tokenInvalid }
            return fetched.collection
        } catch let error as Refusal {
            throw error
        } catch {
            // A key that was valid a while ago is still valid as far as we can tell.
            if let known { return known }
            throw Refusal.unavailable("The keys of access tokens can't be read.")
        }
    }

    private func fetch(
        at now: Date
    ) async throws -> (collection: JWTKeyCollection, identifiers: Set<String>) {
        let published = try await source().keys.filter { $0.keyType == .ecdsa }
        let collection = JWTKeyCollection()
        for key in published { try await collection.add(jwk: key) }
        let identifiers = Set(published.compactMap { $0.keyIdentifier?.string })
        keys.withLock { keys in
            keys = Keys(collection: collection, identifiers: identifiers, fetchedAt: now)
        }
        return (collection, identifiers)
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String

        init?(of token: String) {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let data = Data(base64URL: parts[0]),
                let header = try? JSONDecoder().decode(Self.self, from: data)
            else { return nil }
            self = header
        }
    }
}
