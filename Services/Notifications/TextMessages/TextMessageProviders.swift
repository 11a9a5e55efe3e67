import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import ServiceKit
import Store

/// Sends messages to phones or mailboxes.
protocol MessageProvider: Sendable {
    func send(_ message: OutgoingMessage) async throws
}

struct OutgoingMessage: Sendable, Hashable {
    /// The same for each attempt to send one message.
    let id: MessageID
    let person: PersonID?
    /// A number in E.164, or an e-mail address. Never logged.
    let to: String
    /// Subject of a mail; nil for a text message.
    let subject: String?
    let text: String
    /// The HTML of a mail; nil for plain text alone.
    var html: String?
}

/// The provider did not accept a message. The text never has the recipient.
enum MessageError: Error, Equatable {
    /// Try again, not before `afterSeconds` if the provider gave it.
    case passing(String, afterSeconds: Int?)
    /// A retry can't help.
    case final(String)
}

/// Stores messages instead of sending them, for development and demonstrations.
struct DevMessages: MessageProvider {
    let database: Database
    let clock: ServiceClock

    func send(_ message: OutgoingMessage) async throws {
        let now = clock.now
        try await database.write { transaction in
            if let person = message.person, try people.isForgotten(person, in: transaction) {
                return
            }
            try transaction.execute(
                """
                INSERT INTO text_messages (id, person, phone, email, subject, text, sent_at)
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """, message.id, message.person, message.subject == nil ? message.to : "",
                message.subject == nil ? nil : message.to, message.subject, message.text, now)
            try transaction.execute(
                """
                DELETE FROM text_messages WHERE id < (
                    SELECT MIN(id) FROM (
                        SELECT id FROM text_messages ORDER BY id DESC LIMIT ?) AS newest)
                """, NotificationStore.mostKeptMessages)
        }
    }

    /// Newest first; of all people without a number and an address.
    func kept(
        phone: String?, email: String?, _ page: PageRequest
    ) async throws -> Page<TextMessage> {
        var conditions = Conditions()
        conditions.require("phone = ?", ifPresent: phone)
        conditions.require("email = ?", ifPresent: email)
        return try await database.read { [conditions] in
            try $0.page(
                page, of: "text_messages", columns: "id, phone, email, subject, text, sent_at",
                where: conditions, TextMessage.init)
        }
    }

    /// Newest first.
    static func kept(for person: PersonID, in transaction: Transaction) throws -> [TextMessage] {
        try transaction.rows(
            """
            SELECT phone, email, subject, text, sent_at FROM text_messages
            WHERE person = ? ORDER BY id DESC
            """, person
        ).map { try TextMessage($0) }
    }
}

extension TextMessage {
    fileprivate init(_ row: Row) throws {
        self.init(
            phone: try row.get("phone"), email: try row.getIfPresent("email"),
            subject: try row.getIfPresent("subject"), text: try row.get("text"),
            sentAt: try row.get("sent_at"))
    }
}

/// Twilio's Messages resource or a compatible one: form-encoded, with HTTP basic authentication.
struct TwilioTextMessages: MessageProvider {
    private let peer: HTTPPeer
    private let accountSID: String
    private let authToken: String
    private let from: String

    init(client: HTTPClient, base: URL, accountSID: String, authToken: String, from: String) {
        // Shorter than the service's shutdown time.
        peer = HTTPPeer(
            base, client: client, .init(time: .seconds(8), largestAnswer: 64 * 1_024))
        (self.accountSID, self.authToken, self.from) = (accountSID, authToken, from)
    }

    /// Twilio's description of an error.
    private struct Refusal: Decodable {
        let code: Int?
    }

    func send(_ message: OutgoingMessage) async throws {
        let answer: HTTPPeer.Answer
        do {
            answer = try await peer.call(request(for: message))
        } catch let silence as HTTPPeer.Silence {
            throw MessageError.passing(silence.description, afterSeconds: nil)
        }
        guard !(200..<300).contains(answer.status) else { return }
        // Only the number of the error: its text repeats the phone number.
        let refusal = try? JSONDecoder().decode(Refusal.self, from: answer.body)
        let reason = "status \(answer.status)" + (refusal?.code.map { ", error \($0)" } ?? "")
        guard answer.mayPass else { throw MessageError.final(reason) }
        throw MessageError.passing(reason, afterSeconds: answer.retryAfterSeconds)
    }

    private func request(for message: OutgoingMessage) -> HTTPClientRequest {
        let credentials = Data("\(accountSID):\(authToken)".utf8).base64EncodedString()
        return peer.request(
            .POST, "/2010-04-01/Accounts/\(accountSID)/Messages.json",
            [
                ("authorization", "Basic \(credentials)"),
                ("content-type", "application/x-www-form-urlencoded"),
            ],
            body: ByteBuffer(
                string: formEncoded([
                    ("To", message.to), ("From", from), ("Body", message.text),
                ])))
    }
}
