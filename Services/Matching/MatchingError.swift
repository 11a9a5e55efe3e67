import HTTPTypes
import ServiceKit

enum MatchingError: Error, Equatable {
    case noDecision
}

extension MatchingError: ServiceError {
    var status: HTTPResponse.Status {
        switch self {
        case .noDecision: .notFound
        }
    }

    var code: String {
        switch self {
        case .noDecision: "matching.no_decision"
        }
    }

    var title: String {
        switch self {
        case .noDecision: "No decision about this order is known here."
        }
    }
}
