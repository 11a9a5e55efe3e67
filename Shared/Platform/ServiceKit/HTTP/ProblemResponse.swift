import Contracts
import HTTPTypes
import Hummingbird

extension Problem {
    /// The problem as a response, with `Retry-After` and `WWW-Authenticate` where needed.
    public func response() -> Response {
        let body = (try? Wire.encode(self)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        var headers: HTTPFields = [.contentType: "application/problem+json"]
        if let retryAfterSeconds { headers[.retryAfter] = String(retryAfterSeconds) }
        if status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: body))
    }
}
