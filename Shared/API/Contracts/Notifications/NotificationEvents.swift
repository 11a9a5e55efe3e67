import Foundation

extension Topic {
    public static let notifications: Topic = "notifications"
}

/// A line was added to a feed; gateways send it to the clients that are connected.
public struct NotificationCreated: Event {
    public static let type = "notifications.notification-created.v1"
    public static let topic = Topic.notifications
    /// A person's id, or `operators` for the feed that all operators share.
    public var recipient: Recipient
    public var item: FeedItem
    public var key: String { recipient.description }

    public init(recipient: Recipient, item: FeedItem) {
        self.recipient = recipient
        self.item = item
    }
}

/// Owner of a feed: a person's id, or `operators` for the feed that all operators share.
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

extension Recipient: Described {
    public static var schema: JSONValue {
        .object(["anyOf": [.identifier, .schema("string", ["const": "operators"])]])
    }
    public static var sample: JSONValue { "operators" }
}
