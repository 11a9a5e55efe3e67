import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import ServiceKit

/// A service behind the gateway, with its own circuit breaker.
struct Upstream: Sendable {
    let base: String
    let breaker: CircuitBreaker

    init(_ url: URL, name: String) {
        breaker = CircuitBreaker(name)
        let text = url.absoluteString
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// The forwarded part of a client's request.
struct ForwardedCall: Sendable {
    let method: HTTPRequest.Method
    /// Path and query.
    let address: String
    let headers: HTTPFields
    let client: IPAddress?
    let body: ByteBuffer
    let timeout: Duration
}

/// The forwarded part of a service's answer.
struct ForwardedAnswer: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer

    var response: Response {
        let isEmpty = body.readableBytes == 0
        return Response(
            status: status, headers: headers, body: isEmpty ? .init() : .init(byteBuffer: body))
    }
}

extension HTTPField.Name {
    /// The signature of the payment provider's calls, whose bodies are forwarded unchanged.
    static let stripeSignature = Self("Stripe-Signature")!
}

/// Forwards requests to services, and their answers to clients.
struct Forwarder: Sendable {
    /// The largest forwarded answer of a service, in bytes: a photo.
    static let largestAnswer = 8 * 1_024 * 1_024
    /// Headers that are forwarded, besides those of endpoints; no others reach a service.
    static let passed: Set<HTTPField.Name> = {
        let usual: Set<HTTPField.Name> = [
            .authorization, .accept, .acceptEncoding, .acceptLanguage, .contentType, .userAgent,
            .stripeSignature,
        ]
        let asked = allServices.flatMap(\.endpoints).flatMap(\.headers)
        return usual.union(asked.compactMap { HTTPField.Name($0.name) })
    }()
    /// Headers of answers that are not forwarded: RFC 9110 §7.6.1, and those that this server sets itself.
    static let kept: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "content-length", "date", "server",
    ]

    let client: HTTPClient
    let upstreams: [Target: Upstream]

    func forward(_ call: ForwardedCall, to target: Target) async throws -> ForwardedAnswer {
        try await exchange(call, with: target) { answer in
            ForwardedAnswer(
                status: .init(
                    code: Int(answer.status.code), reasonPhrase: answer.status.reasonPhrase),
                headers: Self.passedBack(answer.headers),
                body: try await answer.body.collect(upTo: Self.largestAnswer))
        }
    }

    /// Passes a file of any length on, piece by piece. It breaks off if the service does.
    func stream(_ call: ForwardedCall, to target: Target) async throws -> Response {
        let answer = try await open(call, to: target)
        return Response(
            status: .init(code: Int(answer.status.code), reasonPhrase: answer.status.reasonPhrase),
            headers: Self.passedBack(answer.headers),
            body: ResponseBody { writer in
                for try await bytes in answer.body { try await writer.write(bytes) }
                try await writer.finish(nil)
            })
    }

    /// Returns an answer whose body is streamed, of any length.
    func open(_ call: ForwardedCall, to target: Target) async throws -> HTTPClientResponse {
        try await exchange(call, with: target) { $0 }
    }

    private func exchange<Answer>(
        _ call: ForwardedCall, with target: Target,
        _ read: (HTTPClientResponse) async throws -> Answer
    ) async throws -> Answer {
        guard let upstream = upstreams[target] else { throw Refusal.notFound }
        guard upstream.breaker.mayCall() else { throw Self.away(target) }
        do {
            let answer = try await withSpan(
                "\(call.method.rawValue) \(target.rawValue)", .client
            ) { trace in
                try await execute(Self.request(call, base: upstream.base, trace), call, read)
            }
            // Even a 5xx is an answer of the service, so it is reachable.
            upstream.breaker.succeeded()
            return answer
        } catch is NIOTooManyBytesError {
            upstream.breaker.succeeded()
            throw Self.away(target)
        } catch let error as HTTPClientError where Self.isClientsFault(error) {
            upstream.breaker.abandoned()
            throw Refusal.malformed(nil, "The address can't be read.")
        } catch {
            if Task.isCancelled {
                upstream.breaker.abandoned()
                throw CancellationError()
            }
            upstream.breaker.failed()
            throw Self.away(target)
        }
    }

    /// Repeats a call once if that is safe: a restarted service closes connections that are still in our pool.
    private func execute<Answer>(
        _ request: HTTPClientRequest, _ call: ForwardedCall,
        _ read: (HTTPClientResponse) async throws -> Answer
    ) async throws -> Answer {
        let timeout = TimeAmount.nanoseconds(call.timeout.nanoseconds)
        do {
            return try await read(client.execute(request, timeout: timeout))
        } catch let error as HTTPClientError
            where error == .remoteConnectionClosed && Self.mayRepeat(call)
        {
            return try await read(client.execute(request, timeout: timeout))
        }
    }

    static func mayRepeat(_ call: ForwardedCall) -> Bool {
        switch call.method {
        case .get, .put, .delete: true
        default: call.headers[.idempotencyKey] != nil
        }
    }

    private static func isClientsFault(_ error: HTTPClientError) -> Bool {
        error == .invalidURL || error == .emptyHost
    }

    private static func away(_ target: Target) -> Refusal {
        Refusal.unavailable("The \(target.rawValue) service is not answering.")
    }

    private static func request(
        _ call: ForwardedCall, base: String, _ trace: TraceContext?
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + call.address)
        request.method = HTTPMethod(rawValue: call.method.rawValue)
        for name in passed {
            for value in call.headers[values: name] {
                request.headers.add(name: name.canonicalName, value: value)
            }
        }
        if let client = call.client {
            request.headers.add(name: "x-forwarded-for", value: client.description)
        }
        if let trace { request.headers.add(name: "traceparent", value: trace.text) }
        if call.body.readableBytes > 0 { request.body = .bytes(call.body) }
        return request
    }

    /// Without headers of a single connection, which the answer may list itself.
    static func passedBack(_ headers: HTTPHeaders) -> HTTPFields {
        let named = headers[canonicalForm: "connection"].map { $0.lowercased() }
        var fields = HTTPFields()
        for (name, value) in headers {
            let lower = name.lowercased()
            guard !kept.contains(lower), !named.contains(lower),
                let field = HTTPField.Name(name)
            else { continue }
            fields.append(HTTPField(name: field, value: value))
        }
        return fields
    }
}
