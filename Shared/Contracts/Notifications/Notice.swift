import Foundation

extension Topic {
    public static let notices: Topic = "notices"
}

/// How pressing a push is (RFC 8030, section 5.3): a phone that saves power takes what is `high` alone.
public enum PushUrgency: String, Codable, Sendable {
    case normal, high
}

/// Who is told what of something that has happened, said by the service that knows it, in the transaction that
/// makes it true.
///
/// Notifications keeps the feeds, and pushes; it knows no product.
public struct Notice: Codable, Sendable, Hashable {
    /// Recipients of one notice.
    public static let mostMessages = 100

    /// Id of what it is about, as an order's; the notices of one subject stay in order.
    public var subject: String
    /// How the subject is now: said by the product that owns it, and by nobody else. Lines without it show what
    /// the owner said last.
    public var state: SubjectState?
    /// Type of the event that caused it: the line's `event`.
    public var cause: String
    public var messages: [Message]

    public init(
        subject: String, state: SubjectState? = nil, cause: any Event.Type, _ messages: [Message]
    ) {
        self.subject = subject
        self.state = state
        self.cause = cause.type
        self.messages = messages
    }

    /// A line of one feed.
    public struct Message: Codable, Sendable, Hashable {
        public var to: Recipient
        /// As what they are told, for the app that a push opens; the most privileged of their roles when nil.
        public var role: Open<Role>?
        /// Both nil where there is nothing to tell, only state to refresh.
        public var title: LocalizedText?
        public var text: LocalizedText?
        /// Nil where the feed is enough.
        public var push: Push?

        public init(
            to recipient: Recipient, as role: Role? = nil, title: LocalizedText? = nil,
            text: LocalizedText? = nil,
            push: Push? = nil
        ) {
            to = recipient
            self.role = role.map(Open.known)
            self.title = title
            self.text = text
            self.push = push
        }
    }

    /// How long a push is worth delivering, and how pressing it is.
    public struct Push: Codable, Sendable, Hashable {
        public var urgency: Open<PushUrgency>
        /// Given up when it could not be delivered by then.
        public var lifeSeconds: Int

        public init(_ urgency: PushUrgency, lifeSeconds: Int) {
            self.urgency = .known(urgency)
            self.lifeSeconds = lifeSeconds
        }

        /// Somebody has to answer within seconds.
        public static let question = Push(.high, lifeSeconds: 45)
        /// Somebody is to move, or is waited for.
        public static let now = Push(.high, lifeSeconds: 15 * 60)
        /// True for some hours, and calls for something.
        public static let soon = Push(.high, lifeSeconds: 6 * 3_600)
        /// For the record.
        public static let receipt = Push(.normal, lifeSeconds: 24 * 3_600)
    }
}

/// What a product shows of one of its things in feeds and in the live stream.
public struct SubjectState: Codable, Sendable, Hashable {
    /// Largest `data` as JSON, in bytes.
    public static let largestData = 4 * 1_024
    /// Longest `link`, in characters.
    public static let longestLink = 200

    public var product: Product
    public var kind: SubjectKind
    /// An older state never takes the place of a newer one.
    public var version: Int
    /// Where in the reader's app it is found: `/orders/0190…`.
    public var link: String?
    /// Small: who needs more asks the product.
    public var data: JSONValue
    /// Whose personal data it holds: when one of them is deleted, `data` goes.
    public var about: [PersonID]

    public init(
        product: Product, kind: SubjectKind, version: Int, link: String?, data: JSONValue,
        about: [PersonID]
    ) {
        self.product = product
        self.kind = kind
        self.version = version
        self.link = link
        self.data = data
        self.about = about
    }
}

/// What sort of thing a line is about, as in `order`: the name of its event in the live stream, and of the field
/// that has its data.
public struct SubjectKind: Hashable, Sendable, CustomStringConvertible, Codable {
    /// Longest name, in characters.
    public static let longest = 40
    /// Names that mean something else in a line or in the stream.
    private static let reserved: Set<String> = [
        "id", "sequence", "event", "title", "text", "link", "subject", "createdAt",
        "notification", "position", "message",
    ]

    public let description: String

    public init?(_ text: String) {
        guard let first = text.unicodeScalars.first, (1...Self.longest).contains(text.utf8.count),
            ("a"..."z").contains(first), text.allSatisfy({ $0.isASCII && $0.isLetter }),
            !Self.reserved.contains(text)
        else { return nil }
        description = text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let kind = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the kind of a subject")
        }
        self = kind
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension SubjectKind: ExpressibleByStringLiteral {
    /// For names that stand in the source.
    public init(stringLiteral text: StaticString) {
        description = text.description
        assert(Self(description) != nil, "not the kind of a subject: \(text)")
    }
}

extension SubjectKind: Described {
    public static var schema: JSONValue { .schema("string") }
    public static var sample: JSONValue { "order" }
}

/// People are told something.
public struct NoticeIssued: Event {
    public static let type = "notices.issued.v1"
    public static let topic = Topic.notices
    public var notice: Notice
    public var key: String { notice.subject }

    public init(_ notice: Notice) { self.notice = notice }
}
