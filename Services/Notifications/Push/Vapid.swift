import Crypto
import Foundation
import JWTKit
import ServiceKit
import Store

/// The key that identifies us to push services, and the tokens signed with it (RFC 8292).
struct Vapid: Sendable {
    /// Lifetime of a token, in seconds: half of what RFC 8292, section 2, allows, for clocks that differ.
    static let life: TimeInterval = 12 * 3_600

    let key: P256.Signing.PrivateKey
    /// Where a push service can report problems: `mailto:` or `https:`.
    let subject: String

    private struct Claims: JWTPayload {
        let aud: String
        /// Seconds since 1970.
        let exp: Int
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Uncompressed point in base64url: `applicationServerKey` of the Push API.
    var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// The `Authorization` header of requests to an origin, for example `https://push.example.net`.
    func authorization(for origin: String, at now: Date) async throws -> String {
        let expiry = Int(now.addingTimeInterval(Self.life).timeIntervalSince1970)
        let keys = try await JWTKeyCollection().add(ecdsa: ES256PrivateKey(backing: key))
        let token = try await keys.sign(Claims(aud: origin, exp: expiry, sub: subject))
        return "vapid t=\(token), k=\(publicKey)"
    }
}

extension Vapid {
    /// The private key in PEM, or its 32 bytes in base64url as web push tools print it.
    static func privateKey(_ text: String) -> P256.Signing.PrivateKey? {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) { return key }
        return Data(base64URL: text).flatMap {
            try? P256.Signing.PrivateKey(rawRepresentation: $0)
        }
    }

    /// The configured key; else the one sealed in the database, created at the first start.
    ///
    /// A key that can't be opened was sealed with another service secret, like all subscriptions: a new
    /// key replaces it, and browsers subscribe again when they see it.
    static func load(
        _ config: NotificationsConfig, _ notifications: NotificationUseCases
    ) async throws -> Vapid {
        if let key = config.vapidKey { return Vapid(key: key, subject: config.vapidSubject) }
        let (sealer, now) = (notifications.sealer, notifications.clock.now)
        let made = P256.Signing.PrivateKey()
        let sealed = try sealer.seal(made.rawRepresentation.base64URL)
        let key = try await notifications.database.write { transaction in
            // If two replicas start together, one creates the key.
            try transaction.execute(
                """
                INSERT INTO push_keys (name, sealed, created_at) VALUES ('vapid', ?, ?)
                ON CONFLICT (name) DO NOTHING
                """, sealed, now)
            let kept = try transaction.row("SELECT sealed FROM push_keys WHERE name = 'vapid'")?
                .get("sealed", as: String.self)
            if let kept, let text = try? sealer.open(String.self, from: kept),
                let key = privateKey(text)
            {
                return key
            }
            try transaction.execute(
                "UPDATE push_keys SET sealed = ?, created_at = ? WHERE name = 'vapid'", sealed, now)
            try transaction.execute("DELETE FROM push_subscriptions")
            return made
        }
        return Vapid(key: key, subject: config.vapidSubject)
    }
}
