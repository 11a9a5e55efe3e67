import Contracts
import Hummingbird
import ServiceKit

/// Why a request about an order is refused.
enum OrderError: Error, Equatable {
    case unknown
    case unfinishedExists(OrderID)
    /// A bill or a fee that has to be paid before the next order.
    case paymentDue(OrderID, Money)
    case outsideServiceArea(field: String, nearest: Place)
    case vehicleUnknown
    case extraUnavailable(Extra)
    case notPossible(OrderAction, in: OrderStatus)
    case notAssigned
    case nothingAssigned
    case wrongCode
    case codeLocked(seconds: Int)
    case codesUsedUp
    case notArrived
    case waiting(seconds: Int)
    /// An override that lacks what the state needs, as a valet.
    case overrideImpossible(OrderStatus, String)
    case valetBusy
    case contended
    case dispatch(DispatchRefusal)
    case recognitionUnknown
    case alertUnknown
}

extension OrderError: ServiceError {
    var status: HTTPResponse.Status {
        switch self {
        case .dispatch(let refusal): refusal.status
        case .unknown, .alertUnknown: .notFound
        case .unfinishedExists, .paymentDue, .notPossible, .nothingAssigned, .notArrived, .waiting,
            .overrideImpossible, .valetBusy, .codesUsedUp:
            .conflict
        case .outsideServiceArea, .vehicleUnknown, .extraUnavailable, .wrongCode,
            .recognitionUnknown:
            .unprocessableContent
        case .notAssigned: .forbidden
        case .codeLocked: .tooManyRequests
        case .contended: .serviceUnavailable
        }
    }

    var code: String {
        switch self {
        case .dispatch(let refusal): refusal.code
        case .unknown: "order.unknown"
        case .unfinishedExists: "order.unfinished_exists"
        case .paymentDue: "payment.due"
        case .outsideServiceArea: "order.outside_service_area"
        case .vehicleUnknown: "order.vehicle_unknown"
        case .extraUnavailable: "order.extra_unavailable"
        case .notPossible, .overrideImpossible: "order.not_possible"
        case .notAssigned: "order.not_assigned"
        case .nothingAssigned: "order.nothing_assigned"
        case .wrongCode: "order.wrong_code"
        case .codeLocked: "order.code_locked"
        case .codesUsedUp: "order.codes_used_up"
        case .notArrived: "order.not_arrived"
        case .waiting: "order.waiting"
        case .valetBusy: "order.valet_busy"
        case .contended: "order.contended"
        case .recognitionUnknown: "order.recognition_unknown"
        case .alertUnknown: "alert.unknown"
        }
    }

    var title: String {
        switch self {
        case .dispatch(let refusal): refusal.title
        case .unknown: "There is no such order."
        case .unfinishedExists: "There is an unfinished order already."
        case .paymentDue: "An earlier order has to be paid first."
        case .outsideServiceArea: "This point is outside every service area."
        case .vehicleUnknown: "This is not one of the customer's vehicles."
        case .extraUnavailable: "This extra is not offered here."
        case .notPossible, .overrideImpossible: "The order's state does not allow this."
        case .notAssigned: "This job is not given to you at present."
        case .nothingAssigned: "No valet is assigned at present."
        case .wrongCode: "This is not the customer's code."
        case .codeLocked: "Too many wrong codes: try again in a moment."
        case .codesUsedUp: "Too many wrong codes: an operator has to look at this order."
        case .notArrived: "The valet has not arrived at the meeting point yet."
        case .waiting: "The customer's waiting time is not over yet."
        case .valetBusy: "The valet has another job meanwhile."
        case .contended: "Too many changes at once: try again in a moment."
        case .recognitionUnknown: "This recognition is none of this valet and order."
        case .alertUnknown: "There is no such alert."
        }
    }

    var detail: String? {
        switch self {
        case .notPossible(let action, in: let status):
            "\(action.rawValue) while \(status.rawValue)"
        case .overrideImpossible(let status, let reason): "\(status.rawValue): \(reason)"
        case .waiting(let seconds): "\(seconds) seconds are left."
        case .extraUnavailable(let extra): extra.rawValue
        case .dispatch(let refusal): refusal.detail
        case .unknown, .unfinishedExists, .outsideServiceArea, .vehicleUnknown, .notAssigned,
            .nothingAssigned, .wrongCode, .codeLocked, .codesUsedUp, .notArrived, .valetBusy,
            .contended,
            .paymentDue, .recognitionUnknown, .alertUnknown:
            nil
        }
    }

    var field: String? {
        switch self {
        case .outsideServiceArea(let field, _): field
        case .vehicleUnknown: "vehicleId"
        case .extraUnavailable: "extras"
        case .wrongCode: "code"
        case .recognitionUnknown: "recognitionId"
        case .overrideImpossible: "status"
        case .dispatch(let refusal): refusal.field
        case .unknown, .unfinishedExists, .notPossible, .notAssigned, .nothingAssigned,
            .codeLocked, .codesUsedUp, .notArrived, .waiting, .valetBusy, .contended, .paymentDue,
            .alertUnknown:
            nil
        }
    }

    func complete(_ problem: inout Problem) {
        switch self {
        case .unfinishedExists(let id): problem.orderId = id
        case .paymentDue(let id, let amount): (problem.orderId, problem.amount) = (id, amount)
        case .outsideServiceArea(_, let nearest): problem.servicePoint = nearest
        case .codeLocked(let seconds), .waiting(let seconds): problem.retryAfterSeconds = seconds
        case .contended: problem.retryAfterSeconds = 1
        case .dispatch: break
        case .unknown, .vehicleUnknown, .extraUnavailable, .notPossible, .notAssigned,
            .nothingAssigned, .wrongCode, .codesUsedUp, .notArrived, .overrideImpossible,
            .valetBusy,
            .recognitionUnknown, .alertUnknown:
            break
        }
    }
}
