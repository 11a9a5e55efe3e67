import Foundation

/// Answer of `GET /v1/push-key`: the server's VAPID key (RFC 8292), for `applicationServerKey`.
public struct PushKey: Codable, Sendable, Hashable {
    /// Uncompressed point of P-256, 65 bytes, in base64url without padding.
    public var publicKey: String
    public init(publicKey: String) { self.publicKey = publicKey }
}

/// What `PushSubscription.toJSON()` of a browser gives (W3C Push API).
public struct PushSubscriptionBody: Codable, Sendable, Hashable {
    public struct Keys: Codable, Sendable, Hashable {
        /// The browser's public key, P-256, base64url (RFC 8291).
        public var p256dh: String
        /// Authentication secret, 16 bytes, base64url.
        public var auth: String

        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    public var endpoint: String
    public var keys: Keys

    public init(endpoint: String, keys: Keys) {
        self.endpoint = endpoint
        self.keys = keys
    }
}

/// A subscription as its owner sees it: nobody needs its secrets again.
public struct PushSubscription: Codable, Sendable, Hashable {
    public var id: PushSubscriptionID
    /// Host of the push service.
    public var service: String
    public var createdAt: Date

    public init(id: PushSubscriptionID, service: String, createdAt: Date) {
        self.id = id
        self.service = service
        self.createdAt = createdAt
    }
}

/// What the service worker gets, encrypted (RFC 8291): the words are ready to be shown.
public struct PushMessage: Codable, Sendable, Hashable {
    public var title: String
    public var body: String
    /// `sequence` of its line in the feed.
    public var number: Int
    /// Type of the event behind it.
    public var kind: String
    /// What it is about: a newer message about the same takes the place of this one.
    @Nullable public var subject: FeedSubject?
    /// A BCP 47 tag, for the notification's `lang`.
    public var language: String
    /// Where a tap leads: into the person's app, as `/valet#/orders/0190…`.
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
