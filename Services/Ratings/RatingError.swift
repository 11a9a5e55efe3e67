import HTTPTypes
import ServiceKit

/// What ratings refuses, in its own words.
enum RatingError: ServiceError, Equatable {
    /// Also somebody else's order.
    case orderUnknown
    case notFinished
    /// The order ended without a valet, by an operator's hand.
    case nobodyServed

    var status: HTTPResponse.Status {
        switch self {
        case .orderUnknown: .notFound
        case .notFinished, .nobodyServed: .conflict
        }
    }

    var code: String {
        switch self {
        case .orderUnknown: "rating.order_unknown"
        case .notFinished: "rating.not_finished"
        case .nobodyServed: "rating.nobody_served"
        }
    }

    var title: String {
        switch self {
        case .orderUnknown: "There is no such order."
        case .notFinished: "An order can be rated once it is finished."
        case .nobodyServed: "No valet served this order."
        }
    }
}
