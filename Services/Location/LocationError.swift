import Contracts
import HTTPTypes
import ServiceKit

/// Why a position or a change of availability is refused.
enum LocationError: ServiceError, Equatable {
    case invalid(field: String, String)
    case onJob
    case offShift
    case suspended

    var status: HTTPResponse.Status {
        switch self {
        case .invalid: .unprocessableContent
        case .onJob, .offShift: .conflict
        case .suspended: .forbidden
        }
    }

    var code: String {
        switch self {
        case .invalid: "location.invalid"
        case .onJob: "location.on_job"
        case .offShift: "location.off_shift"
        case .suspended: "location.suspended"
        }
    }

    var title: String {
        switch self {
        case .invalid: "This can't be a position."
        case .onJob: "A valet with a job can't go off shift or on a break."
        case .offShift: "A break can't begin off shift."
        case .suspended: "This valet may not work at present."
        }
    }

    var detail: String? {
        if case .invalid(_, let detail) = self { detail } else { nil }
    }

    var field: String? {
        if case .invalid(let field, _) = self { field } else { nil }
    }
}
