import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension NotificationUseCases {
    /// Adds a line to the feed of each recipient of the notice, in one transaction with the inbox.
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

    /// Adds a line to one recipient's feed and pushes it to their devices.
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

    /// Stores the language of a person.
    func apply(_ event: AccountChanged, _ delivery: Delivery) async throws {
        let (account, now) = (event.account, clock.now)
        let address = MailAddress(sealed: event.sealedEmail)
        try await database.apply(delivery) {
            try people.keep(
                account.language, of: account.id, version: event.version, at: now, in: $0)
            try mailAddresses.keep(
                address, of: account.id, version: event.version, at: now, in: $0)
        }
    }

    /// The language of a recipient's messages.
    func language(of recipient: Recipient, _ transaction: Transaction) throws -> Language {
        switch recipient {
        case .operators: operatorsLanguage
        case .person(let id): try people.value(of: id, in: transaction) ?? .english
        }
    }

    /// Items with a text, newest first.
    func texts(of recipient: Recipient, _ page: PageRequest) async throws -> Page<FeedItem> {
        try await database.read { try $0.feed.texts(of: recipient, page) }
    }

    /// All items, oldest first, for a live stream that catches up.
    func items(of recipient: Recipient, _ page: PageRequest) async throws -> Page<FeedItem> {
        try await database.read { try $0.feed.items(of: recipient, page) }
    }

    /// Start of a new live stream.
    func head(of recipient: Recipient) async throws -> FeedHead {
        try await database.read { FeedHead(sequence: try $0.feed.head(of: recipient)) }
    }

    /// Heads of the recipients, in the given order; open streams compare them with what they have sent.
    func heads(of recipients: [Recipient]) async throws -> FeedHeads {
        guard recipients.count <= FeedHeadsBody.most else {
            throw Refusal.invalid("recipients", "Send at most \(FeedHeadsBody.most) recipients.")
        }
        return try await database.read { transaction in
            FeedHeads(sequences: try recipients.map { try transaction.feed.head(of: $0) })
        }
    }
}

/// An invalid notice. It becomes a dead letter, which shows operators the producer.
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
