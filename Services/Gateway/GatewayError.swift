import HTTPTypes
import ServiceKit

/// What only the gateway refuses.
enum GatewayError: ServiceError, Equatable {
    case addressTooLong
    case headTooLarge
    case hostMissing
    case bodyTooSlow
    case accountUnknown

    var status: HTTPResponse.Status {
        switch self {
        case .addressTooLong: .uriTooLong
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .hostMissing: .badRequest
        case .bodyTooSlow: .requestTimeout
        case .accountUnknown: .notFound
        }
    }

    var code: String {
        switch self {
        case .addressTooLong, .headTooLarge: "request.too_large"
        case .hostMissing: "request.malformed"
        case .bodyTooSlow: "request.too_slow"
        case .accountUnknown: "account.unknown"
        }
    }

    var title: String {
        switch self {
        case .addressTooLong: "The address is too long."
        case .headTooLarge: "The request's headers are too large."
        case .hostMissing: "The request has to name one host."
        case .bodyTooSlow: "The request's body did not arrive in time."
        case .accountUnknown: "There is no such account."
        }
    }
}
