import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore

/// The public API of the gateway, typed: `try await client(OrderEndpoints.order(id))`.
///
/// It renews the access token shortly before it expires, and once after a 401. It repeats repeatable
/// calls after connection errors and 503; all attempts of one call have the same `Idempotency-Key`.
public struct OpenValetClient: Sendable {
    /// Longest time of one attempt until the answer begins.
    public static let timeoutSeconds = 15
    /// The live stream sends something every 15 seconds; after this time without a byte the connection is dead.
    public static let silenceSeconds = 45
    public static let mostTries = 4
    public static let firstRetryDelay = Duration.milliseconds(100)
    /// Longest pause between two attempts; a longer `Retry-After` is passed to the caller.
    public static let longestRetryDelay = Duration.seconds(5)
    /// Largest answer read: the service areas are the longest.
    public static let answerLimitBytes = 16 * 1_024 * 1_024
    /// Each live stream holds a connection, so this also bounds the streams of one process.
    public static let mostConnectionsPerHost = 1_024

    public let baseURL: String
    public let session: Session
    let http: HTTPClient
    let observer: Observer?
    /// The client for which a program of the platform calls, as `X-Forwarded-For`; the gateway believes it only from
    /// trusted addresses.
    public var forwardedFor: String?

    /// Called for every attempt, including retries, on the thread that made it.
    public typealias Observer = @Sendable (Exchange) -> Void

    /// Creates a client with its own session; pass `http` to share other connections than the default ones.
    public init(
        _ baseURL: URL, tokens: Tokens? = nil, http: HTTPClient? = nil, observer: Observer? = nil
    ) {
        let text = baseURL.absoluteString
        self.baseURL = text.hasSuffix("/") ? String(text.dropLast()) : text
        session = Session(tokens)
        self.http = http ?? Self.sharedHTTP
        self.observer = observer
    }

    /// Lives as long as the process, like `HTTPClient.shared`, whose limit of eight connections a
    /// host would let eight live streams block everything else.
    private static let sharedHTTP = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: configuration)

    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            timeout: .init(connect: .seconds(5), read: .seconds(Int64(silenceSeconds))))
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            mostConnectionsPerHost
        // Fail at once if the server is unavailable: the retries here know which calls are repeatable.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// Sends a call. Throws a refusal as ``ClientError/problem(_:)``, with its code. A 204 is nil if the answer may be
    /// absent.
    @discardableResult
    public func callAsFunction<Answer: Decodable>(_ call: EndpointCall<Answer>) async throws
        -> Answer
    {
        let response = try await send(call.request)
        if response.status == 204, let optional = Answer.self as? any ExpressibleByNilLiteral.Type,
            let none = optional.init(nilLiteral: ()) as? Answer
        {
            return none
        }
        return try Self.decode(Answer.self, response.body)
    }

    /// Sends a call that has no answer.
    public func callAsFunction(_ call: EndpointCall<Void>) async throws {
        _ = try await send(call.request)
    }

    /// Sends a call whose answer is not JSON, for example a picture.
    public func callAsFunction(_ call: EndpointCall<Bytes>) async throws -> Data {
        try await send(call.request).body
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ body: Data) throws -> Value {
        do {
            return try Wire.decode(type, from: body)
        } catch {
            throw ClientError.malformedAnswer("\(type): \(error)")
        }
    }
}

// MARK: - Sending

extension OpenValetClient {
    struct Response: Sendable {
        let status: Int
        let body: Data
    }

    func send(_ call: EndpointRequest) async throws -> Response {
        let isSignedIn = await session.tokens != nil
        guard call.needsToken || call.isPersonal && isSignedIn else {
            return try await sendWithRetries(call, token: nil)
        }
        let token = try await freshToken()
        do {
            return try await sendWithRetries(call, token: token)
        } catch let error as ClientError where error.status == 401 {
            let next = try await renewed(insteadOf: token)
            return try await sendWithRetries(call, token: next)
        }
    }

    func freshToken() async throws -> String {
        try await session.freshToken { tokens in try await renew(tokens) }
    }

    func renewed(insteadOf token: String) async throws -> String {
        try await session.accessToken(insteadOf: token) { tokens in
            try await renew(tokens)
        }
    }

    private func renew(_ tokens: Tokens) async throws -> Tokens {
        let body = RefreshBody(refreshToken: tokens.refreshToken)
        // Repeated with its key: without it the refresh token would be used twice, which ends the session.
        let call = try AccountEndpoints.refresh(body: body).request
        let response = try await repeating(call) { try await sendToTheEnd(call) }
        return try Self.decode(Tokens.self, response.body)
    }

