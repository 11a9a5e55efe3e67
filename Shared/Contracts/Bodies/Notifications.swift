import Foundation

/// One line of a person's feed, and one message of the live stream.
public struct FeedItem: Codable, Sendable, Hashable {
    public var id: NotificationID
    /// Counts one person's items from 1 without gaps: the stream's event id.
    public var sequence: Int
    /// Type of the event that caused it, as in `orders.vehicle-parked.v1`.
    public var event: String
    /// In the person's language; null where there is nothing to tell, only state to refresh.
    @Nullable public var title: String?
    @Nullable public var text: String?
    @Nullable public var order: OrderSnapshot?
    public var createdAt: Date

    public init(
        id: NotificationID, sequence: Int, event: String, title: String?, text: String?,
        order: OrderSnapshot?, createdAt: Date
    ) {
        self.id = id
        self.sequence = sequence
        self.event = event
        self.title = title
        self.text = text
        self.order = order
        self.createdAt = createdAt
    }
}

/// Where a recipient's feed ends at the moment.
public struct FeedHead: Codable, Sendable, Hashable {
    /// Of the newest item; 0 before the first.
    public var sequence: Int

    public init(sequence: Int) { self.sequence = sequence }
}

/// A text message that the `dev` provider kept.
public struct TextMessage: Codable, Sendable, Hashable {
    public var phone: String
    public var text: String
    public var sentAt: Date

    public init(phone: String, text: String, sentAt: Date) {
        self.phone = phone
        self.text = text
        self.sentAt = sentAt
    }
}

/// A record that no retry could handle, with the reason.
public struct DeadLetter: Codable, Sendable, Hashable {
    public var id: DeadLetterID
    /// Topic that the record came from.
    public var topic: String
    /// Service that could not handle it.
    public var consumer: String
    public var eventType: String
    public var eventID: String
    public var reason: String
    public var attempts: Int
    public var createdAt: Date
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

/// Data of the stream's `position` event: a party to one's order has moved.
public struct LivePosition: Codable, Sendable, Hashable {
    public var order: OrderID?
    public var person: PersonID
    public var role: Role
    public var latitude: Double
    public var longitude: Double
    public var headingDegrees: Double?
    public var recordedAt: Date

    public init(
        order: OrderID?, person: PersonID, role: Role, latitude: Double, longitude: Double,
        headingDegrees: Double?, recordedAt: Date
    ) {
        self.order = order
        self.person = person
        self.role = role
        self.latitude = latitude
        self.longitude = longitude
        self.headingDegrees = headingDegrees
        self.recordedAt = recordedAt
    }
}
