import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Feeds: what each person should hear, in their language.
struct NotificationUseCases: Sendable {
    let database: Database
    let sealer: Sealer
    let clock: HouseClock
    /// Of the feed that all operators share.
    let operatorsLanguage: Language
}

extension NotificationUseCases {
    /// Rows of one kind that one transaction removes, so that it never holds up writers.
    static let sweepBatch = 1_000

    /// Removes what has outlived its retention.
    func sweep() async throws {
        let now = clock.now
        var removed = 1
        while removed > 0, !Task.isCancelled {
            removed = try await database.write { try $0.sweep(at: now, batch: Self.sweepBatch) }
        }
    }

    /// Gives everybody concerned a line of their feed, in one transaction with the inbox.
    func tell(_ news: News, _ delivery: Delivery) async throws {
        let time = delivery.envelope.time
        try await database.apply(delivery) { transaction in
            let snapshot = try news.snapshot.flatMap { snapshot in
                try transaction.isDeleted(snapshot.customer.as(PersonID.self)) ? nil : snapshot
            }
            if let snapshot { try transaction.keep(snapshot, at: time) }
            let order = try snapshot ?? news.order.flatMap { try transaction.order($0) }
            let ticket = news.snapshot?.ticket ?? order?.ticket
            for listener in news.listeners(knowing: order) {
                let phrase = news.phrase(for: listener.audience, ticket: ticket)
                let language = try language(of: listener.recipient, transaction)
                let item = NewItem(
                    event: news.event, title: phrase?.title(language), text: phrase?.text(language),
                    order: order)
                let line = try transaction.append(item, to: listener.recipient, at: time)
                if let line, let phrase {
                    try push(phrase, line, about: news.order, to: listener.recipient, transaction)
                }
            }
        }
    }

    /// Keeps what texts need to know of a person, and tells valets when they are suspended.
    func keep(_ event: AccountChanged, _ delivery: Delivery) async throws {
        let time = delivery.envelope.time
        let copy = PersonCopy(
            id: event.account.id, language: event.account.language, suspended: event.suspended,
            version: event.version)
        try await database.apply(delivery) { transaction in
            let before = try transaction.person(copy.id)
            try transaction.keep(copy)
            guard let before, before.version < copy.version, before.suspended != copy.suspended
            else { return }
            let news = News(AccountChanged.self, copy.suspended ? "suspended" : "unsuspended")
            let phrase = news.phrase(for: .person, ticket: nil)
            let item = NewItem(
                event: news.event, title: phrase?.title(copy.language),
                text: phrase?.text(copy.language), order: nil)
            try transaction.append(item, to: .person(copy.id), at: time)
        }
    }

    /// A job for each device of whoever hears it, in the transaction of the feed's line: what is told is
    /// also pushed, whatever happens next. What is old news already, after a long stop, is not.
    func push(
        _ phrase: Phrase, _ line: FeedItem, about order: OrderID?, to recipient: Recipient,
        _ transaction: Transaction
    ) throws {
        guard let rule = PushRule.table[phrase.message] else { return }
        let (now, expiry) = (clock.now, line.createdAt.addingTimeInterval(TimeInterval(rule.life)))
        guard now < expiry else { return }
        for target in try transaction.pushTargets(of: recipient) {
            // Operators share a feed, but each has a language.
            let language =
                try transaction.person(target.person)?.language
                ?? language(of: recipient, transaction)
            let message = PushMessage(
                title: phrase.title(language), body: phrase.text(language), number: line.sequence,
                kind: line.event, order: order, language: language.rawValue,
                url: target.role.app)
            try transaction.add(
                PushJob(
                    message, urgency: rule.urgency, to: target, at: now, expiresAt: expiry),
                at: now)
        }
    }

    private func language(
        of recipient: Recipient, _ transaction: Transaction
    ) throws -> Language {
        switch recipient {
        case .operators: operatorsLanguage
        case .person(let id): try transaction.person(id)?.language ?? .english
        }
    }

    /// What a person can read, newest first.
    func texts(of recipient: Recipient, _ page: PageRequest) async throws -> Page<FeedItem> {
        let before = try page.sequence()
        return try await database.read {
            try $0.texts(of: recipient, before: before, limit: page.limit)
        }
    }

    /// Everything, oldest first: what a live stream that was away catches up with.
    func items(of recipient: Recipient, _ page: PageRequest) async throws -> Page<FeedItem> {
        let after = try page.sequence() ?? 0
        return try await database.read {
            try $0.items(of: recipient, after: after, limit: page.limit)
        }
    }

    /// Where a live stream begins that has missed nothing yet.
    func head(of recipient: Recipient) async throws -> FeedHead {
        try await database.read { FeedHead(sequence: try $0.head(of: recipient)) }
    }
}

extension PageRequest {
    /// The cursor of a feed is an item's number.
    fileprivate func sequence() throws(InvalidRequest) -> Int? {
        guard let after else { return nil }
        guard let sequence = Int(after), sequence >= 0 else { throw .cursor }
        return sequence
    }
}
