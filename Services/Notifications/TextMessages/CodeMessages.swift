import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

/// A text message or mail with a code, from its request to its outcome.
struct CodeMessage: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable, CaseIterable {
        case waiting
        /// A provider may have it already: retried only if the lease ends without an outcome.
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
    /// Number or address, and code; emptied as soon as they are no longer needed.
    private(set) var sealed: String
    private(set) var attempts = 0
    /// Why it was not sent, without the recipient.
    private(set) var failure: String?

    /// Attempts to send one message.
    static let mostAttempts = 10
    /// Pauses between attempts, in seconds.
    static let pauses = WorkQueue.Pauses(first: 1, most: 60)

    init(_ event: CodeRequested, at now: Date) throws {
        id = .new(at: now)
        account = event.account
        purpose = try event.purpose.required("purpose")
        language = event.language
        sealed = event.sealed
        expiresAt = event.expiresAt
        createdAt = now
    }

    /// Begins an attempt; ends the message if the code has expired or all attempts are used.
    mutating func begin(at now: Date) {
        guard now < expiresAt else { return end(.expired, failure) }
        guard attempts < Self.mostAttempts else { return end(.failed, failure) }
        state = .sending
        attempts += 1
    }

    mutating func succeed() { end(.sent, nil) }

    /// Returns the time of the next attempt, if the provider asked for one.
    mutating func fail(_ error: MessageError, at now: Date) -> Date? {
        switch error {
        case .final(let reason):
            end(.failed, reason)
            return nil
        case .passing(let reason, let after):
            failure = reason
            state = .waiting
            // Whatever the provider asks for, not after the expiry, when the message is closed.
            return after.map { min(expiresAt, now.addingTimeInterval(TimeInterval($0))) }
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

    /// Subject of the mail.
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
    var codeMessages: CodeMessageStore { CodeMessageStore(transaction: self) }
}

/// Stores messages with codes.
struct CodeMessageStore {
    let transaction: Transaction

    fileprivate func insert(_ message: CodeMessage) throws {
        try transaction.execute(
            "INSERT INTO code_messages (id, account, created_at, body) VALUES (?, ?, ?, ?)",
            message.id, message.account, message.createdAt, Wire.json(message))
        try transaction.schedule(MessageSender.work, message.id, at: message.createdAt)
    }

    /// Changes nothing if the message was deleted together with its account.
    fileprivate func update(_ message: CodeMessage) throws {
        try transaction.execute(
            "UPDATE code_messages SET body = ? WHERE id = ?", Wire.json(message), message.id)
    }

    fileprivate func find(_ id: String) throws -> CodeMessage? {
        try transaction.row("SELECT body FROM code_messages WHERE id = ?", id)?.json()
    }

    func all(to person: PersonID) throws -> [CodeMessage] {
        try transaction.rows(
            "SELECT body FROM code_messages WHERE account = ? ORDER BY id", person
        ).map { try $0.json() }
    }
}

extension NotificationUseCases {
    /// Queues the message. If the code can't be opened, the event becomes a dead letter, which operators
    /// see.
    func apply(_ event: CodeRequested, _ delivery: Delivery) async throws {
        _ = try sealer.open(CodeSecret.self, from: event.sealed)
        let message = try CodeMessage(event, at: clock.now)
        try await database.apply(delivery) { transaction in
            guard try !people.isForgotten(event.account, in: transaction) else { return }
            try transaction.codeMessages.insert(message)
        }
    }
}

/// Sends waiting text messages and mails, and those whose outcome a crash left unknown.
struct MessageSender: Sendable {
    /// Kind of the work; its key is the id of a message.
    static let work = "message"

    let notifications: NotificationUseCases
    let texts: any MessageProvider
    let mails: any MessageProvider
    let logger: Logger

    var queue: WorkQueue {
        WorkQueue(
            notifications.database, now: { notifications.clock.now }, logger: logger,
            pauses: CodeMessage.pauses,
            handlers: [
                Self.work: { try await send($0) },
                RequestedMail.work: { try await RequestedMail.send($0, with: self) },
            ])
    }

    /// Stores `sending` before it calls the provider, and the outcome afterwards.
    private func send(_ id: String) async throws -> WorkQueue.Outcome {
        let (database, now) = (notifications.database, notifications.clock.now)
        let begun = try await database.write { transaction -> CodeMessage? in
            guard var message = try transaction.codeMessages.find(id) else { return nil }
            message.begin(at: now)
            try transaction.codeMessages.update(message)
            return message
        }
        guard var message = begun else { return .done }
        var next: Date?
        if message.state == .sending {
            do {
                let outgoing = try outgoing(message)
                try await (outgoing.subject == nil ? texts : mails).send(outgoing)
                message.succeed()
            } catch let error as MessageError {
                next = message.fail(error, at: notifications.clock.now)
            }
        }
        let (outcome, again) = (message, next)
        if outcome.state != .sent {
            logger.warning(
                "message not sent",
                metadata: [
                    "message": "\(outcome.id)", "attempt": "\(outcome.attempts)",
                    "reason": "\(outcome.failure ?? "-")", "state": "\(outcome.state)",
                ])
        }
        try await database.write { transaction in
            try transaction.codeMessages.update(outcome)
            if let again { try transaction.schedule(Self.work, id, at: again) }
        }
        return outcome.state == .waiting ? .again : .done
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
}
