import AsyncHTTPClient
import Foundation
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceKit

/// Somebody's HTTP API that answers in JSON: asked with a time limit, a size limit and a circuit
/// breaker, so that one that is away costs nobody more than that.
struct JSONSource: Sendable {
    struct Limits: Sendable {
        /// Of the whole answer, its last byte included.
        var time: Duration
        /// In bytes.
        var answer: Int
    }

    /// What it is called in log and metrics.
    private let name: String
    private let base: String
    private let client: HTTPClient
    private let limits: Limits
    private let userAgent: String
    private let breaker: CircuitBreaker
    private let logger: Logger

    init(
        _ name: String, _ url: URL, client: HTTPClient, limits: Limits,
        userAgent: String = "OpenValet",
        breaker: CircuitBreaker = CircuitBreaker(threshold: 3, pause: .seconds(5))
    ) {
        self.name = name
        let text = url.absoluteString
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
        self.client = client
        self.limits = limits
        self.userAgent = userAgent
        self.breaker = breaker
        logger = Logger(label: name)
    }

    func get<Answer: Decodable & Sendable>(
        _ path: String, _ query: [(name: String, value: String)], as type: Answer.Type
    ) async throws -> Answer {
        let pairs = query.map { "\($0.name)=\(Self.escape($0.value))" }.joined(separator: "&")
        return try await ask(HTTPClientRequest(url: "\(base)\(path)?\(pairs)"), as: type)
    }

    func post<Answer: Decodable & Sendable>(
        _ path: String, _ body: some Encodable, as type: Answer.Type
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
        return try await ask(request, as: type)
    }

    /// True while it would not be asked: nobody has to wait to learn that.
    var isAway: Bool { breaker.isOpen }

    private func count(_ outcome: String) {
        Counter(
            label: "routing_requests_total", dimensions: [("peer", name), ("outcome", outcome)]
        ).increment()
    }

    private struct Unwilling: Error {
        let status: UInt
    }

    private func ask<Answer: Decodable & Sendable>(
        _ request: HTTPClientRequest, as type: Answer.Type
    ) async throws -> Answer {
        guard breaker.mayCall() else { throw RoutingError.away }
        var request = request
        request.headers.add(name: "accept", value: "application/json")
        request.headers.add(name: "user-agent", value: userAgent)
        let answer: Answer
        do {
            let asked = request
            // The client's own limit ends with the head of the answer, so the whole is raced.
            answer = try await withTimeLimit(limits.time) { try await exchange(asked, as: type) }
        } catch RoutingError.refused {
            breaker.succeeded()
            count("refused")
            throw RoutingError.refused
        } catch {
            if Task.isCancelled {
                breaker.abandoned()
                throw CancellationError()
            }
            breaker.failed()
            count("failed")
            if breaker.isOpen {
                logger.warning(
                    "does not answer as it should, and is not asked for a while",
                    metadata: ["peer": "\(name)", "error": "\(error)"])
            }
            throw RoutingError.away
        }
        breaker.succeeded()
        count("answered")
        return answer
    }

    private func exchange<Answer: Decodable>(
        _ request: HTTPClientRequest, as type: Answer.Type
    ) async throws -> Answer {
        let response = try await client.execute(
            request, timeout: .nanoseconds(limits.time.nanoseconds))
        let body = try await response.body.collect(upTo: limits.answer)
        switch response.status.code {
        case 200: return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        // Too much asked of it, or too often: that passes.
        case 403, 408, 429, 500...: throw Unwilling(status: response.status.code)
        default: throw RoutingError.refused
        }
    }

    /// RFC 3986: everything but the unreserved characters, and a comma, which separates numbers here.
    private static func escape(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
