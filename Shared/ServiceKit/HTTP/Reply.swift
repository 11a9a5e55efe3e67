import Contracts
import HTTPTypes
import Hummingbird

/// A successful answer: a status and a JSON body in the wire's conventions.
public struct Reply: ResponseGenerator, Sendable {
    private let status: HTTPResponse.Status
    private let headers: HTTPFields
    private let body: ByteBuffer?

    public init(
        _ status: HTTPResponse.Status = .ok, _ body: some Encodable, headers: HTTPFields = [:]
    ) throws {
        self.status = status
        self.headers = headers
        self.body = ByteBuffer(bytes: try Wire.encode(body))
    }

    private init(empty status: HTTPResponse.Status) {
        self.status = status
        headers = [:]
        body = nil
    }

    public static let noContent = Reply(empty: .noContent)
    public static let accepted = Reply(empty: .accepted)
    public static let notModified = Reply(empty: .notModified)

    public func response(from request: Request, context: some RequestContext) -> Response {
        guard let body else { return Response(status: status, headers: headers) }
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}
