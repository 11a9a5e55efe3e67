import Foundation

/// The public key by which push services recognise the server (VAPID, RFC 8292). Browsers take it
/// as `applicationServerKey`.
public struct PushKey: Codable, Sendable, Hashable {
    /// An uncompressed point of P-256, 65 bytes, in base64url without padding.
    public var publicKey: String
    public init(publicKey: String) { self.publicKey = publicKey }
}

/// A push subscription, as a browser's `PushSubscription.toJSON()` returns it (W3C Push API).
public struct PushSubscriptionBody: Codable, Sendable, Hashable {
    /// Keys with which pushes are encrypted (RFC 8291).
    public struct Keys: Codable, Sendable, Hashable {
        /// The browser's public key: an uncompressed point of P-256, 65 bytes, in base64url.
        public var p256dh: String
        /// Authentication secret, 16 bytes in base64url.
        public var auth: String

        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    /// An https address at a push service that this server accepts.
    public var endpoint: String
    public var keys: Keys

    public init(endpoint: String, keys: Keys) {
        self.endpoint = endpoint
        self.keys = keys
    }
}

/// A browser that receives pushes. The secrets of its subscription are not returned.
public struct PushSubscription: Codable, Sendable, Hashable {
    public var id: PushSubscriptionID
    /// Host name of the push service.
    public var service: String
    public var createdAt: Date

    public init(id: PushSubscriptionID, service: String, createdAt: Date) {
        self.id = id
        self.service = service
        self.createdAt = createdAt
    }
}

/// A push message, once the browser has decrypted it (RFC 8291). Its text is ready to be shown.
public struct PushMessage: Codable, Sendable, Hashable {
    public var title: String
    /// Text; cut at the end if it does not fit into a push.
    public var body: String
    /// `sequence` of the line in the feed.
    public var number: Int
    /// Type of the event that caused the message.
    public var kind: String
    /// Subject of the message; a newer message about the same subject replaces this one.
    @Nullable public var subject: FeedSubject?
    /// Language tag (BCP 47), for the `lang` of the notification.
    public var language: String
    /// Address that a tap opens in the person's app, for example `/valet#/orders/0190…`.
    public var url: String

    public init(
        title: String, body: String, number: Int, kind: String, subject: FeedSubject?,
        language: String, url: String
    ) {
        self.title = title
        self.body = body
        self.number = number
        self.kind = kind
        self.subject = subject
        self.language = language
        self.url = url
    }
}
