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
    /// Longest `Retry-After` that is waited for.
    static let longestWait: Duration = .seconds(3)
    static let firstWait: Duration = .milliseconds(100)
    /// Largest answer, in bytes: a page of a hundred charges.
    static let largestAnswer = 4 * 1_024 * 1_024

    private let base: String
    private let key: String
    private let timeout: Duration
    private let client: HTTPClient
    private let logger: Logger
    /// When the operation that this copy was made for has to be over.
    private var deadline: ContinuousClock.Instant?

    init(
        _ url: URL, key: String, timeout: Duration = Self.timeout, client: HTTPClient,
        logger: Logger
    ) {
        let text = url.absoluteString
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
        self.key = key
        self.timeout = timeout
        self.client = client
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
        let address = query.isEmpty ? path : "\(path)?\(query.form)"
        return try await call(.GET, address, nil, key: nil)
    }

    func post<Answer: Decodable>(
        _ path: String, _ form: [StripeField], key: String, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        try await call(.POST, path, form.form, key: key)
    }

    func delete(_ path: String) async throws {
        let _: StripeNothing = try await call(.DELETE, path, nil, key: nil)
    }

    private func call<Answer: Decodable>(
        _ method: HTTPMethod, _ address: String, _ body: String?, key idempotencyKey: String?
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + address)
        request.method = method
        request.headers.add(name: "authorization", value: "Bearer \(key)")
        request.headers.add(name: "stripe-version", value: Self.version)
        if let idempotencyKey {
            request.headers.add(name: "idempotency-key", value: idempotencyKey)
        }
        if let body {
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let bytes = try await insist(request)
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(bytes.readableBytesView))
        } catch {
            throw ProviderUnavailable(detail: "stripe: an answer can't be read")
        }
    }

    /// Sends until there is an answer, the tries are used up or the time is over.
    private func insist(_ request: HTTPClientRequest) async throws -> ByteBuffer {
        var pause = Self.firstWait
        for attempt in 1... {
            switch try await send(request) {
            case .answer(let bytes): return bytes
            case .refused(let refusal): throw refusal
            case .again(let reason, let asked):
                let wait = min(asked ?? pause, Self.longestWait) * Double.random(in: 1...1.5)
                guard attempt < Self.tries, ContinuousClock.now + wait < limit else {
                    throw ProviderUnavailable(detail: reason)
                }
                try await Task.sleep(for: wait)
                pause *= 4
            }
        }
        throw ProviderUnavailable(detail: "stripe: not asked")
    }

    private var limit: ContinuousClock.Instant { deadline ?? .now + Self.patience }

    private enum Result {
        case answer(ByteBuffer)
        case refused(StripeRefusal)
        /// Nobody knows what became of it: the same again, after a while.
        case again(String, Duration?)
    }

    private func send(_ request: HTTPClientRequest) async throws -> Result {
        let time = min(timeout, max(limit - .now, .milliseconds(1)))
        let response: HTTPClientResponse
        let bytes: ByteBuffer
        do {
            response = try await client.execute(request, timeout: .nanoseconds(time.nanoseconds))
            bytes = try await response.body.collect(upTo: Self.largestAnswer)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return .again("stripe: \(type(of: error))", nil)
        }
        let status = Int(response.status.code)
        guard status >= 300 else { return .answer(bytes) }
        let id = response.headers.first(name: "request-id") ?? "-"
        let asked = response.headers.first(name: "retry-after").flatMap(Int.init).map {
            Duration.seconds(max(0, $0))
        }
        switch (status, response.headers.first(name: "stripe-should-retry")) {
        case (401, _), (403, _):
            // Nothing is charged before somebody gives the right key.
            logger.critical(
                "stripe does not take our key: check OPENVALET_PAYMENTS_STRIPE_KEY",
                metadata: ["status": "\(status)", "request": "\(id)"])
            throw ProviderUnavailable(detail: "stripe: status \(status), request \(id)")
        case (402, _): break
        case (_, "true"), (409, nil), (429, nil), (500..., nil):
            return .again("stripe: status \(status), request \(id)", asked)
        case (409, _), (429, _), (500..., _):
            throw ProviderUnavailable(detail: "stripe: status \(status), request \(id)")
        default: break
        }
        return .refused(StripeRefusal(status: status, request: id, body: bytes))
    }
}

/// A field of a form or query: names like `metadata[payment]` are nested by Stripe.
typealias StripeField = (name: String, value: String)

extension [StripeField] {
    /// As `application/x-www-form-urlencoded`.
    var form: String {
        map { "\(Self.escape($0.name))=\(Self.escape($0.value))" }.joined(separator: "&")
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// Stripe understood, and says no. Its message is left out: it may repeat what was sent.
struct StripeRefusal: Error, Equatable {
    let status: Int
    let request: String
    let type: String?
    let code: String?
    let declineCode: String?
    let parameter: String?

    init(status: Int, request: String, body: ByteBuffer) {
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
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
