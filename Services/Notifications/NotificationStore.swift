import Contracts
import EventBus
import Foundation
import Store

/// Schema of feeds, pushes, text messages and mails, dead letters and the audit log.
enum NotificationStore {
    /// Largest number of items in one recipient's feed.
    static let longestFeed = 10_000
    /// Largest number of text messages and mails that the `dev` provider stores.
    static let mostKeptMessages = 1_000
    /// Number of lines that one transaction changes for a deleted account.
    static let linesAtOnce = 500
    /// Number of dead letters that are read together.
    static let lettersAtOnce = 200
    /// Fired when a push is queued.
    static let pushesSignal = "pushes"

    static let migrations =
        WorkQueue.migrations + [
            people.migration, mailAddresses.addition,
            Migration("notifications-1", feed + push + textMessages + operations),
            Migration.addition("notifications-2", mails),
        ]

    private static let feed = [
        """
        CREATE TABLE subjects (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            changed_at BIGINT NOT NULL,
            body TEXT NOT NULL
        )
        """,
        "CREATE INDEX subjects_age ON subjects (changed_at)",
        """
        CREATE TABLE subject_people (
            person TEXT NOT NULL,
            subject TEXT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
            PRIMARY KEY (person, subject)
        )
        """,
        "CREATE INDEX subject_people_of_subject ON subject_people (subject)",
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
            has_data BIGINT NOT NULL,
            subject TEXT,
            created_at BIGINT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (recipient, sequence)
        )
        """,
        "CREATE INDEX feed_texts ON feed (recipient, sequence) WHERE has_text = 1",
        "CREATE INDEX feed_data ON feed (subject) WHERE has_data = 1",
        "CREATE INDEX feed_age ON feed (created_at)",
    ]

    private static let push = [
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
        "CREATE INDEX ended_sessions_age ON ended_sessions (ended_at)",
    ]

    private static let mails = [
        """
        CREATE TABLE mails (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            body TEXT NOT NULL
        )
        """,
        "CREATE INDEX mails_of_person ON mails (person)",
        "CREATE INDEX mails_age ON mails (created_at)",
    ]

    private static let textMessages = [
        """
        CREATE TABLE code_messages (
            id TEXT NOT NULL PRIMARY KEY,
            account TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            body TEXT NOT NULL
        )
        """,
        "CREATE INDEX code_messages_of_account ON code_messages (account)",
        "CREATE INDEX code_messages_age ON code_messages (created_at)",
        """
        CREATE TABLE text_messages (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT,
            phone TEXT NOT NULL,
            email TEXT,
            subject TEXT,
            text TEXT NOT NULL,
            sent_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX text_messages_of_person ON text_messages (person)",
        "CREATE INDEX text_messages_of_phone ON text_messages (phone, id)",
        "CREATE INDEX text_messages_of_email ON text_messages (email, id)",
    ]

    private static let operations = [
        """
        CREATE TABLE dead_letters (
            id TEXT NOT NULL PRIMARY KEY,
            created_at BIGINT NOT NULL,
            /* Of a record that is not signed by who may say it. */
            forged_topic TEXT,
            body TEXT NOT NULL
        )
        """,
        "CREATE INDEX dead_letters_age ON dead_letters (created_at)",
        """
        CREATE INDEX dead_letters_forged ON dead_letters (forged_topic, created_at)
            WHERE forged_topic IS NOT NULL
        """,
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
        "CREATE INDEX audit_age ON audit (acted_at)",
    ]
}

// MARK: Retention

/// Retention of each kind of data, in seconds.
enum Retention {
    private static let day: TimeInterval = 86_400

    static let rules: [(table: String, key: String, time: String, seconds: TimeInterval)] = [
        ("feed", "recipient, sequence", "created_at", 90 * day),
        ("subjects", "id", "changed_at", 180 * day),
        ("code_messages", "id", "created_at", 7 * day),
        ("mails", "id", "created_at", 7 * day),
        ("dead_letters", "id", "created_at", 90 * day),
        // Longer than the lifetime of an access token.
        ("ended_sessions", "id", "ended_at", day),
        // As long as financial records are stored.
        ("audit", "id", "acted_at", 7 * 365 * day),
    ]

    /// Removes at most `batch` rows of each kind that are older than their retention; returns the
    /// number.
    static func sweep(at now: Date, batch: Int, in transaction: Transaction) throws -> Int {
        var removed = 0
        for (table, key, time, retention) in rules {
            removed += try transaction.execute(
                """
                DELETE FROM \(table) WHERE (\(key)) IN (
                    SELECT \(key) FROM \(table) WHERE \(time) < ? LIMIT ?)
                """, now.addingTimeInterval(-retention), batch)
        }
        return removed
    }
}
