import Client
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// Errors for the old apps, in the original's JSON.
enum GetaliftError: Error, Equatable {
    /// `{"success":false,"message":…,"errorCode":1}`
    case refused(String)
    /// The same JSON, for an invalid request.
    case malformed(String)
    case tokenMissing, tokenInvalid
    /// In the words of Express.
    case noRoute
    case tooMany, tooLarge, away

    static let notYours = GetaliftError.refused("That is not yours.")
    /// For changes to tables of the original that have no counterpart here.
    static let noCounterpart = GetaliftError.refused("That is not possible here.")

    /// Nil for an error on our side.
    init?(_ error: any Error) {
        switch error {
        case let error as GetaliftError: self = error
        case let error as ClientError: self.init(error)
        case Refusal.bodyTooLarge: self = .tooLarge
        case Refusal.malformed: self = .malformed("The body can't be read.")
        case let error as Refusal where error.status < 500:
            self = .refused(error.problem.title)
        default: return nil
        }
    }

    private init(_ error: ClientError) {
        switch error {
        case .signedOut: self = .tokenInvalid
        case .unreachable, .malformedAnswer: self = .away
        case .unexpectedStatus: self = .away
        case .problem(let problem):
            switch problem.status {
            case 401 where problem.code != "account.credentials_mismatch": self = .tokenInvalid
            case 429: self = .tooMany
            case 500...: self = .away
            default: self = .refused(Self.words(of: problem))
            }
        }
    }

    /// The problem in words for people.
    private static func words(of problem: Problem) -> String {
        guard let detail = problem.detail else { return problem.title }
        // For a single field, the detail alone is enough.
        return problem.code.hasPrefix("request.") ? detail : "\(problem.title) \(detail)"
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .refused, .tokenInvalid: .ok
        case .malformed: .badRequest
        case .tokenMissing: .forbidden
        case .noRoute: .notFound
        case .tooMany: .tooManyRequests
        case .tooLarge: .contentTooLarge
        case .away: .serviceUnavailable
        }
    }

    func response(to request: Request) -> Response {
        let message: String
        switch self {
        case .refused(let text), .malformed(let text): message = text
        case .tokenMissing:
            return LegacyJSON.response(LegacyJSON.failure("No token provided"), status)
        case .tokenInvalid:
            return LegacyJSON.response(LegacyJSON.failure("Failed to auth token."), status)
        case .noRoute: return Self.page("Cannot \(request.method) \(request.uri.path)", status)
        case .tooMany: message = "Too many requests: try again in a while."
        case .tooLarge: message = "That is too long."
        case .away: message = "The service is away for the moment: try again."
        }
        return LegacyJSON.response(LegacyJSON.error(message), status)
    }

    private static func page(_ text: String, _ status: HTTPResponse.Status) -> Response {
        let page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head>\
            <body><pre>\(text.escapedForHTML)</pre></body></html>
            """
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
            ], body: .init(byteBuffer: .init(string: page)))
    }
}
