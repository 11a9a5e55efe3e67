import Contracts
import EventBus
import Foundation
import Kafka
import Metrics
import ServiceKit
import Store

/// An unchanged record that a consumer could not handle, with the reason.
struct StoredLetter: Codable, Sendable, Hashable {
    /// Longest stored reason, in characters.
    static let longestReason = 500

    var letter: DeadLetter
    let headers: [String: String]
    let value: Data
    /// The signature of the service that published the record; nil if it was not signed.
    let signature: String?
    /// The topic of a record without a signature of a service that may publish it.
    let forgedTopic: String?

    /// Reads a record of a dead-letter topic; missing values stay empty.
    init(_ record: ReceivedRecord, at now: Date) {
        let headers = record.headers
        let suffix = ".dead"
        let topic =
            record.topic.hasSuffix(suffix)
            ? String(record.topic.dropLast(suffix.count)) : record.topic
        letter = DeadLetter(
            id: headers[DeadHeader.id].flatMap(DeadLetterID.init) ?? .new(at: now), topic: topic,
            consumer: headers[DeadHeader.consumer] ?? "", eventType: headers["ce_type"] ?? "",
            eventID: headers["ce_id"] ?? "",
            reason: String((headers[DeadHeader.reason] ?? "").prefix(Self.longestReason)),
            attempts: headers[DeadHeader.attempts].flatMap(Int.init) ?? 0, createdAt: now,
            retriedAt: nil)
        self.headers = headers.filter {
            !$0.key.hasPrefix("dead_") && $0.key != EventSignatures.header
        }
        value = record.value
        signature = headers[DeadHeader.signature].flatMap { $0.isEmpty ? nil : $0 }
        forgedTopic = headers[DeadHeader.forged] == nil ? nil : topic
    }

    /// Whether the letter can be deleted together with that account.
    func isDispensable(without person: PersonID) -> Bool {
        if letter.eventType == AccountDeleted.type { return false }
        if account == person { return true }
        return letter.retriedAt != nil && value.range(of: Data(person.description.utf8)) != nil
    }

    /// The account that the letter is about, if it is about one.
    var account: PersonID? {
        letter.topic == Topic.accounts.rawValue ? headers["ce_subject"].flatMap(PersonID.init) : nil
    }

    /// The record to publish again; nil if it is no event, or not signed by a service that may publish it.
    var event: (envelope: Envelope, body: String, signature: String, topic: Topic)? {
        guard let envelope = Envelope(headers: headers),
            let topic = Topic.all.first(where: { $0.rawValue == letter.topic }),
            let body = String(data: value, encoding: .utf8), let signature, forgedTopic == nil
        else { return nil }
        return (envelope, body, signature, topic)
    }
}

extension Transaction {
    var letters: LetterStore { LetterStore(transaction: self) }
}

/// Stores dead letters.
struct LetterStore {
    let transaction: Transaction

    /// False if it is already stored.
    func insert(_ stored: StoredLetter) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO dead_letters (id, created_at, forged_topic, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """, stored.letter.id, stored.letter.createdAt, stored.forgedTopic, Wire.json(stored))
            == 1
    }

    /// Number of forged records of this topic stored in this hour, counted up to `most`.
    func forgeries(of topic: String, at now: Date, most: Int) throws -> Int {
        let hour = Date(
            timeIntervalSince1970: (now.timeIntervalSince1970 / 3_600).rounded(.down) * 3_600)
        return try transaction.rows(
            "SELECT 1 AS kept FROM dead_letters WHERE forged_topic = ? AND created_at >= ? LIMIT ?",
            topic, hour, most
        ).count
    }

    /// Number of letters that nobody has published again.
    func waiting() throws -> Int {
        // Inside a text, JSON escapes quotes, so only the field itself has this form.
        let row = try transaction.row(
            "SELECT COUNT(*) AS waiting FROM dead_letters WHERE body NOT LIKE ?",
            "%\"retriedAt\":\"%")
        return try row?.get("waiting") ?? 0
    }

    func update(_ stored: StoredLetter) throws {
        try transaction.execute(
            "UPDATE dead_letters SET body = ? WHERE id = ?", Wire.json(stored), stored.letter.id)
    }

    func find(_ id: DeadLetterID) throws -> StoredLetter? {
        try transaction.row("SELECT body FROM dead_letters WHERE id = ?", id)?.json()
    }

    /// Newest first.
    func page(_ page: PageRequest) throws -> Page<DeadLetter> {
        try transaction.page(page, of: "dead_letters") {
            try $0.json(as: StoredLetter.self).letter
        }
    }
}

extension NotificationUseCases {
    /// Name of the line in the operators' feed: not an event of the bus.
    static let deadLetterEvent = "notifications.dead-letter-kept.v1"
    /// Length of a reason in the feed, in characters.
    static let shownReason = 200

    /// Largest number of forged records stored per topic and hour.
    static let mostForgeries = 100
    private static let dropped = Counter(label: "notifications_forgeries_dropped_total")

    /// Stores a dead record and alerts operators once. Anybody who reaches the broker can forge any number of records:
    /// it stores the first ones of a topic and hour, alerts once for all of them, and counts the rest.
    func keep(_ record: ReceivedRecord) async throws {
        let now = clock.now
        let stored = StoredLetter(record, at: now)
        let message = Self.words.message(
            to: .operators, "dead-letter",
            [
                "consumer": .text(stored.letter.consumer),
                "event": .text(stored.letter.eventType),
                "reason": .text(String(stored.letter.reason.prefix(Self.shownReason))),
            ], push: .soon)
        let isDropped = try await database.write { transaction in
            // A late record about a deleted account could only bring its data back.
            if let account = stored.account, stored.letter.eventType != AccountDeleted.type,
                try people.isForgotten(account, in: transaction)
            {
                return false
            }
            let forgeries = try stored.forgedTopic.map {
                try transaction.letters.forgeries(of: $0, at: now, most: Self.mostForgeries)
            }
            if forgeries == Self.mostForgeries { return true }
            if try transaction.letters.insert(stored), forgeries ?? 0 == 0 {
                try append(message, cause: Self.deadLetterEvent, nil, at: now, transaction)
            }
            return false
        }
        if isDropped { Self.dropped.increment() }
    }

    func deadLetters(_ page: PageRequest) async throws -> Page<DeadLetter> {
        try await database.read { try $0.letters.page(page) }
    }

    /// Publishes the original event again through the outbox, so it is sent even if the broker is
    /// unavailable now.
    func retry(
        _ id: DeadLetterID, by operatorID: OperatorID, key: IdempotencyKey?
    ) async throws -> DeadLetter {
        let now = clock.now
        return try await database.write(once: key) { transaction in
            guard var stored = try transaction.letters.find(id) else {
                throw Refusal.deadLetterUnknown
            }
            guard let (envelope, body, signature, topic) = stored.event else {
                throw Refusal.deadLetterUnusable
            }
            try transaction.republish(envelope, body: body, signature: signature, to: topic)
            try transaction.publish(
                OperatorActed(
                    by: operatorID, action: "notifications.retry-dead-letter",
                    subject: id.description, actedAt: now), at: now)
            stored.letter.retriedAt = now
            try transaction.letters.update(stored)
            return stored.letter
        }
    }
}
