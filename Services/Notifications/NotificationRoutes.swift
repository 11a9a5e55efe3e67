import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases.
struct NotificationRoutes: Sendable {
    let notifications: NotificationUseCases
    /// Nil unless the `dev` provider stores the messages.
    let keptMessages: DevMessages?

    func add(to router: Router<Context>) {
        router.on(NotificationEndpoints.notifications) {
            try await notifications.texts(of: $0.person.feed, $0.page)
        }
        router.on(NotificationEndpoints.messages) { call in
            guard let keptMessages else { throw Refusal.textMessagesNotKept }
            return try await keptMessages.kept(
                phone: call.query.phone.flatMap(Self.phone),
                email: call.query.email?.lowercased(), call.page)
        }
        router.on(NotificationEndpoints.deadLetters) {
            try await notifications.deadLetters($0.page)
        }
        router.on(NotificationEndpoints.retryDeadLetter) {
            try await notifications.retry(
                $0.id(), by: $0.person.operatorID, key: $0.idempotency)
        }
        router.on(NotificationEndpoints.audit) { call in
            try await notifications.audit(AuditFilter(call.query), call.page)
        }
        router.personalData { try await notifications.held(on: $0) }
        router.on(InternalEndpoints.feed) {
            try await notifications.items(of: $0.query.recipient, $0.page)
        }
        router.on(InternalEndpoints.feedHead) {
            try await notifications.head(of: $0.query.recipient)
        }
        router.on(InternalEndpoints.feedHeads) {
            try await notifications.heads(of: $0.body.recipients)
        }
    }

    /// A `+` in a query that was not escaped arrives as a space, or not at all.
    private static func phone(_ text: String) -> String? {
        let digits = text.trimmingCharacters(in: CharacterSet(charactersIn: " +"))
        return digits.isEmpty ? nil : "+" + digits
    }
}

extension Identity {
    /// Operators share one feed.
    fileprivate var feed: Recipient { isOperator ? .operators : .person(person) }
}
