import Crypto
import Foundation
import ServiceKit
import Store

/// The key by which push services know who sends, and the signatures made with it (RFC 8292).
struct Vapid: Sendable {
    /// Life of a signature, in seconds: half of what RFC 8292, section 2, allows, for clocks that differ.
    static let life: TimeInterval = 12 * 3_600

    let key: P256.Signing.PrivateKey
    /// Whom a push service may write to when something is wrong: `mailto:` or `https:`.
    let subject: String

    private struct Header: Encodable {
        let typ = "JWT"
        let alg = "ES256"
    }

    private struct Claims: Encodable {
        let aud: String
        /// Seconds since 1970.
        let exp: Int
        let sub: String
    }

    /// Uncompressed point in base64url: `applicationServerKey` of the Push API.
    var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// Value of `Authorization` for requests to that origin, as in `https://push.example.net`.
    func authorization(for origin: String, at now: Date) throws -> String {
        let expiry = Int(now.addingTimeInterval(Self.life).timeIntervalSince1970)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(Header()).base64URL
        let claims = try encoder.encode(Claims(aud: origin, exp: expiry, sub: subject)).base64URL
        // RFC 7518, section 3.4: r and s, 32 bytes each.
        let signature = try key.signature(for: Data("\(header).\(claims)".utf8)).rawRepresentation
        return "vapid t=\(header).\(claims).\(signature.base64URL), k=\(publicKey)"
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

    /// The configured key; else the one that is kept sealed in the database, made at the first start.
    ///
    /// One that can't be opened was sealed under another service secret, as were all subscriptions:
    /// a new key takes its place, and browsers subscribe anew when they see it.
    static func load(
        _ config: NotificationsConfig, _ notifications: NotificationUseCases
    ) async throws -> Vapid {
        if let key = config.vapidKey { return Vapid(key: key, subject: config.vapidSubject) }
        let (sealer, now) = (notifications.sealer, notifications.clock.now)
        let made = P256.Signing.PrivateKey()
        let sealed = try sealer.seal(made.rawRepresentation.base64URL)
        let key = try await notifications.database.write { transaction in
            // Of two replicas that start together, one makes the key.
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
