import Client
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Support
import Synchronization

/// A server on a free port that answers as it is told, and remembers what it was asked.
final class PretendGateway: Sendable {
    struct Asked: Sendable {
        let method: String
        /// With the query, as it came.
        let target: String
        let headers: [String: String]
        let body: String
    }

    struct Answer: Sendable {
        var status = 200
        var body = "{}"
        var headers: [String: String] = [:]
        /// Pieces of a stream; the connection ends after the last.
        var pieces: [String]?

        static func problem(
            _ status: Int, _ code: String, retryAfter: Int? = nil
        ) -> Answer {
            let body = """
                {"type":"about:blank","title":"No.","status":\(status),"code":"\(code)"}
                """
            return Answer(
                status: status, body: body,
                headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:])
        }
    }

    private let answers: Mutex<[Answer]>
    private let log = Mutex<[Asked]>([])

    /// The last answer is given again when more is asked.
    init(_ answers: Answer...) { self.answers = Mutex(answers) }

    var asked: [Asked] { log.withLock { $0 } }

    private func take(_ asked: Asked) -> Answer {
        log.withLock { $0.append(asked) }
        return answers.withLock { answers in
            answers.count > 1 ? answers.removeFirst() : answers[0]
        }
    }

    private func respond(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1_024 * 1_024)
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let answer = take(
            Asked(
                method: request.method.rawValue, target: request.uri.string, headers: headers,
                body: String(buffer: body)))
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        guard let pieces = answer.pieces else {
            return Response(
                status: .init(code: answer.status), headers: fields,
                body: .init(byteBuffer: ByteBuffer(string: answer.body)))
        }
        fields[.contentType] = "text/event-stream"
        return Response(
            status: .ok, headers: fields,
            body: .init { writer in
                for piece in pieces { try await writer.write(ByteBuffer(string: piece)) }
                try await writer.finish(nil)
            })
    }

    /// Runs the server while `body` uses it.
    func serve<Value: Sendable>(
        tokens: Tokens? = .first, observer: OpenValetClient.Observer? = nil,
        _ body: @Sendable @escaping (OpenValetClient) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        for method in [HTTPRequest.Method.get, .put, .post, .patch, .delete] {
            router.on("**", method: method) { request, _ in try await self.respond(request) }
        }
        return try await withServer(router) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)/") else {
                throw ClientError.unreachable("no port")
            }
            return try await body(OpenValetClient(url, tokens: tokens, observer: observer))
        }
    }
}

extension Tokens {
    static let first = Tokens(accessToken: "a1", refreshToken: "r1", expiresInSeconds: 900)
    /// Like the first, and about to end.
    static let ending = Tokens(accessToken: "a1", refreshToken: "r1", expiresInSeconds: 20)
    static let second = Tokens(accessToken: "a2", refreshToken: "r2", expiresInSeconds: 900)
}