    /// A cancelled caller must not lose the new tokens: a future can't be cancelled.
    private func sendToTheEnd(_ call: EndpointRequest) async throws -> Response {
        try await observed(call) { try await exchangeToTheEnd(call) }
    }

    private func exchangeToTheEnd(_ call: EndpointRequest) async throws -> Response {
        var request = try HTTPClient.Request(
            url: baseURL + call.target, method: .RAW(value: call.method.rawValue),
            headers: ["Content-Type": "application/json"], body: call.body.map { .data($0) })
        for (name, value) in call.headers { request.headers.add(name: name, value: value) }
        let response: HTTPClient.Response
        do {
            response = try await http.execute(
                request: request, deadline: .now() + .seconds(Int64(Self.timeoutSeconds))
            ).get()
        } catch {
            throw ClientError.unreachable("\(call.method.rawValue) \(call.path): \(error)")
        }
        let body = response.body.map { Data($0.readableBytesView) } ?? Data()
        return try Self.checked(
            Response(status: Int(response.status.code), body: body),
            retryAfter: response.headers.first(name: "Retry-After"))
    }

    private func sendWithRetries(_ call: EndpointRequest, token: String?) async throws -> Response {
        try await repeating(call) { try await sendOnce(call, token: token) }
    }

    private func repeating(
        _ call: EndpointRequest, _ send: () async throws -> Response
    ) async throws -> Response {
        var pause = Self.firstRetryDelay
        var attempt = 1
        while true {
            do {
                return try await send()
            } catch let error as ClientError {
                guard attempt < Self.mostTries,
                    let delay = Self.delay(after: error, call.retry, otherwise: pause)
                else { throw error }
                try await Task.sleep(for: delay)
                pause = min(pause * 2, Self.longestRetryDelay)
                attempt += 1
            }
        }
    }

    /// Nil if the call may not or need not be repeated.
    static func delay(
        after error: ClientError, _ retry: EndpointRequest.Retry, otherwise pause: Duration
    ) -> Duration? {
        switch error {
        case .unreachable:
            return retry == .always ? pause : nil
        case .problem(let problem) where problem.status == 503:
            guard let seconds = problem.retryAfterSeconds else { return pause }
            let asked = Duration.seconds(seconds)
            return asked <= longestRetryDelay ? max(asked, pause) : nil
        case .unexpectedStatus(503):
            return retry == .always ? pause : nil
        case .problem, .unexpectedStatus, .malformedAnswer, .signedOut:
            return nil
        }
    }

    private func sendOnce(_ call: EndpointRequest, token: String?) async throws -> Response {
        try await observed(call) { try await exchange(call, token: token) }
    }

    private func exchange(_ call: EndpointRequest, token: String?) async throws -> Response {
        let request = request(call, token: token)
        let seconds = Int64(Self.timeoutSeconds + call.waitSeconds)
        do {
            let response = try await http.execute(request, timeout: .seconds(seconds))
            let buffer = try await response.body.collect(upTo: Self.answerLimitBytes)
            return try Self.checked(
                Response(status: Int(response.status.code), body: Data(buffer.readableBytesView)),
                retryAfter: response.headers.first(name: "Retry-After"))
        } catch let error as ClientError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw ClientError.unreachable("\(call.method.rawValue) \(call.path): \(error)")
        }
    }

    func request(_ call: EndpointRequest, token: String?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: baseURL + call.target)
        request.method = .RAW(value: call.method.rawValue)
        for header in call.headers { request.headers.add(name: header.name, value: header.value) }
        if !request.headers.contains(name: "Accept") {
            request.headers.add(name: "Accept", value: "application/json, application/problem+json")
        }
        if let forwardedFor { request.headers.add(name: "X-Forwarded-For", value: forwardedFor) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body = call.body {
            request.headers.add(name: "Content-Type", value: call.contentType)
            request.body = .bytes(body)
        }
        return request
    }

    private static func checked(_ answer: Response, retryAfter: String?) throws -> Response {
        guard (200..<300).contains(answer.status) else {
            throw refusal(answer, retryAfter: retryAfter)
        }
        return answer
    }

    static func refusal(_ answer: Response, retryAfter: String?) -> ClientError {
        guard var problem = try? Problem(answer: answer.body) else {
            return .unexpectedStatus(answer.status)
        }
        problem.retryAfterSeconds = problem.retryAfterSeconds ?? retryAfter.flatMap { Int($0) }
        return .problem(problem)
    }
}
