import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Metrics
import NIOCore
import NIOHTTP1

/// A client for another service, or for a foreign HTTP API, with time-outs, retries of safe calls and a circuit
/// breaker.
public final class Peer: Sendable {
    /// Tries of a safe call, including the first.
    static let tries = 3

    /// Why a call failed.
    public enum Failure: Loggable, Retriable {
        /// No connection, no answer in time, a 5xx, or an open circuit.
        case unavailable(String)
        /// The peer refused, with its own problem.
        case refused(Problem)
        /// The answer does not have the agreed form.
        case malformed(String)

        public var isRetriable: Bool {
            if case .unavailable = self { true } else { false }
        }

        /// Without what the peer says in its own words: a problem's detail is for the person who asked.
        public var loggable: String {
            switch self {
            case .unavailable(let reason), .malformed(let reason): reason
            case .refused(let problem): "refused: \(problem.status) \(problem.code)"
            }
        }
    }

    private let peer: HTTPPeer
    private let tokens: ServiceTokens
    private let audience: String
    private let metrics: PeerMetrics

    /// `audience` is the peer's service name, for which its service token is made.
    public init(
        _ base: URL, audience: String, client: HTTPClient, tokens: ServiceTokens,
        timeout: Duration = .seconds(3)
    ) {
        peer = HTTPPeer(
            base, client: client,
            .init(time: timeout, tries: Self.tries, firstPause: .milliseconds(20)),
            breaker: CircuitBreaker(audience))
        metrics = PeerMetrics(audience)
        self.audience = audience
        self.tokens = tokens
    }

    /// A GET is retried after a growing, jittered pause. A POST is tried once: only the caller knows whether it may
    /// be repeated.
    public func callAsFunction<Answer: Decodable>(
        _ call: EndpointCall<Answer>
    ) async throws -> Answer {
        let body = try await send(call.request)
        do {
            return try Wire.decode(Answer.self, from: body)
        } catch {
            throw Failure.malformed("an answer of \(audience) can't be read")
        }
    }

    private func send(_ call: EndpointRequest) async throws -> Data {
        var request = peer.request(
            HTTPMethod(rawValue: call.method.rawValue), call.target, call.headers)
        request.headers.add(
            name: "authorization", value: "Bearer \(try await tokens.token(for: audience))")
        if let body = call.body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let answer: HTTPPeer.Answer
        let start = ContinuousClock.now
        var isAnswered = false
        defer { metrics.record(ContinuousClock.now - start, isAnswered: isAnswered) }
        do {
            answer = try await withSpan(
                "\(call.method.rawValue) \(audience)", .client
            ) { [request] trace in
                var request = request
                if let trace { request.headers.add(name: "traceparent", value: trace.text) }
                // A refusal is an answer, even if it may pass.
                return try await peer.call(
                    request, tries: call.retry == .always ? Self.tries : 1
                ) { $0.status >= 500 }
            }
        } catch let silence as HTTPPeer.Silence {
            throw Failure.unavailable("\(audience): \(silence)")
        }
        isAnswered = answer.status < 500
        guard isAnswered else {
            throw Failure.unavailable("\(audience): status \(answer.status)")
        }
        guard answer.status < 300 else {
            throw (try? Problem(answer: answer.body)).map(Failure.refused)
                ?? Failure.malformed("\(audience): status \(answer.status)")
        }
        return answer.body
    }
}

/// The times of calls of one service.
private struct PeerMetrics: Sendable {
    private let answered, failed: Metrics.Timer

    init(_ peer: String) {
        func timer(_ outcome: String) -> Metrics.Timer {
            Metrics.Timer(
                label: "openvalet_peer_seconds", dimensions: [("peer", peer), ("outcome", outcome)])
        }
        (answered, failed) = (timer("answered"), timer("failed"))
    }

    func record(_ duration: Duration, isAnswered: Bool) {
        (isAnswered ? answered : failed).record(duration: duration)
    }
}

/// The services that may own a thing. They are asked when its event has not arrived, so that an event still on its
/// way is never taken for an unknown thing.
public struct Owners: Sendable {
    let peers: [Peer]

    public init(_ peers: [Peer]) { self.peers = peers }

    /// Its current state; nil if no service knows it. Throws while one of them can't answer.
    public func newest<News: Decodable>(_ call: EndpointCall<News>) async throws -> News? {
        for peer in peers {
            do {
                return try await peer(call)
            } catch Peer.Failure.refused(let problem) where problem.status == 404 {
                continue
            }
        }
        return nil
    }
}

extension Duration {
    /// Whole nanoseconds; for time-outs, which are far from overflow.
    public var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }

    public var seconds: Double { Double(nanoseconds) / 1e9 }
}
