import Foundation

/// The thing that a line of a feed is about.
public struct FeedSubject: Codable, Sendable, Hashable {
    /// Product that the subject belongs to.
    public var product: Product
    /// Kind of subject, for example `order`: the name of the field with its data, and of its event
    /// in the live stream.
    public var kind: SubjectKind
    public var id: String

    public init(product: Product, kind: SubjectKind, id: String) {
        self.product = product
        self.kind = kind
        self.id = id
    }
}

/// One line of a person's feed, and one message of the live stream. The subject's state at the time
/// is in the field named by the subject's kind, for example `order`.
///
/// The field `order` is in every line, null if the line is about something else: clients rely on
/// it.
public struct FeedItem: Sendable, Hashable {
    public var id: NotificationID
    /// Counts the lines of one person's feed from 1 without gaps; it is the event id in the live
    /// stream.
    public var sequence: Int
    /// Type of the event that caused the line, for example `orders.vehicle-parked.v1`.
    public var event: String
    /// Title in the person's language; null if there is nothing to say and only state to refresh.
    public var title: String?
    /// Text in the person's language; null if there is nothing to say and only state to refresh.
    public var text: String?
    /// Where to find the subject in the person's app.
    public var link: String?
    public var subject: FeedSubject?
    /// State of the subject at the time; its field has the name of the subject's kind.
    public var data: JSONValue?
    public var createdAt: Date

    public init(
        id: NotificationID, sequence: Int, event: String, title: String?, text: String?,
        link: String? = nil, subject: FeedSubject? = nil, data: JSONValue? = nil, createdAt: Date
    ) {
        self.id = id
        self.sequence = sequence
        self.event = event
        self.title = title
        self.text = text
        self.link = link
        self.subject = subject
        self.data = data
        self.createdAt = createdAt
    }

    /// State of the subject at the time, if it is of that kind.
    public func data<Value: Decodable>(
        of kind: SubjectKind, as type: Value.Type = Value.self
    ) -> Value? {
        guard subject?.kind == kind else { return nil }
        return try? data?.decoded(as: type)
    }
}

extension FeedItem: Codable {
    private enum Field: String, CodingKey {
        case id, sequence, event, title, text, link, subject, createdAt
    }

    private struct Kind: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ kind: SubjectKind) { stringValue = kind.description }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Kind whose field is in every line: clients rely on it.
    private static let everywhere: SubjectKind = "order"

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        id = try fields.decode(NotificationID.self, forKey: .id)
        sequence = try fields.decode(Int.self, forKey: .sequence)
        event = try fields.decode(String.self, forKey: .event)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
        link = try fields.decodeIfPresent(String.self, forKey: .link)
        subject = try fields.decodeIfPresent(FeedSubject.self, forKey: .subject)
        createdAt = try fields.decode(Date.self, forKey: .createdAt)
        data = try subject.flatMap { subject in
            try decoder.container(keyedBy: Kind.self)
                .decodeIfPresent(JSONValue.self, forKey: Kind(subject.kind))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(sequence, forKey: .sequence)
        try fields.encode(event, forKey: .event)
        try fields.encode(title, forKey: .title)
        try fields.encode(text, forKey: .text)
        try fields.encode(link, forKey: .link)
        try fields.encode(subject, forKey: .subject)
        try fields.encode(createdAt, forKey: .createdAt)
        var kinds = encoder.container(keyedBy: Kind.self)
        try kinds.encodeNil(forKey: Kind(Self.everywhere))
        if let subject { try kinds.encode(data, forKey: Kind(subject.kind)) }
    }
}

extension FeedItem: Described {
    /// A line as the document describes it, with the field that is in every line.
    private struct Line: Decodable, SchemaNamed {
        static var schemaName: String { "FeedItem" }

        let id: NotificationID
        let sequence: Int
        let event: String
        @Nullable var title: String?
        @Nullable var text: String?
        @Nullable var link: String?
        @Nullable var subject: FeedSubject?
        @Nullable var order: OrderBrief?
        let createdAt: Date
    }

    public static var schema: JSONValue { .reference(to: Line.self) }
    public static var parts: [any Decodable.Type] { [Line.self] }
    public static var sample: JSONValue {
        .object([
            "id": NotificationID.sample, "sequence": 1, "event": "", "createdAt": Date.sample,
        ])
    }
}

/// Present end of a recipient's feed.
public struct FeedHead: Codable, Sendable, Hashable {
    /// Sequence of the newest line; 0 before the first.
    public var sequence: Int

    public init(sequence: Int) { self.sequence = sequence }
}

/// Feeds to look up together.
public struct FeedHeadsBody: Codable, Sendable, Hashable {
    /// Largest number of feeds in one call.
    public static let most = 500

    public var recipients: [Recipient]

    public init(recipients: [Recipient]) { self.recipients = recipients }
}

/// Sequence of the newest line of each feed, in the order of the request.
public struct FeedHeads: Codable, Sendable, Hashable {
    public var sequences: [Int]

    public init(sequences: [Int]) { self.sequences = sequences }
}

/// A text message or e-mail that the `dev` provider stored instead of sending it.
public struct TextMessage: Codable, Sendable, Hashable {
    /// Phone number; empty for an e-mail.
    public var phone: String
    /// E-mail address; null for a text message.
    @Nullable public var email: String?
    /// Subject of an e-mail; null for a text message.
    @Nullable public var subject: String?
    public var text: String
    public var sentAt: Date

    public init(
        phone: String, email: String? = nil, subject: String? = nil, text: String, sentAt: Date
    ) {
        self.phone = phone
        self.email = email
        self.subject = subject
        self.text = text
        self.sentAt = sentAt
    }
}

/// A record that a service could not handle, even by retrying, with the reason.
public struct DeadLetter: Codable, Sendable, Hashable {
    public var id: DeadLetterID
    /// Topic of the record.
    public var topic: String
    /// Service that could not handle the record.
    public var consumer: String
    public var eventType: String
    public var eventID: String
    public var reason: String
    public var attempts: Int
    public var createdAt: Date
    /// When an operator last had the event published again; null if nobody has.
    @Nullable public var retriedAt: Date?

    public init(
        id: DeadLetterID, topic: String, consumer: String, eventType: String, eventID: String,
        reason: String, attempts: Int, createdAt: Date, retriedAt: Date?
    ) {
        self.id = id
        self.topic = topic
        self.consumer = consumer
        self.eventType = eventType
        self.eventID = eventID
        self.reason = reason
        self.attempts = attempts
        self.createdAt = createdAt
        self.retriedAt = retriedAt
    }
}

/// Data of the live stream's `position` event: a participant in an order, or in another engagement,
/// has moved.
public struct LivePosition: Codable, Sendable, Hashable {
    /// The engagement for which the position is shared.
    ///
    /// On the wire it is called `order`.
    public var engagement: EngagementID?
    public var person: PersonID
    public var role: Open<Role>
    public var latitude: Double
    public var longitude: Double
    public var headingDegrees: Double?
    public var recordedAt: Date

    private enum CodingKeys: String, CodingKey {
        // As clients have known it since all engagements were orders.
        case engagement = "order"
        case person, role, latitude, longitude, headingDegrees, recordedAt
    }

    public init(
        engagement: EngagementID?, person: PersonID, role: Role, latitude: Double,
        longitude: Double,
        headingDegrees: Double?, recordedAt: Date
    ) {
        self.engagement = engagement
        self.person = person
        self.role = .known(role)
        self.latitude = latitude
        self.longitude = longitude
        self.headingDegrees = headingDegrees
        self.recordedAt = recordedAt
    }
}
