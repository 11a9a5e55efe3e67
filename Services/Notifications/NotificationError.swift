import HTTPTypes
import ServiceKit

enum NotificationError: Error, Equatable {
    case cursorInvalid
    case recipientInvalid
    /// Messages are only kept by the `dev` provider.
    case messagesNotKept
    case deadLetterUnknown
    /// The record is no event: no retry can mend it.
    case deadLetterUnusable
}

extension NotificationError: ServiceError {
    var status: HTTPResponse.Status {
        switch self {
        case .cursorInvalid: .badRequest
        case .recipientInvalid: .unprocessableContent
        case .messagesNotKept, .deadLetterUnknown: .notFound
        case .deadLetterUnusable: .conflict
        }
    }

    var code: String {
        switch self {
        case .cursorInvalid, .recipientInvalid: "request.invalid"
        case .messagesNotKept: "notification.messages_not_kept"
        case .deadLetterUnknown: "notification.dead_letter_unknown"
        case .deadLetterUnusable: "notification.dead_letter_unusable"
        }
    }

    var title: String {
        switch self {
        case .cursorInvalid, .recipientInvalid: "The request has a value that it can't have."
        case .messagesNotKept: "Text messages are not kept here."
        case .deadLetterUnknown: "There is no such dead letter."
        case .deadLetterUnusable: "This record is no event: sending it again can't help."
        }
    }

    var detail: String? {
        switch self {
        case .cursorInvalid: "This is no cursor of ours."
        case .recipientInvalid: "A person's id, or operators."
        case .messagesNotKept, .deadLetterUnknown, .deadLetterUnusable: nil
        }
    }

    var field: String? {
        switch self {
        case .cursorInvalid: "after"
        case .recipientInvalid: "recipient"
        case .messagesNotKept, .deadLetterUnknown, .deadLetterUnusable: nil
        }
    }
}
