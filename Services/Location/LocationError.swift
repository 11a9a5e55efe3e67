import Contracts
import HTTPTypes
import ServiceKit

/// Why a position or a change of availability is refused.
enum LocationError: ServiceError, Equatable {
    case invalid(field: String, String)
    case onJob
    case offShift
    case suspended
    case noRoute(String)
    case unknown
    case unknownOrder

    var status: HTTPResponse.Status {
        switch self {
        case .invalid: .unprocessableContent
        case .onJob, .offShift, .noRoute: .conflict
        case .suspended: .forbidden
        case .unknown, .unknownOrder: .notFound
        }
    }

    var code: String {
        switch self {
        case .invalid: "location.invalid"
        case .onJob: "location.on_job"
        case .offShift: "location.off_shift"
        case .suspended: "location.suspended"
        case .noRoute: "location.no_route"
        case .unknown: "engagement.unknown"
        case .unknownOrder: "order.unknown"
        }
    }

    var title: String {
        switch self {
        case .invalid: "This can't be a position."
        case .onJob: "A valet with a job can't go off shift or on a break."
        case .offShift: "A break can't begin off shift."
        case .suspended: "This valet may not work at present."
        case .noRoute: "There is no way to show at present."
        case .unknown, .unknownOrder: "There is nothing of this id, or it is not yours."
        }
    }

    var detail: String? {
        switch self {
        case .invalid(_, let detail), .noRoute(let detail): detail
        case .onJob, .offShift, .suspended, .unknown, .unknownOrder: nil
        }
    }

    var field: String? {
        if case .invalid(let field, _) = self { field } else { nil }
    }
}
