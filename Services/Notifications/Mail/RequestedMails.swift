import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

/// A mail that another service has requested, from its request to its outcome.
struct RequestedMail: Codable, Sendable, Hashable {
    /// Kind of the work; its key is the id of the mail.
    static let work = "mail"
    /// How long a mail is worth sending, in seconds.
    static let life: TimeInterval = 3 * 86_400

    let id: MessageID
    let person: PersonID
    let subject: String
    let createdAt: Date
    private(set) var state = CodeMessage.State.waiting
    /// Contents; emptied as soon as they are no longer needed.
    private(set) var sealed: String
    private(set) var attempts = 0
    /// Why it was not sent, without the recipient.
    private(set) var failure: String?

    /// The parts that are sealed until the mail is sent.
    struct Contents: Codable, Sendable {
        var sealedAddress: String?
        var text: String
        var html: String
    }

    init(_ event: MailRequested, _ sealer: Sealer, at now: Date) throws {
        (id, person, subject, createdAt) = (event.id, event.person, event.subject, now)
        sealed = try sealer.seal(
            Contents(
                sealedAddress: event.sealedAddress, text: event.text, html: event.html))
    }

    /// Begins an attempt; ends the mail if it is too old or all attempts are used.
    fileprivate mutating func begin(at now: Date) {
        guard now.timeIntervalSince(createdAt) < Self.life else { return end(.expired, failure) }
        guard attempts < CodeMessage.mostAttempts else { return end(.failed, failure) }
        state = .sending
        attempts += 1
    }

    fileprivate mutating func succeed() { end(.sent, nil) }

    /// Returns the time of the next attempt, if the mail server asked for one.
    fileprivate mutating func fail(_ error: MessageError, at now: Date) -> Date? {
        switch error {
        case .final(let reason):
            end(.failed, reason)
            return nil
        case .passing(let reason, let after):
            failure = reason
            state = .waiting
            return after.map { now.addingTimeInterval(TimeInterval($0)) }
        }
    }

    private mutating func end(_ state: CodeMessage.State, _ failure: String?) {
        (self.state, self.failure, sealed) = (state, failure, "")
    }
}

extension Transaction {
    var mails: MailStore { MailStore(transaction: self) }
}

/// Stores requested mails.
struct MailStore {
    let transaction: Transaction

    /// Does nothing for a mail that was requested before.
    fileprivate func insert(_ mail: RequestedMail) throws {
        let added = try transaction.execute(
            """
            INSERT INTO mails (id, person, created_at, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """, mail.id, mail.person, mail.createdAt, Wire.json(mail))
        guard added == 1 else { return }
        try transaction.schedule(RequestedMail.work, mail.id, at: mail.createdAt)
    }

    /// Changes nothing if the mail was deleted together with its person's account.
    fileprivate func update(_ mail: RequestedMail) throws {
        try transaction.execute(
            "UPDATE mails SET body = ? WHERE id = ?", Wire.json(mail), mail.id)
    }

    fileprivate func find(_ id: String) throws -> RequestedMail? {
        try transaction.row("SELECT body FROM mails WHERE id = ?", id)?.json()
    }

    func all(to person: PersonID) throws -> [RequestedMail] {
        try transaction.rows("SELECT body FROM mails WHERE person = ? ORDER BY id", person)
            .map { try $0.json() }
    }
}

extension NotificationUseCases {
    /// Queues the mail, once however often it is requested.
    func apply(_ event: MailRequested, _ delivery: Delivery) async throws {
        if let address = event.sealedAddress { _ = try sealer.open(String.self, from: address) }
        let mail = try RequestedMail(event, sealer, at: clock.now)
        try await database.apply(delivery) { transaction in
            guard try !people.isForgotten(event.person, in: transaction) else { return }
            try transaction.mails.insert(mail)
        }
    }
}

extension RequestedMail {
    /// Stores `sending` before it calls the mail server, and the outcome afterwards.
    static func send(_ id: String, with sender: MessageSender) async throws -> WorkQueue.Outcome {
        let notifications = sender.notifications
        let (database, now) = (notifications.database, notifications.clock.now)
        let begun = try await database.write { transaction -> (RequestedMail, String?)? in
            guard var mail = try transaction.mails.find(id) else { return nil }
            mail.begin(at: now)
            try transaction.mails.update(mail)
            return (mail, try mailAddresses.value(of: mail.person, in: transaction)?.sealed)
        }
        guard let begun else { return .done }
        var mail = begun.0
        var next: Date?
        if mail.state == .sending {
            do {
                try await sender.mails.send(try mail.outgoing(to: begun.1, notifications.sealer))
                mail.succeed()
            } catch let error as MessageError {
                next = mail.fail(error, at: notifications.clock.now)
            }
        }
        let (outcome, again) = (mail, next)
        if outcome.state != .sent { outcome.log(to: sender.logger) }
        try await database.write { transaction in
            try transaction.mails.update(outcome)
            if let again { try transaction.schedule(work, id, at: again) }
        }
        return outcome.state == .waiting ? .again : .done
    }

    /// `address` is the sealed one of the person's account.
    private func outgoing(to address: String?, _ sealer: Sealer) throws -> OutgoingMessage {
        guard let contents = try? sealer.open(Contents.self, from: sealed) else {
            throw MessageError.final("its contents can't be opened")
        }
        guard let sealedAddress = contents.sealedAddress ?? address,
            let to = try? sealer.open(String.self, from: sealedAddress)
        else { throw MessageError.final("the person has no confirmed address") }
        return OutgoingMessage(
            id: id, person: person, to: to, subject: subject, text: contents.text,
            html: contents.html)
    }

    private func log(to logger: Logger) {
        logger.warning(
            "mail not sent",
            metadata: [
                "message": "\(id)", "attempt": "\(attempts)", "reason": "\(failure ?? "-")",
                "state": "\(state)",
            ])
    }
}
