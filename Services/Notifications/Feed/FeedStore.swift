import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A line of a feed without its number.
struct FeedDraft: Sendable {
    let event: String
    let title: String?
    let text: String?
    let subject: KnownSubject?
}

extension Transaction {
    var feed: FeedStore { FeedStore(transaction: self) }
}

/// Stores the lines of all feeds.
struct FeedStore {
    let transaction: Transaction

    /// Gives the line the recipient's next number, stores it and publishes it. Returns nil for a deleted
    /// account, which gets no more lines. Numbers have no gaps: a rollback gives its number back.
    @discardableResult
    func append(_ draft: FeedDraft, to recipient: Recipient, at time: Date) throws -> FeedItem? {
        if case .person(let person) = recipient, try people.isForgotten(person, in: transaction) {
            return nil
        }
        guard
            let sequence: Int = try transaction.row(
                """
                INSERT INTO feed_heads (recipient, last) VALUES (?, 1)
                ON CONFLICT (recipient) DO UPDATE SET last = feed_heads.last + 1 RETURNING last
                """, recipient.description)?.get("last")
        else { throw StoreError(.decoding, "feed_heads.last") }
        let item = FeedItem(
            id: .new(at: time), sequence: sequence, event: draft.event, title: draft.title,
            text: draft.text, link: draft.subject?.link, subject: draft.subject?.name,
            data: draft.subject?.data, createdAt: time)
        try transaction.execute(
            """
            INSERT INTO feed (recipient, sequence, has_text, has_data, subject, created_at, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, recipient.description, sequence, item.text != nil, item.data != nil,
            item.subject?.id, time, Wire.json(item))
        try transaction.execute(
            "DELETE FROM feed WHERE recipient = ? AND sequence <= ?",
            recipient.description, sequence - NotificationStore.longestFeed)
        try transaction.publish(NotificationCreated(recipient: recipient, item: item), at: time)
        return item
    }

    /// Items with a text, newest first.
    func texts(of recipient: Recipient, _ page: PageRequest) throws -> Page<FeedItem> {
        let before: UInt32? = try page.cursor()
        let rows = try transaction.rows(
            """
            SELECT sequence, body FROM feed
            WHERE recipient = ? AND has_text = 1 AND sequence < ?
            ORDER BY sequence DESC LIMIT ?
            """, recipient.description, before.map(Int.init) ?? .max, page.rows)
        return try self.page(rows, page)
    }

    /// All items, oldest first.
    func items(of recipient: Recipient, _ page: PageRequest) throws -> Page<FeedItem> {
        let after: Int? = try page.cursor()
        let rows = try transaction.rows(
            """
            SELECT sequence, body FROM feed WHERE recipient = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """, recipient.description, after ?? 0, page.rows)
        return try self.page(rows, page)
    }

    /// Number of the newest item; 0 before the first.
    func head(of recipient: Recipient) throws -> Int {
        try transaction.row(
            "SELECT last FROM feed_heads WHERE recipient = ?", recipient.description)?
            .get("last") ?? 0
    }

    private func page(_ rows: [Row], _ page: PageRequest) throws -> Page<FeedItem> {
        try page.page(of: rows, cursor: { try $0.get("sequence", as: Int.self) }) { try $0.json() }
    }

    /// Removes the data of at most `limit` lines about a subject of this person; returns the number. The texts stay,
    /// since they name nobody.
    func strip(about person: PersonID, limit: Int) throws -> Int {
        let rows = try transaction.rows(
            """
            SELECT body, recipient FROM feed
            WHERE has_data = 1 AND subject IN (SELECT subject FROM subject_people WHERE person = ?)
            LIMIT ?
            """, person, limit)
        for row in rows {
            var item: FeedItem = try row.json()
            item.data = nil
            try transaction.execute(
                "UPDATE feed SET body = ?, has_data = ? WHERE recipient = ? AND sequence = ?",
                Wire.json(item), false, try row.get("recipient", as: String.self), item.sequence)
        }
        return rows.count
    }
}
