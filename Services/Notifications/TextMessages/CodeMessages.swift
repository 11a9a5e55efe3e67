import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle
import Store

/// A text message or mail with a code, from the event that asked for it to its end.
struct CodeMessage: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable, CaseIterable {
        case waiting
        /// A provider may have it already: tried again only when nobody came back to say so.
        case sending
        case sent, failed, expired
    }

    let id: MessageID
    let account: PersonID
    let purpose: CodeRequested.Purpose
    let language: Language
    let expiresAt: Date
    let createdAt: Date
    private(set) var state = State.waiting
    /// Number or address, and code; emptied as soon as they are of no more use.
    private(set) var sealed: String
    private(set) var attempts = 0
    private(set) var dueAt: Date
    /// Why it was not sent, without where.
    private(set) var failure: String?

    /// Tries of one message.
    static let mostAttempts = 10
    /// A try of which nothing is heard is over after this time, in seconds.
    static let lease: TimeInterval = 30
    /// Pauses between tries grow from the first to the longest, in seconds.
    static let firstPause: TimeInterval = 1
    static let longestPause: TimeInterval = 60

    init(_ event: CodeRequested, at now: Date) throws {
        id = .new(at: now)
        account = event.account
        purpose = try event.purpose.required("purpose")
        language = event.language
        sealed = event.sealed
        expiresAt = event.expiresAt
        createdAt = now
        dueAt = now
    }

    /// Begins a try; false when the code is no longer good, or was tried often enough.
    mutating func begin(at now: Date) -> Bool {
        guard now < expiresAt else {
            end(.expired, failure)
            return false
        }
        guard attempts < Self.mostAttempts else {
            end(.failed, failure)
            return false
        }
        state = .sending
        attempts += 1
        dueAt = now.addingTimeInterval(Self.lease)
        return true
    }

    mutating func succeed() { end(.sent, nil) }

    mutating func fail(_ error: MessageError, at now: Date) {
        switch error {
        case .final(let reason): end(.failed, reason)
        case .passing(let reason, let after):
            failure = reason
            state = .waiting
            let pause = min(Self.longestPause, Self.firstPause * pow(2, Double(attempts - 1)))
            let jittered = pause * Double.random(in: 0.5...1.5)
            // Never after its end, whatever the provider asks for: then it is put away.
            dueAt = min(expiresAt, now.addingTimeInterval(max(jittered, Double(after ?? 0))))
        }
    }

    private mutating func end(_ state: State, _ failure: String?) {
        self.state = state
        self.failure = failure
        sealed = ""
    }

    /// The text in the reader's language.
    func text(code: String, at now: Date) -> String {
        let seconds = Int(expiresAt.timeIntervalSince(now))
        return NotificationUseCases.words.text(
            "\(key).text", ["code": .text(code), "minutes": .minutes(ofSeconds: seconds)],
            in: language)
    }

    /// Of the mail.
    var subject: String { NotificationUseCases.words.text("\(key).title", in: language) }

    private var key: String {
        switch purpose {
        case .verification: "verification-code"
        case .passwordReset: "password-reset-code"
        case .secondFactor: "second-factor-code"
        }
    }
}

extension Transaction {
    func insert(_ message: CodeMessage) throws {
        try execute(
            """
            INSERT INTO code_messages (id, account, state, due_at, created_at, body)
            VALUES (?, ?, ?, ?, ?, ?)
            """, message.id, message.account, message.state.rawValue, message.dueAt,
            message.createdAt, Wire.json(message))
        signal(NotificationStore.messagesSignal)
    }

    /// False when it is gone, with the account that it was for, or when somebody else has begun a try
    /// meanwhile.
    func update(_ message: CodeMessage, ifAttemptsWere attempts: Int) throws -> Bool {
        let row = try row("SELECT body FROM code_messages WHERE id = ?", message.id)
        guard let stored: CodeMessage = try row?.json(), stored.attempts == attempts else {
            return false
        }
        return try execute(
            "UPDATE code_messages SET state = ?, due_at = ?, body = ? WHERE id = ?",
            message.state.rawValue, message.dueAt, Wire.json(message), message.id) == 1
    }

    func codeMessages(to person: PersonID) throws -> [CodeMessage] {
        try rows("SELECT body FROM code_messages WHERE account = ? ORDER BY id", person).map {
            try $0.json()
        }
    }

