import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// All that notifications hold on a person, for their export.
struct HeldData: Encodable, Sendable {
    /// Lines of the audit log that are given.
    static let mostAudit = 1_000

    /// A line of the feed; what it is about is told by its product.
    struct Line: Encodable, Sendable {
        let sequence: Int
        let event: String
        let title: String?
        let text: String?
        let createdAt: Date
    }

    /// A message with a code, without the code.
    struct Code: Encodable, Sendable {
        let purpose: CodeRequested.Purpose
        let language: Language
        let state: CodeMessage.State
        let createdAt: Date
    }

    let language: Language?
    let feed: [Line]
    let codes: [Code]
    /// Kept by the `dev` provider only.
    let textMessages: [TextMessage]
    /// Without addresses and keys: who has them can push.
    let pushSubscriptions: [PushSubscription]
    let audit: [AuditEntry]
}

extension NotificationUseCases {
    func held(on person: PersonID) async throws -> HeldData {
        try await database.read { transaction in
            let feed = try transaction.feed.items(
                of: .person(person), PageRequest(limit: NotificationStore.longestFeed))
            return HeldData(
                language: try people.value(of: person, in: transaction),
                feed: feed.items.map { item in
                    .init(
                        sequence: item.sequence, event: item.event, title: item.title,
                        text: item.text, createdAt: item.createdAt)
                },
                codes: try transaction.codeMessages.all(to: person).map { message in
                    .init(
                        purpose: message.purpose, language: message.language,
                        state: message.state, createdAt: message.createdAt)
                },
                textMessages: try DevMessages.kept(for: person, in: transaction),
                pushSubscriptions: try transaction.subscriptions.page(
                    of: person, PageRequest(limit: PushLimits.mostPerPerson)
                ).items,
                audit: try transaction.audit.all(about: person, limit: HeldData.mostAudit))
        }
    }

    /// Forgets somebody for good: what still comes for them, or about what was theirs, stays out.
    ///
    /// Others' lines lose their data a few at a time, so that no writer waits long; the tombstone that is put first
    /// lets no new ones come. A crash in between begins anew.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let (person, now) = (event.account, clock.now)
        try await database.write {
            try people.forget(person, version: event.version, at: now, in: $0)
        }
        var changed = 1
        while changed > 0 {
            changed = try await database.write {
                try $0.feed.strip(about: person, limit: NotificationStore.linesAtOnce)
            }
        }
        try await forgetLetters(of: person)
        try await database.apply(delivery) { transaction in
            // Of what was told meanwhile by those who keep no state.
            _ = try transaction.feed.strip(about: person, limit: NotificationStore.linesAtOnce)
            // The head stays: it is a number, and a stream that is still open counts by it.
            try transaction.execute(
                "DELETE FROM feed WHERE recipient = ?", Recipient.person(person).description)
            try transaction.unpublish(Recipient.person(person).description, on: .notifications)
            try transaction.execute("DELETE FROM code_messages WHERE account = ?", person)
            try transaction.execute("DELETE FROM text_messages WHERE person = ?", person)
            try transaction.execute("DELETE FROM push_subscriptions WHERE person = ?", person)
            try transaction.subjects.forget(of: person)
        }
    }

    /// Dead records about the person's account, and of others that name them those that were tried
    /// again: what a service still lacks of an order or a payment can be retried until its retention
    /// ends, and so can the news of the deletion itself.
    private func forgetLetters(of person: PersonID) async throws {
        var next: String? = ""
        while let start = next {
            next = try await database.write { try $0.letters.forget(of: person, after: start) }
        }
    }
}

extension LetterStore {
    /// A page at a time, since a letter may be large and there may be many; returns where the next one begins.
    fileprivate func forget(of person: PersonID, after last: String) throws -> String? {
        let letters: [StoredLetter] = try transaction.rows(
            "SELECT body FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?", last,
            NotificationStore.lettersAtOnce
        ).map { try $0.json() }
        for stored in letters where stored.isDispensable(without: person) {
            try transaction.execute("DELETE FROM dead_letters WHERE id = ?", stored.letter.id)
        }
        guard letters.count == NotificationStore.lettersAtOnce else { return nil }
        return letters.last?.letter.id.description
    }
}
