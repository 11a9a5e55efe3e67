import Contracts
import Crypto
import Foundation
import Store

/// A message to one device. It is removed when it was delivered or can't be delivered.
struct PushJob: Sendable, Hashable {
    /// Lease of an attempt, in seconds: longer than a request takes.
    static let lease: TimeInterval = 30
    /// Pauses between attempts grow from the first to the longest, in seconds.
    static let firstPause: TimeInterval = 1
    static let longestPause: TimeInterval = 300
    /// Characters of a topic (RFC 8030, section 5.4).
    static let longestTopic = 32

    /// Data that is the same for all attempts.
    struct Body: Codable, Sendable, Hashable {
        let message: PushMessage
        let urgency: PushUrgency
    }

    let id: MessageID
    let subscription: PushSubscriptionID
    /// Host of the push service.
    let service: String
    /// A newer message with the same topic replaces this one, here and at the push service.
    let topic: String
    let body: Body
    let expiresAt: Date
    private(set) var attempts = 0
    private(set) var dueAt: Date

    init(
        _ message: PushMessage, urgency: PushUrgency, to target: PushTarget, at now: Date,
        expiresAt: Date
    ) {
        id = .new(at: now)
        (subscription, service) = (target.id, target.service)
        topic = Self.topic(message.subject?.id ?? message.kind, target.id)
        body = Body(message: message, urgency: urgency)
        self.expiresAt = expiresAt
        dueAt = now
    }

    init(_ row: Row) throws {
        id = try row.get("id")
        subscription = try row.get("subscription")
        service = try row.get("service")
        topic = try row.get("topic")
        body = try row.json()
        expiresAt = try row.get("expires_at")
        attempts = try row.get("attempts")
        dueAt = try row.get("due_at")
    }

    /// The topic of a subject or of a single message. It doesn't reveal to the push service which devices
    /// share a subject.
    private static func topic(_ subject: String, _ subscription: PushSubscriptionID) -> String {
        let hash = SHA256.hash(data: Data("\(subject) \(subscription)".utf8))
        return String(Data(hash).base64URL.prefix(longestTopic))
    }

    /// Begins an attempt; returns why not if it is too late.
    mutating func begin(at now: Date) -> PushFailure? {
        guard now < expiresAt else { return .expired }
        attempts += 1
        dueAt = now.addingTimeInterval(Self.lease)
        return nil
    }

    /// Postpones the next attempt by at least `after` seconds.
    mutating func putOff(at now: Date, after: Int?) {
        let pause = min(Self.longestPause, Self.firstPause * pow(2, Double(attempts - 1)))
        let jittered = pause * Double.random(in: 0.5...1.5)
        // Whatever the push service asks for, not after the expiry, when the job is closed.
        dueAt = min(expiresAt, now.addingTimeInterval(max(jittered, Double(after ?? 0))))
    }
}

extension Role {
    /// Path of the person's app.
    var app: String {
        switch self {
        case .customer: "/"
        case .valet: "/valet"
        case .operator: "/operator"
        }
    }
}

extension PushMessage {
    /// The text to encrypt; a longer text is cut at a whole character.
    func payload(most: Int = PushEncryption.mostPlain) throws -> Data {
        let whole = try Wire.encode(self)
        guard whole.count > most else { return whole }
        var message = self
        var (fits, tooLong) = (0, body.count)
        while tooLong - fits > 1 {
            let middle = (fits + tooLong) / 2
            message.body = cut(to: middle)
            if try Wire.encode(message).count > most { tooLong = middle } else { fits = middle }
        }
        message.body = cut(to: fits)
        let data = try Wire.encode(message)
        guard data.count <= most else { throw PushEncryption.TooLong() }
        return data
    }

    private func cut(to count: Int) -> String { "\(body.prefix(count))…" }
}

extension Transaction {
    var pushes: PushStore { PushStore(transaction: self) }
}

/// Stores jobs.
struct PushStore {
    let transaction: Transaction

    /// Stores a job and replaces an older one with the same topic.
    func add(_ job: PushJob, at now: Date) throws {
        try transaction.execute(
            "DELETE FROM push_jobs WHERE subscription = ? AND topic = ?", job.subscription,
            job.topic)
        try transaction.execute(
            """
            INSERT INTO push_jobs (id, subscription, number, topic, attempts, due_at, expires_at,
                body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, job.id, job.subscription, job.body.message.number, job.topic, job.attempts,
            job.dueAt, job.expiresAt, Wire.json(job.body))
        try transaction.execute(
            """
            DELETE FROM push_jobs WHERE subscription = ? AND id NOT IN (
                SELECT id FROM push_jobs WHERE subscription = ? ORDER BY number DESC LIMIT ?)
            """, job.subscription, job.subscription, PushLimits.mostWaiting)
        transaction.signal(NotificationStore.pushesSignal)
    }

    func due(at now: Date, limit: Int) throws -> [PushJob] {
        try transaction.rows(
            """
            SELECT push_jobs.*, push_subscriptions.service FROM push_jobs
            JOIN push_subscriptions ON push_subscriptions.id = push_jobs.subscription
            WHERE push_jobs.due_at <= ? ORDER BY push_jobs.due_at, push_jobs.number LIMIT ?
            """, now, limit
        ).map { try PushJob($0) }
    }

    /// When the next job is due.
    func nextDue() throws -> Date? {
        try transaction.row("SELECT MIN(due_at) AS due_at FROM push_jobs")?.getIfPresent("due_at")
    }

    /// Postpones the jobs that are due there; those that expire before are closed at their expiry.
    func putOff(to service: String, dueAt now: Date, until next: Date) throws {
        try transaction.execute(
            """
            UPDATE push_jobs SET due_at = CASE WHEN expires_at < ? THEN expires_at ELSE ? END
            WHERE due_at <= ? AND subscription IN (
                SELECT id FROM push_subscriptions WHERE service = ?)
            """, next, next, now, service)
    }

    /// False if the job was deleted, or another process has begun it.
    func save(_ job: PushJob, ifAttemptsWere attempts: Int) throws -> Bool {
        try transaction.execute(
            "UPDATE push_jobs SET attempts = ?, due_at = ? WHERE id = ? AND attempts = ?",
            job.attempts, job.dueAt, job.id, attempts) == 1
    }

    func remove(_ job: PushJob) throws -> Bool {
        try transaction.execute("DELETE FROM push_jobs WHERE id = ?", job.id) == 1
    }
}
