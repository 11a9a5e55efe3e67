import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import ServiceContextModule

/// Another service, or somebody's HTTP API: calls with time-outs, retries of safe calls and a circuit breaker.
public final class Peer: Sendable {
    /// Largest answer that is read, in bytes.
    public static let largestAnswer = 4 * 1_024 * 1_024
    /// Tries of a safe call, the first included.
    static let tries = 3

    /// What was called and could not be had.
    public enum Failure: Error, Retriable {
        /// No connection, no answer in time, a 5xx, or the circuit is open.
        case unavailable(String)
        /// The peer refused, in its own words.
        case refused(Problem)
        /// The answer is not what was agreed.
        case malformed(String)

        public var isRetriable: Bool {
            if case .unavailable = self { true } else { false }
        }
    }

    private let base: URL
    private let client: HTTPClient
    private let tokens: ServiceTokens
    private let audience: String
    private let timeout: Duration
    private let breaker = CircuitBreaker()

    /// `audience` is the peer's service name: the one that its service token is made for.
    public init(
        _ base: URL, audience: String, client: HTTPClient, tokens: ServiceTokens,
        timeout: Duration = .seconds(3)
    ) {
        self.base = base
        self.audience = audience
        self.client = client
        self.tokens = tokens
        self.timeout = timeout
    }

    /// Safe, so retried with a growing, jittered pause.
    public func get<Answer: Decodable>(
        _ path: String, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        var pause = Duration.milliseconds(20)
        for _ in 1..<Self.tries {
            do {
                return try decode(type, try await send(.GET, path, body: nil))
            } catch Failure.unavailable {
                try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
                pause *= 4
            }
        }
        return try decode(type, try await send(.GET, path, body: nil))
    }

    /// Tried once: the caller knows whether it may be repeated.
    public func post<Answer: Decodable>(
        _ path: String, body: some Encodable, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        try decode(type, try await send(.POST, path, body: Wire.encode(body)))
    }

    private func decode<Answer: Decodable>(
        _ type: Answer.Type, _ body: ByteBuffer
    ) throws -> Answer {
        do {
            return try Wire.decode(type, from: Data(body.readableBytesView))
        } catch {
            throw Failure.malformed("an answer of \(audience) can't be read")
        }
    }

    private func send(_ method: HTTPMethod, _ path: String, body: Data?) async throws -> ByteBuffer
    {
        guard breaker.mayCall() else { throw Failure.unavailable("\(audience): circuit open") }
        var request = HTTPClientRequest(url: base.absoluteString.trimmingSuffix("/") + path)
        request.method = method
        request.headers.add(
            name: "authorization", value: "Bearer \(try await tokens.token(for: audience))")
        if let trace = ServiceContext.current?.traceContext {
            request.headers.add(name: "traceparent", value: trace.child().text)
        }
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return try await execute(request)
    }

    private func execute(_ request: HTTPClientRequest) async throws -> ByteBuffer {
        let status: HTTPResponseStatus
        let bytes: ByteBuffer
        do {
            let response = try await client.execute(
                request, timeout: .nanoseconds(timeout.nanoseconds))
            status = response.status
            bytes = try await response.body.collect(upTo: Self.largestAnswer)
        } catch {
            if Task.isCancelled {
                breaker.abandoned()
                throw CancellationError()
            }
            breaker.failed()
            throw Failure.unavailable("\(audience): \(type(of: error))")
        }
        guard status.code < 500 else {
            breaker.failed()
            throw Failure.unavailable("\(audience): status \(status.code)")
        }
        breaker.succeeded()
        guard status.code < 300 else {
            let problem = try? Wire.decode(Problem.self, from: Data(bytes.readableBytesView))
            throw problem.map(Failure.refused)
                ?? Failure.malformed("\(audience): status \(status.code)")
        }
        return bytes
    }
}

extension Duration {
    /// Whole nanoseconds; for time-outs, which are far from overflow.
    public var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }

    public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
