import Contracts
import EventBus
import ServiceKit

/// Reactions to other services' events.
func notificationReactions(_ notifications: NotificationUseCases) -> Reactions {
    Reactions {
        when(NoticeIssued.self) { event, delivery in
            try await notifications.apply(event.notice, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await notifications.apply(event, delivery)
        }
        whenDeleted(in: notifications.database) { event, delivery in
            try await notifications.forget(event, delivery)
        }
        when(SessionsEnded.self) { event, delivery in
            try await notifications.apply(event, delivery)
        }
        when(OperatorActed.self) { event, delivery in
            try await notifications.apply(event, delivery)
        }
        when(MailRequested.self) { event, delivery in
            try await notifications.apply(event, delivery)
        }
        when(CodeRequested.self) { event, delivery in
            try await notifications.apply(event, delivery)
        }
    }
}
