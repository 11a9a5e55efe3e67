import Contracts
import EventBus
import Foundation
import Store

/// Schema of feeds, copies, text messages and dead letters.
enum NotificationStore {
    /// Items that one recipient's feed keeps.
    static let longestFeed = 10_000
    /// Text messages that the `dev` provider keeps.
    static let mostKeptMessages = 1_000
    /// Dead letters that are read together.
    static let lettersAtOnce = 200
    /// Fired when a text message is to be sent.
    static let messagesSignal = "messages"
    /// Fired when something is to be pushed.
    static let pushesSignal = "pushes"

    static let migrations = [
        Migration(
            "notifications-1",
            """
            CREATE TABLE people (
                id TEXT NOT NULL PRIMARY KEY,
                language TEXT NOT NULL,
                suspended BIGINT NOT NULL,
                version BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE orders (
                id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                changed_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX orders_age ON orders (changed_at)",
            """
            CREATE TABLE feed_heads (
                recipient TEXT NOT NULL PRIMARY KEY,
                last BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE feed (
                recipient TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                has_text BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (recipient, sequence)
            )
            """,
            "CREATE INDEX feed_texts ON feed (recipient, sequence) WHERE has_text = 1",
            "CREATE INDEX feed_age ON feed (created_at)",
            """
            CREATE TABLE code_messages (
                id TEXT NOT NULL PRIMARY KEY,
                state TEXT NOT NULL,
                due_at BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX code_messages_due ON code_messages (state, due_at)",
            "CREATE INDEX code_messages_age ON code_messages (created_at)",
            """
            CREATE TABLE text_messages (
                id TEXT NOT NULL PRIMARY KEY,
                phone TEXT NOT NULL,
                text TEXT NOT NULL,
                sent_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX text_messages_of_phone ON text_messages (phone, id)",
            """
            CREATE TABLE dead_letters (
                id TEXT NOT NULL PRIMARY KEY,
                created_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX dead_letters_age ON dead_letters (created_at)"),
        Migration(
            "notifications-2",
            "ALTER TABLE people ADD COLUMN deleted BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE orders ADD COLUMN customer TEXT",
            "CREATE INDEX orders_of_customer ON orders (customer)",
            "ALTER TABLE feed ADD COLUMN customer TEXT",
            "CREATE INDEX feed_of_customer ON feed (customer)",
            "ALTER TABLE code_messages ADD COLUMN account TEXT",
            "CREATE INDEX code_messages_of_account ON code_messages (account)",
            "ALTER TABLE text_messages ADD COLUMN person TEXT",
            "CREATE INDEX text_messages_of_person ON text_messages (person)",
            """
            CREATE TABLE audit (
                id TEXT NOT NULL PRIMARY KEY,
                acted_by TEXT NOT NULL,
                action TEXT NOT NULL,
                subject TEXT NOT NULL,
                reason TEXT,
                acted_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX audit_of_operator ON audit (acted_by, id)",
            "CREATE INDEX audit_of_action ON audit (action, id)",
            "CREATE INDEX audit_of_subject ON audit (subject, id)",
            "CREATE INDEX audit_age ON audit (acted_at)"),
        Migration(
            "notifications-3",
            """
            CREATE TABLE push_keys (
                name TEXT NOT NULL PRIMARY KEY,
                sealed TEXT NOT NULL,
                created_at BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE push_subscriptions (
                id TEXT NOT NULL PRIMARY KEY,
                person TEXT NOT NULL,
                role TEXT NOT NULL,
                session TEXT NOT NULL,
                endpoint_hash TEXT NOT NULL UNIQUE,
                service TEXT NOT NULL,
                sealed TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                renewed_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX push_subscriptions_of_person ON push_subscriptions (person, id)",
            "CREATE INDEX push_subscriptions_of_role ON push_subscriptions (role, renewed_at)",
            "CREATE INDEX push_subscriptions_of_session ON push_subscriptions (session)",
            """
            CREATE TABLE push_jobs (
                id TEXT NOT NULL PRIMARY KEY,
                subscription TEXT NOT NULL
                    REFERENCES push_subscriptions (id) ON DELETE CASCADE,
                number BIGINT NOT NULL,
                topic TEXT,
                attempts BIGINT NOT NULL,
                due_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX push_jobs_of_subscription ON push_jobs (subscription, number)",
            "CREATE INDEX push_jobs_due ON push_jobs (due_at)",
            """
            CREATE TABLE ended_sessions (
                id TEXT NOT NULL PRIMARY KEY,
                ended_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX ended_sessions_age ON ended_sessions (ended_at)"),
    ]
}

extension Row {
    func body<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try Wire.decode(type, from: Data(get("body", as: String.self).utf8))
    }
}

func json(_ value: some Encodable) throws -> String {
    String(decoding: try Wire.encode(value), as: UTF8.self)
}

// MARK: Copies

/// What is remembered of a person: no name, no number.
struct PersonCopy: Sendable, Hashable {
    let id: PersonID
    let language: Language
    let suspended: Bool
    let version: Int
}

extension Transaction {
    func person(_ id: PersonID) throws -> PersonCopy? {
        try row(
            "SELECT language, suspended, version FROM people WHERE id = ? AND deleted = 0", id
        ).map { row in
            PersonCopy(
                id: id, language: Language(rawValue: try row.get("language")) ?? .english,
                suspended: try row.get("suspended"), version: try row.get("version"))
        }
    }

    /// An older version than the one that is known changes nothing, nor does anything change who is
    /// deleted.
    func keep(_ person: PersonCopy) throws {
        try execute(
            """
            INSERT INTO people (id, language, suspended, version) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET language = excluded.language,
                suspended = excluded.suspended, version = excluded.version
            WHERE people.version < excluded.version AND people.deleted = 0
            """, person.id, person.language.rawValue, person.suspended, person.version)
    }

    func order(_ id: OrderID) throws -> OrderSnapshot? {
        try row("SELECT body FROM orders WHERE id = ?", id)?.body()
    }

    /// An older version than the one that is known changes nothing.
    func keep(_ order: OrderSnapshot, at time: Date) throws {
        try execute(
            """
            INSERT INTO orders (id, version, changed_at, customer, body) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version,
                changed_at = excluded.changed_at, customer = excluded.customer,
                body = excluded.body
            WHERE orders.version < excluded.version
            """, order.id, order.version, time, order.customer, json(order))
    }
}

// MARK: Feed

/// A line of a feed before it has its number.
struct NewItem: Sendable {
    let event: String
    let title: String?
    let text: String?
    let order: OrderSnapshot?
}

extension Transaction {
    /// Gives the item the recipient's next number, and announces it. Numbers have no gaps: what is
    /// rolled back gives its number back, too. Who is deleted hears nothing any more: nil.
    @discardableResult
    func append(_ item: NewItem, to recipient: Recipient, at time: Date) throws -> FeedItem? {
        if case .person(let person) = recipient, try isDeleted(person) { return nil }
        guard
            let sequence: Int = try row(
                """
                INSERT INTO feed_heads (recipient, last) VALUES (?, 1)
                ON CONFLICT (recipient) DO UPDATE SET last = feed_heads.last + 1 RETURNING last
                """, recipient.description)?.get("last")
        else { throw StoreError(.decoding, "feed_heads.last") }
        let item = FeedItem(
            id: .new(at: time), sequence: sequence, event: item.event, title: item.title,
            text: item.text, order: item.order, createdAt: time)
        try execute(
            """
            INSERT INTO feed (recipient, sequence, has_text, created_at, customer, body)
            VALUES (?, ?, ?, ?, ?, ?)
            """, recipient.description, sequence, item.text != nil, time, item.order?.customer,
            json(item))
        try execute(
            "DELETE FROM feed WHERE recipient = ? AND sequence <= ?",
            recipient.description, sequence - NotificationStore.longestFeed)
        try publish(NotificationCreated(recipient: recipient, item: item), at: time)
        return item
    }

    /// Items with words, newest first.
    func texts(of recipient: Recipient, before: Int?, limit: Int) throws -> Page<FeedItem> {
        let rows = try rows(
            """
            SELECT sequence, body FROM feed
            WHERE recipient = ? AND has_text = 1 AND sequence < ?
            ORDER BY sequence DESC LIMIT ?
            """, recipient.description, before ?? Int.max, limit + 1)
        return try page(rows, limit)
    }

    /// All items, oldest first.
    func items(of recipient: Recipient, after: Int, limit: Int) throws -> Page<FeedItem> {
        let rows = try rows(
            """
            SELECT sequence, body FROM feed WHERE recipient = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """, recipient.description, after, limit + 1)
        return try page(rows, limit)
    }

    /// Number of the newest item; 0 before the first.
    func head(of recipient: Recipient) throws -> Int {
        try row("SELECT last FROM feed_heads WHERE recipient = ?", recipient.description)?
            .get("last") ?? 0
    }

    private func page(_ rows: [Row], _ limit: Int) throws -> Page<FeedItem> {
        let items: [FeedItem] = try rows.prefix(limit).map { try $0.body() }
        return Page(items: items, next: rows.count > limit ? items.last?.sequence.description : nil)
    }
}

// MARK: Retention

extension Transaction {
    /// Removes at most `batch` rows of each kind that are older than their retention; answers how
    /// many.
    func sweep(at now: Date, batch: Int) throws -> Int {
        var removed = 0
        for (table, key, time, retention) in Retention.rules {
            removed += try execute(
                """
                DELETE FROM \(table) WHERE (\(key)) IN (
                    SELECT \(key) FROM \(table) WHERE \(time) < ? LIMIT ?)
                """, now.addingTimeInterval(-retention), batch)
        }
        return removed
    }
}

/// How long things are kept, in seconds.
enum Retention {
    private static let day: TimeInterval = 86_400

    static let rules: [(table: String, key: String, time: String, seconds: TimeInterval)] = [
        ("feed", "recipient, sequence", "created_at", 90 * day),
        ("orders", "id", "changed_at", 180 * day),
        ("code_messages", "id", "created_at", 7 * day),
        ("dead_letters", "id", "created_at", 90 * day),
        // Longer than any access token of them lives.
        ("ended_sessions", "id", "ended_at", day),
        // As long as books are kept: Hong Kong's Inland Revenue Ordinance, section 51C.
        ("audit", "id", "acted_at", 7 * 365 * day),
    ]
}