    func codeMessages(dueAt now: Date, limit: Int) throws -> [CodeMessage] {
        try rows(
            """
            SELECT body FROM code_messages WHERE state IN ('waiting', 'sending') AND due_at <= ?
            ORDER BY due_at LIMIT ?
            """, now, limit
        ).map { try $0.json() }
    }

    /// When the next message is due.
    func nextCodeMessage() throws -> Date? {
        try row(
            """
            SELECT MIN(due_at) AS due_at FROM code_messages WHERE state IN ('waiting', 'sending')
            """)?.getIfPresent("due_at")
    }
}

extension NotificationUseCases {
    /// Queues the message. What can't be opened goes to the dead letters, where an operator sees
    /// it.
    func apply(_ event: CodeRequested, _ delivery: Delivery) async throws {
        _ = try sealer.open(CodeSecret.self, from: event.sealed)
        let message = try CodeMessage(event, at: clock.now)
        try await database.apply(delivery) { transaction in
            guard try !people.isForgotten(event.account, in: transaction) else { return }
            try transaction.insert(message)
        }
    }
}

/// Sends the text messages and mails that wait, and those of which a crash left the outcome unknown.
struct MessageSender: Service {
    /// Messages that one round sends.
    static let batch = 50
    /// Messages that are under way together.
    static let together = 8

    let notifications: NotificationUseCases
    let texts: any MessageProvider
    let mails: any MessageProvider
    let logger: Logger

    func run() async throws {
        await Rounds(
            database: notifications.database, clock: notifications.clock,
            signal: NotificationStore.messagesSignal
        ).run { await round() }
    }

    /// Sends what is due; answers when the next one is.
    @discardableResult
    func round() async -> Date? {
        let (database, now) = (notifications.database, notifications.clock.now)
        do {
            let due = try await database.read {
                try $0.codeMessages(dueAt: now, limit: Self.batch)
            }
            await withTaskGroup(of: Void.self) { group in
                for (index, message) in due.enumerated() {
                    if index >= Self.together { await group.next() }
                    group.addTask { await send(message) }
                }
            }
            return try await database.read { try $0.nextCodeMessage() }
        } catch {
            logger.warning("messages can't be read", metadata: ["error": "\(error)"])
            return now.addingTimeInterval(CodeMessage.firstPause)
        }
    }

    /// Says "sending" on disk before the provider hears of it, and the outcome after.
    private func send(_ message: CodeMessage) async {
        do {
            let before = message.attempts
            var message = message
            let mayGo = message.begin(at: notifications.clock.now)
            guard try await save(message, ifAttemptsWere: before) else { return }
            guard mayGo else {
                logger.notice(
                    "message not sent",
                    metadata: ["message": "\(message.id)", "state": "\(message.state)"])
                return
            }
            do {
                let outgoing = try outgoing(message)
                try await (outgoing.subject == nil ? texts : mails).send(outgoing)
                message.succeed()
            } catch let error as MessageError {
                message.fail(error, at: notifications.clock.now)
                logger.warning(
                    "message not accepted",
                    metadata: [
                        "message": "\(message.id)", "attempt": "\(message.attempts)",
                        "reason": "\(message.failure ?? "-")", "state": "\(message.state)",
                    ])
            }
            _ = try await save(message, ifAttemptsWere: message.attempts)
        } catch {
            // The row still says "sending": it is looked at again when its lease is over.
            logger.warning(
                "message interrupted",
                metadata: ["message": "\(message.id)", "error": "\(type(of: error))"])
        }
    }

    private func outgoing(_ message: CodeMessage) throws -> OutgoingMessage {
        guard let secret = try? notifications.sealer.open(CodeSecret.self, from: message.sealed),
            let to = secret.email ?? secret.phone
        else { throw MessageError.final("its contents can't be opened") }
        return OutgoingMessage(
            id: message.id, person: message.account, to: to,
            subject: secret.email == nil ? nil : message.subject,
            text: message.text(code: secret.code, at: notifications.clock.now))
    }

    private func save(_ message: CodeMessage, ifAttemptsWere attempts: Int) async throws -> Bool {
        try await notifications.database.write {
            try $0.update(message, ifAttemptsWere: attempts)
        }
    }
}
