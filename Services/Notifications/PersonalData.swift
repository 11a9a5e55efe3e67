import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// All data of notifications about a person, for their export.
struct HeldData: Encodable, Sendable {
    /// Largest number of lines of the audit log.
    static let mostAudit = 1_000

    /// A line of the feed; its product exports the subject.
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

    /// A mail, such as a receipt.
    struct Mail: Encodable, Sendable {
        let subject: String
        let state: CodeMessage.State
        let createdAt: Date
    }

    let language: Language?
    let feed: [Line]
    let codes: [Code]
    /// Requested mails, apart from codes.
    let mails: [Mail]
    /// Stored by the `dev` provider only.
    let textMessages: [TextMessage]
    /// Without addresses and keys, which would allow anybody to push.
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
                mails: try transaction.mails.all(to: person).map { mail in
                    .init(subject: mail.subject, state: mail.state, createdAt: mail.createdAt)
                },
                textMessages: try DevMessages.kept(for: person, in: transaction),
                pushSubscriptions: try transaction.subscriptions.page(
                    of: person, PageRequest(limit: PushLimits.mostPerPerson)
                ).items,
                audit: try transaction.audit.all(about: person, limit: HeldData.mostAudit))
        }
    }

    /// Deletes a person's data permanently; later messages for them or about their items are dropped.
    ///
    /// Other people's lines lose their data in small batches, so that no writer waits long. The tombstone written first
    /// keeps new lines out. After a crash the deletion starts again.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let (person, now) = (event.account, clock.now)
        try await database.write {
            try people.forget(person, version: event.version, at: now, in: $0)
            try mailAddresses.forget(person, version: event.version, at: now, in: $0)
        }
        var changed = 1
        while changed > 0 {
            changed = try await database.write {
                try $0.feed.strip(about: person, limit: NotificationStore.linesAtOnce)
            }
        }
        try await forgetLetters(of: person)
        try await database.apply(delivery) { transaction in
            // Lines that arrived meanwhile.
            _ = try transaction.feed.strip(about: person, limit: NotificationStore.linesAtOnce)
            // The head stays: it is only a number, and open streams still count by it.
            try transaction.execute(
                "DELETE FROM feed WHERE recipient = ?", Recipient.person(person).description)
            try transaction.unpublish(Recipient.person(person).description, on: .notifications)
            try transaction.execute("DELETE FROM code_messages WHERE account = ?", person)
            try transaction.execute("DELETE FROM mails WHERE person = ?", person)
            try transaction.execute("DELETE FROM text_messages WHERE person = ?", person)
            try transaction.execute("DELETE FROM push_subscriptions WHERE person = ?", person)
            try transaction.subjects.forget(of: person)
        }
    }

    /// Deletes dead records about the person's account, and already retried ones that mention them. Other
    /// records can be retried until their retention ends, because a service may still lack an order or a
    /// payment; so can the deletion event itself.
    private func forgetLetters(of person: PersonID) async throws {
        var next: String? = ""
        while let start = next {
            next = try await database.write { try $0.letters.forget(of: person, after: start) }
        }
    }
}

extension LetterStore {
    /// Deletes one page at a time, since letters may be large and many; returns the start of the next page.
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
