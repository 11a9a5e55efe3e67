import Contracts
import HTTPTypes
import Hummingbird

/// An answer with its own status or headers, with or without a body.
public struct Reply<Answer>: ResponseGenerator, Sendable {
    /// Nil for the status that the endpoint promises.
    private let status: HTTPResponse.Status?
    private let headers: HTTPFields
    private let body: ByteBuffer?

    /// Without a body, such as 304.
    public init(empty status: HTTPResponse.Status?, headers: HTTPFields = [:]) {
        self.init(status, headers, nil)
    }

    private init(_ status: HTTPResponse.Status?, _ headers: HTTPFields, _ body: ByteBuffer?) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    public func response(from request: Request, context: some RequestContext) -> Response {
        response(promised: .ok)
    }

    func response(promised: HTTPResponse.Status) -> Response {
        let status = status ?? promised
        guard let body else { return Response(status: status, headers: headers) }
        var headers = headers
        headers[.contentType] = headers[.contentType] ?? "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}

extension Reply where Answer: Encodable {
    /// Answers 204 without a body for nil.
    public init(
        _ answer: Answer, status: HTTPResponse.Status? = nil, headers: HTTPFields = [:]
    ) throws {
        if (answer as? any OptionalBody)?.isAbsent == true {
            self.init(empty: .noContent, headers: headers)
        } else {
            self.init(status, headers, ByteBuffer(bytes: try Wire.encode(answer)))
        }
    }
}
