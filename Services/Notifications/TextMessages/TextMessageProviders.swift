import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import ServiceKit
import Store

/// Somebody who brings text messages to phones.
protocol TextMessageProvider: Sendable {
    func send(_ message: OutgoingText) async throws
}

struct OutgoingText: Sendable, Hashable {
    /// The same for each try of one message.
    let id: MessageID
    let person: PersonID?
    /// E.164. Never logged.
    let phone: String
    let text: String
}

/// A message that was not accepted. Its words never hold the number.
enum TextMessageError: Error, Equatable {
    /// Try again, not before `afterSeconds` when the provider says so.
    case passing(String, afterSeconds: Int?)
    /// No further try can help.
    case final(String)
}

/// Keeps messages instead of sending them: for development and demonstrations.
struct DevTextMessages: TextMessageProvider {
    let database: Database
    let clock: HouseClock

    func send(_ message: OutgoingText) async throws {
        let now = clock.now
        try await database.write { transaction in
            if let person = message.person, try transaction.isDeleted(person) { return }
            try transaction.execute(
                """
                INSERT INTO text_messages (id, person, phone, text, sent_at)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """, message.id, message.person, message.phone, message.text, now)
            try transaction.execute(
                """
                DELETE FROM text_messages WHERE id < (
                    SELECT MIN(id) FROM (
                        SELECT id FROM text_messages ORDER BY id DESC LIMIT ?) AS newest)
                """, NotificationStore.mostKeptMessages)
        }
    }

    /// Newest first; of everybody when no number is named.
    func kept(for phone: String?, _ page: PageRequest) async throws -> Page<TextMessage> {
        if let after = page.after, MessageID(after) == nil { throw InvalidRequest.cursor }
        let whose = phone == nil ? "" : "phone = ? AND"
        // "g" sorts behind every id.
        let arguments: [(any SQLConvertible)?] =
            (phone.map { [$0] } ?? []) + [page.after?.lowercased() ?? "g", page.limit + 1]
        return try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT id, phone, text, sent_at FROM text_messages
                WHERE \(whose) id < ? ORDER BY id DESC LIMIT ?
                """, arguments: arguments)
            let items = try rows.prefix(page.limit).map { try TextMessage($0) }
            let next: String? =
                rows.count > page.limit ? try rows[page.limit - 1].get("id") : nil
            return Page(items: items, next: next)
        }
    }
}

extension TextMessage {
    fileprivate init(_ row: Row) throws {
        self.init(
            phone: try row.get("phone"), text: try row.get("text"),
            sentAt: try row.get("sent_at"))
    }
}

extension Transaction {
    /// Newest first.
    func textMessages(to person: PersonID) throws -> [TextMessage] {
        try rows(
            "SELECT phone, text, sent_at FROM text_messages WHERE person = ? ORDER BY id DESC",
            person
        ).map { try TextMessage($0) }
    }
}

/// Twilio's Messages resource, or anything that speaks it: form-encoded, HTTP basic authentication.
struct TwilioTextMessages: TextMessageProvider {
    /// Longest time that one request may take: shorter than a stop of the service.
    static let timeout: TimeAmount = .seconds(8)
    /// Largest answer that is read, in bytes.
    static let largestAnswer = 64 * 1_024

    let client: HTTPClient
    let base: URL
    let accountSID: String
    let authToken: String
    let from: String

    /// Twilio's description of an error.
    private struct Refusal: Decodable {
        let code: Int?
    }

    func send(_ message: OutgoingText) async throws {
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request(for: message), timeout: Self.timeout)
        } catch {
            throw TextMessageError.passing("no answer: \(type(of: error))", afterSeconds: nil)
        }
        let status = Int(response.status.code)
        guard !(200..<300).contains(status) else { return }
        let after = response.headers.first(name: "retry-after").flatMap(Int.init)
        // Only the number of the error: its words repeat the phone number.
        let body = try? await response.body.collect(upTo: Self.largestAnswer)
        let refusal = body.flatMap {
            try? JSONDecoder().decode(Refusal.self, from: Data($0.readableBytesView))
        }
        let reason = "status \(status)" + (refusal?.code.map { ", error \($0)" } ?? "")
        if status == 408 || status == 429 || status >= 500 {
            throw TextMessageError.passing(reason, afterSeconds: after)
        }
        throw TextMessageError.final(reason)
    }

    private func request(for message: OutgoingText) -> HTTPClientRequest {
        let root =
            base.absoluteString.hasSuffix("/")
            ? String(base.absoluteString.dropLast()) : base.absoluteString
        var request = HTTPClientRequest(
            url: "\(root)/2010-04-01/Accounts/\(accountSID)/Messages.json")
        request.method = .POST
        let credentials = Data("\(accountSID):\(authToken)".utf8).base64EncodedString()
        request.headers.add(name: "authorization", value: "Basic \(credentials)")
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        let form = [("To", message.phone), ("From", from), ("Body", message.text)]
        let body = form.map { "\($0.0)=\(Self.formEncoded($0.1))" }.joined(separator: "&")
        request.body = .bytes(ByteBuffer(string: body))
        return request
    }

    /// WHATWG URL standard, `application/x-www-form-urlencoded`.
    static func formEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x20: result += "+"
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += (byte < 16 ? "%0" : "%") + digits
            }
        }
    }
}
