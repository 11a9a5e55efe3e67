import Contracts
import Foundation
import Hummingbird
import NIOCore
import ServiceKit
import Synchronization

/// Somebody's HTTP API in whatever mood the test wants, over real HTTP.
public final class PretendServer: Sendable {
    public enum Mood: Sendable, Hashable {
        case answering(String)
        /// Bytes that needn't be a text.
        case sending(Data)
        case failing(Int)
        /// A status with a body in JSON.
        case saying(Int, String)
        /// A problem as services answer it.
        case refusing(Int, String)
        /// The head at once, then a byte now and then.
        case dripping
        /// More than anybody reads.
        case huge

        public static func having(_ answer: some Encodable) throws -> Self {
            .answering(String(decoding: try Wire.encode(answer), as: UTF8.self))
        }
    }

    public struct Asked: Sendable, Hashable {
        public let method: String
        public let path: String
        public let query: [String: String]
        public let userAgent: String
        public let body: String
    }

    private let state: Mutex<(mood: Mood, asked: [Asked])>

    public init(_ mood: Mood) { state = Mutex((mood, [])) }

    public var asked: [Asked] { state.withLock { $0.asked } }

    public func set(_ mood: Mood) { state.withLock { $0.mood = mood } }

    /// From now on it is an accounts that knows this person.
    public func know(_ person: TestPerson, suspended: Bool = false, at now: Date) throws {
        set(
            try .having(
                AccountChanged(
                    account: person.account(createdAt: now), suspended: suspended, version: 2)))
    }

    /// Serves on a free port while `body` runs.
    public func serve<Value: Sendable>(
        _ body: (URL) async throws -> Value
    ) async throws -> Value {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            try await self.answer(request)
        }
        return try await withServer(responder) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else {
                throw ServerDidNotStart()
            }
            return try await body(url)
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1_024 * 1_024)
        let query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        let asked = Asked(
            method: request.method.rawValue, path: request.uri.path,
            query: Dictionary(query) { first, _ in first },
            userAgent: request.headers[.userAgent] ?? "", body: String(buffer: body))
        let mood = state.withLock { state in
            state.asked.append(asked)
            return state.mood
        }
        switch mood {
        case .answering(let text):
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        case .sending(let bytes):
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .failing(let status): return Response(status: .init(code: status))
        case .saying(let status, let text):
            return Response(
                status: .init(code: status), headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        case .refusing(let status, let code):
            return Problem(title: "No.", status: status, code: code).response()
        case .dripping:
            return Response(
                status: .ok,
                body: .init { writer in
                    for _ in 0..<100_000 {
                        try await writer.write(ByteBuffer(string: " "))
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    try await writer.finish(nil)
                })
        case .huge:
            let chunk = ByteBuffer(string: String(repeating: " ", count: 64 * 1_024))
            return Response(
                status: .ok,
                body: .init { writer in
                    for _ in 0..<256 { try await writer.write(chunk) }
                    try await writer.finish(nil)
                })
        }
    }
}
