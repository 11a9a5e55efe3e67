import HTTPTypes
import ServiceKit

/// What notifications refuses, in its own words.
enum NotificationError: ServiceError, Equatable {
    /// Messages are only kept by the `dev` provider.
    case messagesNotKept
    case subscriptionUnknown
    case deadLetterUnknown
    /// The record is no event, or of nobody who may say it: no retry can mend it.
    case deadLetterUnusable

    var status: HTTPResponse.Status {
        switch self {
        case .messagesNotKept, .subscriptionUnknown, .deadLetterUnknown: .notFound
        case .deadLetterUnusable: .conflict
        }
    }

    var code: String {
        switch self {
        case .messagesNotKept: "notification.messages_not_kept"
        case .subscriptionUnknown: "notification.subscription_unknown"
        case .deadLetterUnknown: "notification.dead_letter_unknown"
        case .deadLetterUnusable: "notification.dead_letter_unusable"
        }
    }

    var title: String {
        switch self {
        case .messagesNotKept: "Text messages are not kept here."
        case .subscriptionUnknown: "There is no such subscription, or it is not yours."
        case .deadLetterUnknown: "There is no such dead letter."
        case .deadLetterUnusable:
            "This record is no event, or of nobody who may say it: sending it again can't help."
        }
    }
}
