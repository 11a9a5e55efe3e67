import AsyncHTTPClient
import Contracts
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit

/// One call of Stripe's HTTP API: its retries, and what a refusal means.
///
/// Every POST carries an idempotency key of ours, so that it may be sent again: Stripe answers a
/// repeat with what it did the first time.
struct StripeAPI: Sendable {
    /// The version of the API that this is written for, whatever the account's own is.
    static let version = "2024-06-20"
    /// Tries of one call, the first included.
    static let tries = 3
    /// How long one try may take.
    static let timeout: Duration = .seconds(4)
    /// How long all calls of one operation may take together: less than an attempt is held.
    static let patience: Duration = .seconds(10)

    private let peer: HTTPPeer
    private let key: String
    private let logger: Logger
    /// When the operation that this copy was made for has to be over.
    private var deadline: ContinuousClock.Instant?

    init(
        _ url: URL, key: String, timeout: Duration = Self.timeout, client: HTTPClient,
        logger: Logger
    ) {
        // A page of a hundred charges is the largest answer.
        peer = HTTPPeer(
            url, client: client, .init(time: timeout, tries: Self.tries, patience: Self.patience))
        self.key = key
        self.logger = logger
    }

    /// For the calls of one operation, which share its time.
    func begun() -> StripeAPI {
        var copy = self
        copy.deadline = .now + Self.patience
        return copy
    }

    func get<Answer: Decodable>(
        _ path: String, _ query: [StripeField] = [], as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let address = query.isEmpty ? path : "\(path)?\(formEncoded(query))"
        return try await call(.GET, address, nil, key: nil)
    }

    func post<Answer: Decodable>(
        _ path: String, _ form: [StripeField], key: String, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        try await call(.POST, path, formEncoded(form), key: key)
    }

    func delete(_ path: String) async throws {
        let _: StripeNothing = try await call(.DELETE, path, nil, key: nil)
    }

    private func call<Answer: Decodable>(
        _ method: HTTPMethod, _ address: String, _ body: String?, key idempotencyKey: String?
    ) async throws -> Answer {
        var request = peer.request(
            method, address,
            [("authorization", "Bearer \(key)"), ("stripe-version", Self.version)])
        if let idempotencyKey {
            request.headers.add(name: "idempotency-key", value: idempotencyKey)
        }
        if let body {
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let data = try await send(request)
        do {
            return try JSONDecoder().decode(Answer.self, from: data)
        } catch {
            throw ProviderUnavailable(detail: "stripe: an answer can't be read")
        }
    }

    /// Sends until there is an answer, the tries are used up or the time is over.
    private func send(_ request: HTTPClientRequest) async throws -> Data {
        let answer: HTTPPeer.Answer
        do {
            answer = try await peer.call(request, until: deadline, mayPass: Self.mayPass)
        } catch let silence as HTTPPeer.Silence {
            throw ProviderUnavailable(detail: "stripe: \(silence)")
        }
        guard answer.status >= 300 else { return answer.body }
        let id = answer.headers.first(name: "request-id") ?? "-"
        switch answer.status {
        case 401, 403:
            // Nothing is charged before somebody gives the right key.
            logger.critical(
                "stripe does not take our key: check OPENVALET_PAYMENTS_STRIPE_KEY",
                metadata: ["status": "\(answer.status)", "request": "\(id)"])
            throw ProviderUnavailable(detail: "stripe: status \(answer.status), request \(id)")
        case 409, 429, 500...,
            _ where Self.mayPass(answer):
            throw ProviderUnavailable(detail: "stripe: status \(answer.status), request \(id)")
        default:
            throw StripeRefusal(status: answer.status, request: id, body: answer.body)
        }
    }

    /// Stripe says itself whether a repeat makes sense; where it does not, by the status.
    private static func mayPass(_ answer: HTTPPeer.Answer) -> Bool {
        guard answer.status >= 300, ![401, 402, 403].contains(answer.status) else { return false }
        return switch answer.headers.first(name: "stripe-should-retry") {
        case "true": true
        case nil: answer.status == 409 || answer.status == 429 || answer.status >= 500
        default: false
        }
    }
}

/// A field of a form or query: names like `metadata[payment]` are nested by Stripe.
typealias StripeField = (name: String, value: String)

/// Stripe understood, and says no. Its message is left out: it may repeat what was sent.
struct StripeRefusal: Error, Equatable {
    let status: Int
    let request: String
    let type: String?
    let code: String?
    let declineCode: String?
    let parameter: String?

    init(status: Int, request: String, body: Data) {
        let answer = try? JSONDecoder().decode(Answer.self, from: body)
        self.status = status
        self.request = request
        type = answer?.error.type
        code = answer?.error.code
        declineCode = answer?.error.decline_code
        parameter = answer?.error.param
    }

    private struct Answer: Decodable {
        struct Error: Decodable {
            let type: String?
            let code: String?
            let decline_code: String?
            let param: String?
        }
        let error: Error
    }

    /// The card was the reason: the customer may try another.
    var isDecline: Bool { status == 402 || type == "card_error" }
    var isMissing: Bool { status == 404 || code == "resource_missing" }
    /// What the customer is told.
    var reason: String { declineCode ?? code ?? "refused" }
}

struct StripeNothing: Decodable {}
