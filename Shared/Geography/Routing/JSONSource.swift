import AsyncHTTPClient
import Foundation
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceKit

/// A client for an HTTP API that answers in JSON.
struct JSONSource: Sendable {
    /// Its name in log and metrics.
    private let name: String
    private let peer: HTTPPeer
    private let userAgent: String
    private let logger: Logger

    init(
        _ name: String, _ url: URL, client: HTTPClient, _ policy: HTTPPeer.Policy,
        userAgent: String = "OpenValet",
        breaker: CircuitBreaker? = nil
    ) {
        self.name = name
        peer = HTTPPeer(
            url, client: client, policy,
            breaker: breaker ?? CircuitBreaker(name, threshold: 3, pause: .seconds(5)))
        self.userAgent = userAgent
        logger = Logger(label: name)
    }

    func get<Answer: Decodable & Sendable>(
        _ path: String, _ query: [(name: String, value: String)], as type: Answer.Type
    ) async throws -> Answer {
        let pairs = query.map { "\($0.name)=\(Self.escape($0.value))" }.joined(separator: "&")
        return try await ask(peer.request(.GET, "\(path)?\(pairs)"), as: type)
    }

    func post<Answer: Decodable & Sendable>(
        _ path: String, _ body: some Encodable, as type: Answer.Type
    ) async throws -> Answer {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(body))
        return try await ask(
            peer.request(.POST, path, [("content-type", "application/json")], body: body),
            as: type)
    }

    /// True while calls would be refused, so callers need not wait to find out.
    var isAway: Bool { peer.isAway }

    /// A router's reason to refuse.
    private struct Problem: Decodable {
        /// Valhalla's (valhalla.github.io/valhalla/api/turn-by-turn/api-reference, "Internal error codes and
        /// conditions").
        let error_code: Int?
        /// OSRM's (project-osrm.org/docs, "Responses").
        let code: String?

        /// "No suitable edges near location", "one of the supplied input coordinates could not snap to street segment".
        var isOffMap: Bool { error_code == 171 || code == "NoSegment" }
    }

    private func count(_ outcome: String) {
        Counter(
            label: "routing_requests_total", dimensions: [("peer", name), ("outcome", outcome)]
        ).increment()
    }

    private func ask<Answer: Decodable & Sendable>(
        _ request: HTTPClientRequest, as type: Answer.Type
    ) async throws -> Answer {
        guard !isAway else { throw RoutingError.away }
        var request = request
        request.headers.add(name: "accept", value: "application/json")
        request.headers.add(name: "user-agent", value: userAgent)
        var found: Answer?
        var reason = ""
        do {
            let answer = try await peer.call(request) { answer in
                found =
                    answer.status == 200
                    ? try? JSONDecoder().decode(type, from: answer.body) : nil
                // Rate limits and overload pass, as may an unreadable answer.
                return answer.mayPass || answer.status == 403
                    || answer.status == 200 && found == nil
            }
            reason = "status \(answer.status)"
            if let found {
                count("answered")
                return found
            }
            if answer.status != 200, answer.status != 403, !answer.mayPass {
                count("refused")
                let problem = try? JSONDecoder().decode(Problem.self, from: answer.body)
                throw problem?.isOffMap == true ? RoutingError.offMap : RoutingError.refused
            }
        } catch let silence as HTTPPeer.Silence {
            reason = silence.description
        }
        count("failed")
        if isAway {
            logger.warning(
                "a server gave a wrong answer or none; pausing requests to it",
                metadata: ["peer": "\(name)", "error": "\(reason)"])
        }
        throw RoutingError.away
    }

    /// Escapes everything except RFC 3986's unreserved characters, and the comma, which separates numbers here.
    private static func escape(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
