import AsyncHTTPClient
import EventBus
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client for an HTTP API with limits on time and size. It retries temporary failures after a growing random pause,
/// and stops calling for a while when the API fails repeatedly.
public struct HTTPPeer: Sendable {
    public struct Policy: Sendable {
        /// Maximum duration of one try, including the last byte of its answer.
        public var time: Duration
        /// Maximum size of an answer, in bytes.
        public var largestAnswer: Int
        /// Number of tries, including the first. Only calls that may be repeated have more than one.
        public var tries: Int
        /// The pause before the second try; four times as long before each further one.
        public var firstPause: Duration
        /// No try begins, or is waited for, after this time; at least the duration of one try.
        public var patience: Duration
        /// The longest `Retry-After` to wait for.
        public var longestWait: Duration

        public init(
            time: Duration = .seconds(3), largestAnswer: Int = 4 * 1_024 * 1_024, tries: Int = 1,
            firstPause: Duration = .milliseconds(100), patience: Duration = .seconds(10),
            longestWait: Duration = .seconds(3)
        ) {
            (self.time, self.largestAnswer, self.tries) = (time, largestAnswer, tries)
            (self.firstPause, self.patience) = (firstPause, max(patience, time))
            self.longestWait = longestWait
        }
    }

    public struct Answer: Sendable {
        public let status: Int
        public let headers: HTTPHeaders
        public let body: Data

        /// Whether the status says that the same call may succeed later.
        public var mayPass: Bool { status == 408 || status == 429 || status >= 500 }

        /// The `Retry-After` in seconds. Dates, the other form in RFC 9110, are not read.
        public var retryAfterSeconds: Int? {
            headers.first(name: "retry-after").flatMap(Int.init).map { max(0, $0) }
        }
    }

    /// There was no answer, so the outcome of the call is unknown. The description contains nothing that was sent.
    public struct Silence: Loggable, CustomStringConvertible {
        public let description: String
    }

    /// For example `https://example.org/api`, without a trailing slash.
    public let base: String
    private let policy: Policy
    private let client: HTTPClient
    private let breaker: CircuitBreaker?

    /// - Parameter breaker: Counts every try; nil for a peer that is always called, even after failures.
    public init(
        _ base: URL, client: HTTPClient, _ policy: Policy = Policy(), breaker: CircuitBreaker? = nil
    ) {
        let text = base.absoluteString
        self.base = text.hasSuffix("/") ? String(text.dropLast()) : text
        self.client = client
        self.policy = policy
        self.breaker = breaker
    }

    /// True while calls would be refused, so callers need not wait to find out.
    public var isAway: Bool { breaker?.isOpen ?? false }

    /// A request for a path with its query.
    public func request(
        _ method: HTTPMethod, _ path: String, _ headers: [(name: String, value: String)] = [],
        body: ByteBuffer? = nil
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        if let body { request.body = .bytes(body) }
        return request
    }

    /// The answer, whatever its status; the last one if all tries failed.
    ///
    /// - Parameters:
    ///   - tries: Fewer than in the policy, for a call that may not be repeated.
    ///   - deadline: No try begins after it; by default the policy's patience decides.
    ///   - mayPass: Whether an answer is a temporary failure.
    /// - Throws: `Silence` if there was no answer, `CancellationError`.
    public func call(
        _ request: HTTPClientRequest, tries: Int? = nil,
        until deadline: ContinuousClock.Instant? = nil,
        mayPass: (Answer) -> Bool = \.mayPass
    ) async throws -> Answer {
        let deadline = deadline ?? .now + policy.patience
        var pause = policy.firstPause
        var left = tries ?? policy.tries
        while true {
            left -= 1
            let result = try await attempt(request, until: deadline, mayPass)
            if case .success(let answer) = result, !mayPass(answer) { return answer }
            var wait = pause * Double.random(in: 0.5...1.5)
            if case .success(let answer) = result, let asked = answer.retryAfterSeconds {
                wait = min(.seconds(asked), policy.longestWait) * Double.random(in: 1...1.5)
            }
            guard left > 0, !isAway, .now + wait < deadline else { return try result.get() }
            try await Task.sleep(for: wait)
            pause *= 4
        }
    }

    private func attempt(
        _ request: HTTPClientRequest, until deadline: ContinuousClock.Instant,
        _ mayPass: (Answer) -> Bool
    ) async throws -> Result<Answer, any Error> {
        guard breaker?.mayCall() != false else {
            return .failure(Silence(description: "it failed too often, and is not asked now"))
        }
        let time = min(policy.time, max(deadline - .now, .milliseconds(1)))
        do {
            // The client's own limit ends with the head of the answer, so we limit the whole exchange.
            let answer = try await withTimeLimit(time) { try await exchange(request, time) }
            if mayPass(answer) { breaker?.failed() } else { breaker?.succeeded() }
            return .success(answer)
        } catch {
            if Task.isCancelled {
                breaker?.abandoned()
                throw CancellationError()
            }
            breaker?.failed()
            return .failure(Silence(description: "no answer: \(loggable(error))"))
        }
    }

    private func exchange(_ request: HTTPClientRequest, _ time: Duration) async throws -> Answer {
        let response = try await client.execute(request, timeout: .nanoseconds(time.nanoseconds))
        let body = try await response.body.collect(upTo: policy.largestAnswer)
        return Answer(
            status: Int(response.status.code), headers: response.headers,
            body: Data(body.readableBytesView))
    }
}

extension HTTPClientError: Loggable {
    /// The description may quote a header.
    public var loggable: String { shortDescription }
}

// The host and the port that were called, and the system's reason.
extension NIOConnectionError: Loggable {}
extension IOError: Loggable {}
