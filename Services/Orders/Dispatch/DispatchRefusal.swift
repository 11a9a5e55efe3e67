import Contracts
import Hummingbird

/// Why something about an offer, a task or a time ahead is refused.
enum DispatchRefusal: Error, Equatable {
    /// Ordered ahead by too little or too much; the limits in seconds.
    case scheduleInvalid(ClosedRange<Int>)
    case offerEnded
    case valetSuspended
    case taskUnknown(Extra)
    case taskTaken(Extra)
    case taskDone(Extra)

    var status: HTTPResponse.Status {
        switch self {
        case .scheduleInvalid: .unprocessableContent
        case .offerEnded, .taskTaken, .taskDone: .conflict
        case .valetSuspended: .forbidden
        case .taskUnknown: .notFound
        }
    }

    var code: String {
        switch self {
        case .scheduleInvalid: "order.schedule_invalid"
        case .offerEnded: "order.offer_ended"
        case .valetSuspended: "order.valet_suspended"
        case .taskUnknown: "order.task_unknown"
        case .taskTaken: "order.task_taken"
        case .taskDone: "order.task_done"
        }
    }

    var title: String {
        switch self {
        case .scheduleInvalid: "An order can't be placed for this time."
        case .offerEnded: "This offer has ended."
        case .valetSuspended: "This valet may not work at present."
        case .taskUnknown: "This vehicle has no such task."
        case .taskTaken: "Another valet has taken this task."
        case .taskDone: "This task has been done."
        }
    }

    var detail: String? {
        switch self {
        case .scheduleInvalid(let limits):
            "From \(limits.lowerBound) to \(limits.upperBound) seconds ahead."
        case .taskUnknown(let kind), .taskTaken(let kind), .taskDone(let kind): kind.rawValue
        case .offerEnded, .valetSuspended: nil
        }
    }

    var field: String? {
        switch self {
        case .scheduleInvalid: "scheduledFor"
        case .taskUnknown: "kind"
        case .offerEnded, .valetSuspended, .taskTaken, .taskDone: nil
        }
    }
}
