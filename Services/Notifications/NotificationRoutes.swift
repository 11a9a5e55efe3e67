import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct NotificationRoutes: Sendable {
    let notifications: NotificationUseCases
    /// Nil unless the `dev` provider keeps the messages.
    let keptMessages: DevTextMessages?

    func add(to router: Router<Context>) {
        router.on(NotificationEndpoints.notifications, use: texts)
        router.on(NotificationEndpoints.messages, use: messages)
        router.on(NotificationEndpoints.deadLetters, use: deadLetters)
        router.on(NotificationEndpoints.retryDeadLetter, use: retry)
        router.on(NotificationEndpoints.audit, use: audit)
        router.personalData { try await notifications.held(on: $0) }
        router.get("/internal/feed", use: feed)
        router.get("/internal/feed/head", use: feedHead)
        router.post("/internal/feed/heads", use: feedHeads)
    }

    @Sendable func texts(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        return try Reply(.ok, try await notifications.texts(of: person.feed, request.page()))
    }

    @Sendable func messages(_ request: Request, _ context: Context) async throws -> Reply {
        guard let keptMessages else { throw NotificationError.messagesNotKept }
        let phone = request.query("phone").flatMap(Self.phone)
        return try Reply(.ok, try await keptMessages.kept(for: phone, request.page()))
    }

    @Sendable func deadLetters(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await notifications.deadLetters(request.page()))
    }

    @Sendable func retry(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let letter = try await notifications.retry(
            context.id("id"), by: person.operatorID, key: context.idempotency)
        return try Reply(.ok, letter)
    }

    @Sendable func audit(_ request: Request, _ context: Context) async throws -> Reply {
        let filter = try AuditFilter { request.query($0) }
        return try Reply(.ok, try await notifications.audit(filter, request.page()))
    }

    @Sendable func feed(_ request: Request, _ context: Context) async throws -> Reply {
        try context.requireService()
        let recipient = try Self.recipient(request)
        return try Reply(.ok, try await notifications.items(of: recipient, request.page()))
    }

    @Sendable func feedHead(_ request: Request, _ context: Context) async throws -> Reply {
        try context.requireService()
        return try Reply(.ok, try await notifications.head(of: Self.recipient(request)))
    }

    @Sendable func feedHeads(_ request: Request, _ context: Context) async throws -> Reply {
        try context.requireService()
        let body = try await context.body(FeedHeadsBody.self, of: request)
        return try Reply(.ok, try await notifications.heads(of: body.recipients))
    }

    private static func recipient(_ request: Request) throws -> Recipient {
        guard let recipient = request.query("recipient").flatMap(Recipient.init) else {
            throw InvalidRequest("recipient", "A person's id, or operators.")
        }
        return recipient
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
