import Foundation

extension Topic {
    public static let notices: Topic = "notices"
}

/// Urgency of a push (RFC 8030, section 5.3). A phone that saves power accepts only `high`.
public enum PushUrgency: String, CaseIterable, Codable, Sendable {
    case normal, high
}

/// Messages about something that has happened, to the people concerned, in every language of the
/// platform.
///
/// The service in which it happened issues the notice, in the transaction that makes it true.
/// Notifications stores the feeds and sends the pushes; it doesn't depend on any product.
public struct Notice: Codable, Sendable, Hashable {
    /// Recipients of one notice.
    public static let mostMessages = 100

    /// Id of what the notice is about, for example an order. Notices of one subject stay in order.
    public var subject: String
    /// The subject's present state, which only the product that owns the subject sends. If it is
    /// absent, the lines show the latest known state.
    public var state: SubjectState?
    /// Type of the event that caused the notice; it becomes the `event` of the lines.
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

    /// A line for one feed, and the push that goes with it.
    public struct Message: Codable, Sendable, Hashable {
        /// A person's id, or `operators` for the feed that all operators share.
        public var to: Recipient
        /// Role in which the recipient is addressed; it decides which app a push opens. If it is
        /// absent, the most privileged of their roles counts.
        public var role: Open<Role>?
        /// Absent, as is `text`, if there is nothing to say and only state to refresh.
        public var title: LocalizedText?
        /// Absent, as is `title`, if there is nothing to say and only state to refresh.
        public var text: LocalizedText?
        /// Absent if a line in the feed is enough.
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

    /// Urgency of a push, and how long it is worth delivering.
    public struct Push: Codable, Sendable, Hashable {
        public var urgency: Open<PushUrgency>
        /// The push is dropped if it could not be delivered within this time, in seconds.
        public var lifeSeconds: Int

        public init(_ urgency: PushUrgency, lifeSeconds: Int) {
            self.urgency = .known(urgency)
            self.lifeSeconds = lifeSeconds
        }

        /// Somebody has to answer within seconds.
        public static let question = Push(.high, lifeSeconds: 45)
        /// Somebody has to act now, or somebody is waiting for them.
        public static let now = Push(.high, lifeSeconds: 15 * 60)
        /// Valid for some hours, and calls for action.
        public static let soon = Push(.high, lifeSeconds: 6 * 3_600)
        /// For the record.
        public static let receipt = Push(.normal, lifeSeconds: 24 * 3_600)
    }
}

/// State of a subject, as its product shows it in feeds and in the live stream.
public struct SubjectState: Codable, Sendable, Hashable {
    /// Largest `data` as JSON, in bytes.
    public static let largestData = 4 * 1_024
    /// Longest `link`, in characters.
    public static let longestLink = 200

    public var product: Product
    public var kind: SubjectKind
    /// Version of the state. An older state never replaces a newer one.
    public var version: Int
    /// Where to find the subject in the reader's app, for example `/orders/0190…`. It starts with
    /// a slash and has at most 200 characters.
    public var link: String?
    /// The subject's data, at most 4 KiB of JSON. The product's API has the rest.
    public var data: JSONValue
    /// People whose personal data the state contains. When one of their accounts is deleted,
    /// `data` is deleted too.
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

/// Kind of subject, for example `order`: the name of the field with its data, and of its event in
/// the live stream.
public struct SubjectKind: Hashable, Sendable, CustomStringConvertible, Codable {
    /// Longest name, in characters.
    public static let longest = 40
    /// Names that have another meaning in a line or in the stream.
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
    /// For names that are written in the source.
    public init(stringLiteral text: StaticString) {
        description = text.description
        assert(Self(description) != nil, "not the kind of a subject: \(text)")
    }
}

extension SubjectKind: Described {
    public static var schema: JSONValue { .schema("string") }
    public static var sample: JSONValue { "order" }
}

/// A service has issued a notice: messages to people about something that has happened.
public struct NoticeIssued: Event {
    public static let type = "notices.issued.v1"
    public static let topic = Topic.notices
    public var notice: Notice
    public var key: String { notice.subject }

    public init(_ notice: Notice) { self.notice = notice }
}

/// A product has issued a notice whose texts name what a bill costs: `{charge}` stands for the
/// amount. Payments fills in what is charged, with tax on top, and issues the notice.
public struct BillNoticeIssued: Event {
    public static let type = "notices.bill-notice-issued.v1"
    public static let topic = Topic.notices
    public var notice: Notice
    /// It need not be published.
    public var bill: Bill
    public var key: String { notice.subject }

    public init(_ notice: Notice, of bill: Bill) { (self.notice, self.bill) = (notice, bill) }
}
