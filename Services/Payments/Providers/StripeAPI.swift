import AsyncHTTPClient
import Contracts
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit

/// A client of Stripe's HTTP API, with retries and the meaning of refusals.
///
/// Every POST carries an idempotency key of ours, so that it can be repeated: Stripe answers a
/// repeat with the first result.
struct StripeAPI: Sendable {
    /// The version of the API that this code is written for, independent of the account's default.
    static let version = "2024-06-20"
    /// Attempts per call, including the first.
    static let tries = 3
    /// Timeout of one attempt.
    static let timeout: Duration = .seconds(4)
    /// Timeout of all calls of one operation together: shorter than an attempt is held.
    static let patience: Duration = .seconds(10)

    private let peer: HTTPPeer
    private let key: String
    private let logger: Logger
    /// The connected account for which this copy asks; nil for the platform's own.
    private var account: String?
    /// The end of the operation that this copy was made for.
    private var deadline: ContinuousClock.Instant?

    init(
        _ url: URL, key: String, timeout: Duration = Self.timeout, client: HTTPClient,
        logger: Logger
    ) {
        // The largest answer is a page of a hundred charges.
        peer = HTTPPeer(
            url, client: client, .init(time: timeout, tries: Self.tries, patience: Self.patience))
        self.key = key
        self.logger = logger
    }

    /// A copy for the calls of one operation, which share its timeout.
    func begun() -> StripeAPI {
        var copy = self
        copy.deadline = .now + Self.patience
        return copy
    }

    /// A copy that asks for a connected account (Stripe, "Making API calls for connected accounts").
    func acting(for account: String) -> StripeAPI {
        var copy = self
        copy.account = account
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
        if let account { request.headers.add(name: "stripe-account", value: account) }
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

    /// Sends until there is an answer, all attempts are used or the time is over.
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
        case 403 where StripeRefusal(status: 403, request: id, body: answer.body).isClosedAccount:
            throw StripeRefusal(status: 403, request: id, body: answer.body)
        case 401, 403:
            // Without the right key, nothing can be charged.
            logger.critical(
                "Stripe refuses our key: check OPENVALET_PAYMENTS_STRIPE_KEY",
                metadata: ["status": "\(answer.status)", "request": "\(id)"])
            throw ProviderUnavailable(detail: "stripe: status \(answer.status), request \(id)")
        case 409, 429, 500...,
            _ where Self.mayPass(answer):
            throw ProviderUnavailable(detail: "stripe: status \(answer.status), request \(id)")
        default:
            throw StripeRefusal(status: answer.status, request: id, body: answer.body)
        }
    }

    /// Uses Stripe's own hint about a retry, or the status if there is none.
    private static func mayPass(_ answer: HTTPPeer.Answer) -> Bool {
        guard answer.status >= 300, ![401, 402, 403].contains(answer.status) else { return false }
        return switch answer.headers.first(name: "stripe-should-retry") {
        case "true": true
        case nil: answer.status == 409 || answer.status == 429 || answer.status >= 500
        default: false
        }
    }
}

/// A field of a form or query; Stripe nests names like `metadata[payment]`.
typealias StripeField = (name: String, value: String)

/// A refusal by Stripe. Its message is left out, because it may repeat our input.
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

    /// The card was refused: the customer may try another.
    var isDecline: Bool { status == 402 || type == "card_error" }
    /// A connected account was closed, or has left the platform.
    var isClosedAccount: Bool { code == "account_invalid" }
    var isMissing: Bool { status == 404 || code == "resource_missing" }
    /// The customer has to confirm the payment, and was not there.
    var needsPayer: Bool { code == Self.authenticationRequired }
    /// The reason for the customer.
    var reason: String { DeclineReason.forPayer(declineCode ?? code ?? "refused") }

    static let authenticationRequired = "authentication_required"
}

struct StripeNothing: Decodable {}
