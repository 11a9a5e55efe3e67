import Contracts
import HTTPTypes
import Hummingbird

/// An expected error: becomes a problem of RFC 9457.
public protocol ServiceError: Error {
    var problem: Problem { get }
}

extension Refusal: ServiceError {}

/// A field of the request has a value that it can't have: of the body, the query or a header.
public struct InvalidRequest: ServiceError, Equatable {
    public let problem: Problem

    public init(_ field: String?, _ detail: String) {
        problem = Refusal.invalid.because(detail).about(field).problem
    }

    /// Of one whose fields are checked alone; `first` is one of them.
    public init(_ first: WrongField, among errors: [WrongField]) {
        problem =
            Refusal.invalid.because(first.detail).about(first.field)
            .because { $0.errors = errors }.problem
    }

    /// `?after=` is not a cursor that a page of the list gave.
    public static let cursor = InvalidRequest("after", "This is no cursor of ours.")
}

/// Something that the request needs is away: try again after a while.
public struct Unavailable: ServiceError, Equatable {
    public let problem: Problem

    public init(_ detail: String, retryAfterSeconds: Int = 2) {
        problem = Refusal.unavailable.because(detail).retrying(after: retryAfterSeconds).problem
    }
}

extension Problem {
    /// The problem as a response, with `Retry-After` and `WWW-Authenticate` where they belong.
    public func response() -> Response {
        let body = (try? Wire.encode(self)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        var headers: HTTPFields = [.contentType: "application/problem+json"]
        if let retryAfterSeconds { headers[.retryAfter] = String(retryAfterSeconds) }
        if status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: body))
    }
}
