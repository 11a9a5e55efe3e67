import Contracts
import HTTPTypes
import Hummingbird

/// An expected error, in the domain's words: becomes a problem of RFC 9457.
public protocol ServiceError: Error, Sendable {
    var status: HTTPResponse.Status { get }
    /// Stable: clients are written against it.
    var code: String { get }
    /// A short sentence for a person, the same for each occurrence.
    var title: String { get }
    /// What was wrong this time.
    var detail: String? { get }
    /// Path of the field that is wrong.
    var field: String? { get }
    /// Adds what only this error knows, as the id of the order in the way.
    func complete(_ problem: inout Problem)
}

extension ServiceError {
    public var detail: String? { nil }
    public var field: String? { nil }
    public func complete(_ problem: inout Problem) {}

    public var problem: Problem {
        var problem = Problem(title: title, status: status.code, code: code)
        problem.detail = detail
        problem.field = field
        complete(&problem)
        return problem
    }
}

/// A field of the request has a value that it can't have: of the body, the query or a header.
public struct InvalidRequest: ServiceError, Equatable {
    public let status: HTTPResponse.Status = .unprocessableContent
    public let code: String
    public let title = "The request has a value that it can't have."
    public let field: String?
    public let detail: String?
    private let errors: [WrongField]?

    public init(_ field: String?, _ detail: String, code: String = "request.invalid") {
        self.field = field
        self.detail = detail
        self.code = code
        errors = nil
    }

    /// Of one whose fields are checked alone; `first` is one of them.
    public init(_ first: WrongField, among errors: [WrongField]) {
        (field, detail, code) = (first.field, first.detail, "request.invalid")
        self.errors = errors
    }

    public func complete(_ problem: inout Problem) { problem.errors = errors }

    /// `?after=` is not a cursor that a page of the list gave.
    public static let cursor = InvalidRequest("after", "This is no cursor of ours.")
}

/// The request as a whole can't be read or served; `RequestError.notFound` and its siblings.
public enum RequestError: ServiceError, Equatable {
    case malformed(field: String?, String)
    case tooLarge(limit: Int)
    case notJSON
    case notFound
    case methodNotAllowed
    case tokenMissing
    case tokenInvalid
    case roleNotAllowed
    case suspended
    case keyReused
    case preconditionFailed

    public var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .tooLarge: .contentTooLarge
        case .notJSON: .unsupportedMediaType
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .tokenMissing, .tokenInvalid: .unauthorized
        case .roleNotAllowed, .suspended: .forbidden
        case .keyReused: .unprocessableContent
        case .preconditionFailed: .preconditionFailed
        }
    }

    public var code: String {
        switch self {
        case .malformed: "request.malformed"
        case .tooLarge: "request.too_large"
        case .notJSON: "request.not_json"
        case .notFound: "request.not_found"
        case .methodNotAllowed: "request.method_not_allowed"
        case .tokenMissing: "auth.token_missing"
        case .tokenInvalid: "auth.token_invalid"
        case .roleNotAllowed: "auth.role"
        case .suspended: "account.suspended"
        case .keyReused: "idempotency.key_reused"
        case .preconditionFailed: "request.precondition_failed"
        }
    }

    public var title: String {
        switch self {
        case .malformed: "The body can't be read."
        case .tooLarge: "The body is too large."
        case .notJSON: "The body has to be application/json."
        case .notFound: "There is nothing at this address."
        case .methodNotAllowed: "This address does not take that method."
        case .tokenMissing: "Sign in first."
        case .tokenInvalid: "The access token is not valid, or no longer."
        case .roleNotAllowed: "This account may not do that."
        case .suspended: "This account is suspended."
        case .keyReused: "This idempotency key was used for another request."
        case .preconditionFailed: "Somebody changed it meanwhile: read it again."
        }
    }

    public var detail: String? {
        switch self {
        case .malformed(_, let detail): detail
        case .tooLarge(let limit): "At most \(limit) bytes."
        case .notJSON, .notFound, .methodNotAllowed, .tokenMissing, .tokenInvalid,
            .roleNotAllowed, .suspended, .keyReused, .preconditionFailed:
            nil
        }
    }

    public var field: String? {
        if case .malformed(let field, _) = self { field } else { nil }
    }
}

/// Something that the request needs is away: try again after a while.
public struct Unavailable: ServiceError, Equatable {
    public let status: HTTPResponse.Status = .serviceUnavailable
    public let code: String
    public let title = "A part of the service is away for the moment."
    public let detail: String?
    public let retryAfterSeconds: Int

    public init(
        _ detail: String, code: String = "service.unavailable", retryAfterSeconds: Int = 2
    ) {
        self.detail = detail
        self.code = code
        self.retryAfterSeconds = retryAfterSeconds
    }

    public func complete(_ problem: inout Problem) {
        problem.retryAfterSeconds = retryAfterSeconds
    }
}

/// What another service has refused, passed on in its own words.
public struct Refused: ServiceError {
    private var given: Problem

    /// About this field of the request here, if one is named.
    public init(_ problem: Problem, field: String? = nil) {
        given = problem
        given.instance = nil
        given.field = field ?? problem.field
    }

    public var status: HTTPResponse.Status { .init(code: given.status) }
    public var code: String { given.code }
    public var title: String { given.title }
    public var detail: String? { given.detail }
    public var field: String? { given.field }
}

/// Too often: try again after a while.
public struct TooManyRequests: ServiceError, Equatable {
    public let status: HTTPResponse.Status = .tooManyRequests
    public let code: String
    public let title: String
    public let retryAfterSeconds: Int

    public init(_ code: String, _ title: String, retryAfterSeconds: Int) {
        self.code = code
        self.title = title
        self.retryAfterSeconds = max(1, retryAfterSeconds)
    }

    public func complete(_ problem: inout Problem) {
        problem.retryAfterSeconds = retryAfterSeconds
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
