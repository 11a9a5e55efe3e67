import HTTPTypes
import ServiceKit

/// What ratings refuses, in its own words.
enum RatingError: ServiceError, Equatable {
    /// Also somebody else's.
    case unknown
    case notEnded
    /// It ended without anybody on the other side.
    case nobodyServed

    var status: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .notEnded, .nobodyServed: .conflict
        }
    }

    var code: String {
        switch self {
        case .unknown: "rating.order_unknown"
        case .notEnded: "rating.not_finished"
        case .nobodyServed: "rating.nobody_served"
        }
    }

    var title: String {
        switch self {
        case .unknown: "There is nothing of this id, or it is not yours."
        case .notEnded: "This can be rated once it has ended."
        case .nobodyServed: "There is nobody to rate."
        }
    }
}
