import Foundation

extension Topic {
    public static let notifications: Topic = "notifications"
}

/// A line was added to somebody's feed; gateways hand it to whoever is connected.
public struct NotificationCreated: Event {
    public static let type = "notifications.notification-created.v1"
    public static let topic = Topic.notifications
    public var recipient: Recipient
    public var item: FeedItem
    public var key: String { recipient.description }

    public init(recipient: Recipient, item: FeedItem) {
        self.recipient = recipient
        self.item = item
    }
}

/// Whose feed: one person's, or the one that all operators share.
public enum Recipient: Sendable, Hashable, CustomStringConvertible {
    case person(PersonID)
    case operators

    public var description: String {
        switch self {
        case .person(let id): id.description
        case .operators: "operators"
        }
    }

    public init?(_ text: String) {
        if text == "operators" {
            self = .operators
        } else if let id = PersonID(text) {
            self = .person(id)
        } else {
            return nil
        }
    }
}

extension Recipient: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let recipient = Recipient(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a recipient")
        }
        self = recipient
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
