import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore

/// A push service that checks and decrypts what it is given with other people's libraries; a process of
/// its own on a free port, which stops with its last reference.
public final class TestPushSink: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// What it answers a push with.
    public struct Told: Codable, Sendable {
        /// 0 hangs up without an answer.
        public var status: Int
        /// Seconds, or anything that a push service might write.
        public var retryAfter: String?
        public var location: String?
        public var bodyBytes: Int?

        public init(
            _ status: Int, retryAfter: String? = nil, location: String? = nil,
            bodyBytes: Int? = nil
        ) {
            (self.status, self.retryAfter) = (status, retryAfter)
            (self.location, self.bodyBytes) = (location, bodyBytes)
        }
    }

    /// A push as it came.
    public struct Received: Decodable, Sendable {
        public let status: Int
        /// Decrypted; nil when that failed.
        public let message: String?
        /// What a push service or a browser finds wrong with it.
        public let wrong: [String]
        /// Of the body.
        public let bytes: Int
        public let ttl: Int
        public let urgency: String?
        public let topic: String?

        public func push() throws -> PushMessage {
            try Wire.decode(PushMessage.self, from: Data((message ?? "").utf8))
        }
    }

    public let url: String
    private let process: ChildProcess

    private init(port: Int) throws {
        url = "http://127.0.0.1:\(port)"
        process = try ChildProcess(
            #""$1" "$2" "$3""#,
            [
                ChildProcess.installed("bin/python"), ChildProcess.script("push_sink.py"),
                String(port),
            ])
    }

    /// Returns once it answers.
    public static func start() async throws -> TestPushSink {
        let sink = try TestPushSink(port: FreePort.find())
        let isReady = try await eventually {
            (try? await sink.send(.GET, "/_ready")) != nil
        }
        guard isReady else {
            throw Failure(
                description: "The push sink does not answer: are http-ece and py-vapid in .venv?")
        }
        return sink
    }

    /// A browser's new subscription to the pushes of that server.
    public func subscribe(to key: PushKey) async throws -> PushSubscriptionBody {
        let body = try JSONEncoder().encode(["applicationServerKey": key.publicKey])
        let answer = try await send(.POST, "/_subscriptions", body)
        return try Wire.decode(PushSubscriptionBody.self, from: answer)
    }

    /// The next pushes to the subscription are answered so, and later ones with 201.
    public func answer(_ subscription: PushSubscriptionBody, _ told: Told...) async throws {
        let body = try JSONEncoder().encode(told)
        try await send(.POST, "/_answers/\(name(subscription))", body)
    }

    /// Every push so far, oldest first.
    public func received(_ subscription: PushSubscriptionBody) async throws -> [Received] {
        try JSONDecoder().decode(
            [Received].self, from: try await send(.GET, "/_received/\(name(subscription))"))
    }

    private func name(_ subscription: PushSubscriptionBody) -> String {
        subscription.endpoint.split(separator: "/").last.map(String.init) ?? ""
    }

    @discardableResult
    private func send(
        _ method: Method, _ path: String, _ body: Data? = nil
    ) async throws -> Data {
        var request = HTTPClientRequest(url: url + path)
        request.method = method == .GET ? .GET : .POST
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        let data = try await answer.body.collect(upTo: 4 * 1_024 * 1_024)
        guard (200..<300).contains(answer.status.code) else {
            throw Failure(description: "\(path): \(answer.status)")
        }
        return Data(data.readableBytesView)
    }

    private enum Method { case GET, POST }
}
