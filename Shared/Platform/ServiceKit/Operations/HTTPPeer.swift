import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Somebody's HTTP API: asked within limits of time and size, once more after a growing pause of random length when
/// the failure may pass, and not at all for a while when it fails again and again.
public struct HTTPPeer: Sendable {
    public struct Policy: Sendable {
        /// Longest time of one try, the last byte of its answer included.
        public var time: Duration
        /// Largest answer that is read, in bytes.
        public var largestAnswer: Int
        /// Tries of a call, the first included: more than one only for calls that may be repeated.
        public var tries: Int
        /// Before the second try; four times as long before each further one.
        public var firstPause: Duration
        /// No try begins later than this, nor is waited for: never less than the time of one.
        public var patience: Duration
        /// Longest `Retry-After` that is waited for.
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

        /// Whether the same call may go well later: of a status that says so.
        public var mayPass: Bool { status == 408 || status == 429 || status >= 500 }

        /// The `Retry-After` in seconds; a date, the other form of RFC 9110, is not read.
        public var retryAfterSeconds: Int? {
            headers.first(name: "retry-after").flatMap(Int.init).map { max(0, $0) }
        }
    }

    /// There is no answer, and nobody knows what became of the call. The words hold nothing of what was sent.
    public struct Silence: Error, CustomStringConvertible {
        public let description: String
    }

    /// As in `https://example.org/api`, without a slash at the end.
    public let base: String
    private let policy: Policy
    private let client: HTTPClient
    private let breaker: CircuitBreaker?

    /// - Parameter breaker: Counts every try; nil for a peer that is asked whatever became of the last call.
    public init(
        _ base: URL, client: HTTPClient, _ policy: Policy = Policy(), breaker: CircuitBreaker? = nil
    ) {
        let text = base.absoluteString
        self.base = text.hasSuffix("/") ? String(text.dropLast()) : text
        self.client = client
        self.policy = policy
        self.breaker = breaker
    }

    /// True while it would not be asked: nobody has to wait to learn that.
    public var isAway: Bool { breaker?.isOpen ?? false }

    /// A request of a path, with its query.
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

    /// The answer, whatever its status; of a failure that did not pass the last one.
    ///
    /// - Parameters:
    ///   - tries: Fewer than the policy has, for a call that may not be repeated.
    ///   - deadline: When no try begins any more; by the policy's patience when absent.
    ///   - mayPass: What counts as a failure that may pass.
    /// - Throws: `Silence` without any answer, `CancellationError`.
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
            // The client's own limit ends with the head of the answer, so the whole is raced.
            let answer = try await withTimeLimit(time) { try await exchange(request, time) }
            if mayPass(answer) { breaker?.failed() } else { breaker?.succeeded() }
            return .success(answer)
        } catch {
            if Task.isCancelled {
                breaker?.abandoned()
                throw CancellationError()
            }
            breaker?.failed()
            return .failure(Silence(description: "no answer: \(type(of: error))"))
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
