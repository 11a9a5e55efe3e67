import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension NotificationUseCases {
    /// Gives everybody whom the notice names a line of their feed, in one transaction with the inbox.
    func apply(_ notice: Notice, _ delivery: Delivery) async throws {
        try notice.check()
        let time = delivery.envelope.time
        try await database.apply(delivery) { transaction in
            let subject = try transaction.subjects.update(from: notice, at: time)
            for message in notice.messages {
                try append(message, cause: notice.cause, subject, at: time, transaction)
            }
        }
    }

    /// Gives one recipient a line, and pushes it to their devices.
    func append(
        _ message: Notice.Message, cause: String, _ subject: KnownSubject?, at time: Date,
        _ transaction: Transaction
    ) throws {
        let language = try language(of: message.to, transaction)
        let draft = FeedDraft(
            event: cause, title: message.title?[language], text: message.text?[language],
            subject: subject)
        if let item = try transaction.feed.append(draft, to: message.to, at: time) {
            try push(message, item, transaction)
        }
    }

    /// Keeps what texts need to know of a person.
    func apply(_ event: AccountChanged, _ delivery: Delivery) async throws {
        let (account, now) = (event.account, clock.now)
        try await database.apply(delivery) {
            try people.keep(
                account.language, of: account.id, version: event.version, at: now, in: $0)
        }
    }

    /// In which a recipient is spoken to.
    func language(of recipient: Recipient, _ transaction: Transaction) throws -> Language {
        switch recipient {
        case .operators: operatorsLanguage
        case .person(let id): try people.value(of: id, in: transaction) ?? .english
        }
    }

    /// What a person can read, newest first.
    func texts(of recipient: Recipient, _ page: PageRequest) async throws -> Page<FeedItem> {
        try await database.read { try $0.feed.texts(of: recipient, page) }
    }

    /// Everything, oldest first: what a live stream that was away catches up with.
    func items(of recipient: Recipient, _ page: PageRequest) async throws -> Page<FeedItem> {
        try await database.read { try $0.feed.items(of: recipient, page) }
    }

    /// Where a live stream begins that has missed nothing yet.
    func head(of recipient: Recipient) async throws -> FeedHead {
        try await database.read { FeedHead(sequence: try $0.feed.head(of: recipient)) }
    }

    /// Of each recipient, in their order: what open streams hold against what they have written.
    func heads(of recipients: [Recipient]) async throws -> FeedHeads {
        guard recipients.count <= FeedHeadsBody.most else {
            throw Refusal.invalid("recipients", "Send at most \(FeedHeadsBody.most) recipients.")
        }
        return try await database.read { transaction in
            FeedHeads(sequences: try recipients.map { try transaction.feed.head(of: $0) })
        }
    }
}

/// A notice that goes to the dead letters, where operators see whose fault it is.
enum NoticeError: Error, Equatable {
    case tooManyMessages, dataTooLarge, linkInvalid
}

extension Notice {
    func check() throws {
        guard messages.count <= Self.mostMessages else { throw NoticeError.tooManyMessages }
        guard let state else { return }
        guard try Wire.encode(state.data).count <= SubjectState.largestData else {
            throw NoticeError.dataTooLarge
        }
        if let link = state.link {
            guard link.hasPrefix("/"), link.count <= SubjectState.longestLink else {
                throw NoticeError.linkInvalid
            }
        }
    }
}
