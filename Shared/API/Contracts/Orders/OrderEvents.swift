import Foundation

extension Topic {
    public static let orders: Topic = "orders"
}

/// An order without names, phone numbers and codes. Fields that have no value yet are absent.
public struct OrderSnapshot: Codable, Sendable, Hashable {
    public var id: OrderID
    public var ticket: String
    public var status: Open<OrderStatus>
    public var version: Int
    public var serviceArea: ServiceAreaID
    public var customer: CustomerID
    public var dropOffValet: ValetID?
    public var returnValet: ValetID?
    public var vehicle: OrderVehicle?
    public var dropOff: Place
    public var parked: ParkedAt?
    public var returnTo: Place?
    public var etaSeconds: Int?
    public var extras: [Open<Extra>]
    public var charge: Money?
    public var reason: String?
    public var createdAt: Date
    public var assignedAt: Date?
    public var collectedAt: Date?
    public var parkedAt: Date?
    public var recalledAt: Date?
    public var retrievedAt: Date?
    public var returnedAt: Date?
    public var endedAt: Date?
    /// When the customer wants the valet. Absent means as soon as possible.
    public var scheduledFor: Date?
    /// Washing and refuelling of a parked vehicle.
    public var tasks: [OrderTask]?
    /// The valet who was asked and hasn't answered yet.
    public var offeredTo: ValetID?
    /// The recognition that the valet confirmed or corrected when parking.
    public var recognition: RecognitionID?

    public init(
        id: OrderID, ticket: String, status: OrderStatus, version: Int,
        serviceArea: ServiceAreaID, customer: CustomerID, dropOff: Place, extras: [Extra],
        createdAt: Date
    ) {
        self.id = id
        self.ticket = ticket
        self.status = .known(status)
        self.version = version
        self.serviceArea = serviceArea
        self.customer = customer
        self.dropOff = dropOff
        self.extras = extras.map(Open.known)
        self.createdAt = createdAt
    }
}

/// A request for a valet: what matching needs to find one.
public struct MatchRequest: Codable, Sendable, Hashable {
    public var leg: Open<OrderLeg>
    /// Number of this request for the leg, from 1. Answers to earlier requests are ignored.
    public var attempt: Int
    /// Where the valet is needed: at the customer's place for a drop-off, at the parked vehicle for
    /// a return.
    public var meetingPoint: Place
    /// Valets who withdrew from this leg.
    public var excluded: [ValetID]

    public init(leg: OrderLeg, attempt: Int, meetingPoint: Place, excluded: [ValetID]) {
        self.leg = .known(leg)
        self.attempt = attempt
        self.meetingPoint = meetingPoint
        self.excluded = excluded
    }
}

/// An event of the `orders` topic that carries the order as it is afterwards.
public protocol OrderEvent: Event {
    var order: OrderSnapshot { get }
}

extension OrderEvent {
    public static var topic: Topic { .orders }
    public var key: String { order.id.description }
}

/// A customer wants a valet to take their vehicle.
public struct DropOffRequested: OrderEvent {
    public static let type = "orders.drop-off-requested.v1"
    public var order: OrderSnapshot
    public var match: MatchRequest

    public init(order: OrderSnapshot, match: MatchRequest) {
        self.order = order
        self.match = match
    }
}

/// Matching is asked again: the chosen valet was no longer free, or no answer came in time.
public struct MatchRepeated: OrderEvent {
    public static let type = "orders.match-repeated.v1"
    public var order: OrderSnapshot
    public var match: MatchRequest

    public init(order: OrderSnapshot, match: MatchRequest) {
        self.order = order
        self.match = match
    }
}

/// A valet has the job.
public struct ValetAssigned: OrderEvent {
    public static let type = "orders.valet-assigned.v1"
    public var order: OrderSnapshot
    public var leg: Open<OrderLeg>
    public var valet: ValetID
    public var meetingPoint: Place

    public init(order: OrderSnapshot, leg: OrderLeg, valet: ValetID, meetingPoint: Place) {
        self.order = order
        self.leg = .known(leg)
        self.valet = valet
        self.meetingPoint = meetingPoint
    }
}

/// No valet was available for the drop-off.
public struct OrderUnfulfilled: OrderEvent {
    public static let type = "orders.unfulfilled.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The order was cancelled, possibly for a fee.
public struct OrderCancelled: OrderEvent {
    /// Why the order was cancelled: by its customer, or because the customer did not come.
    /// `customer`: the customer cancelled. `customerAbsent`: the customer was not there in time.
    public enum Cause: String, CaseIterable, Codable, Sendable { case customer, customerAbsent }

    public static let type = "orders.cancelled.v1"
    public var order: OrderSnapshot
    public var cause: Open<Cause>
    /// The valet who was on the way, and is free again.
    public var valet: ValetID?
    /// Zero, the cancellation fee, or the no-show fee.
    public var fee: Money

    public init(order: OrderSnapshot, cause: Cause, valet: ValetID?, fee: Money) {
        self.order = order
        self.cause = .known(cause)
        self.valet = valet
        self.fee = fee
    }
}

/// The valet gave the job back, or an operator took it from them; another valet is wanted.
public struct ValetWithdrawn: OrderEvent {
    public static let type = "orders.valet-withdrawn.v1"
    public var order: OrderSnapshot
    public var leg: Open<OrderLeg>
    public var valet: ValetID
    public var match: MatchRequest

    public init(order: OrderSnapshot, leg: OrderLeg, valet: ValetID, match: MatchRequest) {
        self.order = order
        self.leg = .known(leg)
        self.valet = valet
        self.match = match
    }
}

/// The valet has the vehicle.
public struct VehicleCollected: OrderEvent {
    public static let type = "orders.vehicle-collected.v1"
    public var order: OrderSnapshot
    public var valet: ValetID

    public init(order: OrderSnapshot, valet: ValetID) {
        self.order = order
        self.valet = valet
    }
}

/// The vehicle is parked, and the valet is free again.
public struct VehicleParked: OrderEvent, StateEvent {
    public static let type = "orders.vehicle-parked.v1"
    public var order: OrderSnapshot
    /// The valet who parked the vehicle, and is free again.
    public var valet: ValetID
    /// The recognition that the valet confirmed or corrected.
    public var recognition: RecognitionID?
    /// Elsewhere no space is taken.
    public var marks: [StateMark] {
        order.parked?.carParkId == nil
            ? [] : [StateMark(.parkedVehicles, order.id, version: order.version)]
    }

    public init(order: OrderSnapshot, valet: ValetID, recognition: RecognitionID? = nil) {
        self.order = order
        self.valet = valet
        self.recognition = recognition
    }
}

/// The customer wants the vehicle back.
public struct ReturnRequested: OrderEvent {
    public static let type = "orders.return-requested.v1"
    public var order: OrderSnapshot
    public var match: MatchRequest

    public init(order: OrderSnapshot, match: MatchRequest) {
        self.order = order
        self.match = match
    }
}

/// No valet was available for the return; the vehicle stays parked.
public struct ReturnUnfulfilled: OrderEvent {
    public static let type = "orders.return-unfulfilled.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The vehicle stays parked after all.
public struct RecallCancelled: OrderEvent {
    public static let type = "orders.recall-cancelled.v1"
    public var order: OrderSnapshot
    /// The valet who was on the way to the vehicle, and is free again.
    public var valet: ValetID?

    public init(order: OrderSnapshot, valet: ValetID?) {
        self.order = order
        self.valet = valet
    }
}

/// The valet took the vehicle from its bay.
public struct VehicleRetrieved: OrderEvent {
    public static let type = "orders.vehicle-retrieved.v1"
    public var order: OrderSnapshot
    public var valet: ValetID

    public init(order: OrderSnapshot, valet: ValetID) {
        self.order = order
        self.valet = valet
    }
}

/// The customer has the vehicle again, and the bill.
public struct VehicleReturned: OrderEvent {
    public static let type = "orders.vehicle-returned.v1"
    public var order: OrderSnapshot
    public var valet: ValetID
    public var bill: Quote

    public init(order: OrderSnapshot, valet: ValetID, bill: Quote) {
        self.order = order
        self.valet = valet
        self.bill = bill
    }
}

/// The order is finished and paid.
public struct OrderFinished: OrderEvent {
    public static let type = "orders.finished.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// An operator set the state by hand.
public struct OrderOverridden: OrderEvent {
    public static let type = "orders.overridden.v1"
    public var order: OrderSnapshot
    public var from: Open<OrderStatus>
    public var by: OperatorID
    public var reason: String
    /// The valet who had the job, and is free again.
    public var released: ValetID?
    /// With `requested` and `requestingBack`: the request for a valet.
    public var match: MatchRequest?
    /// With `waitingForPayment`: the amount due.
    public var bill: Quote?

    public init(
        order: OrderSnapshot, from: OrderStatus, by: OperatorID, reason: String,
        released: ValetID?, match: MatchRequest?, bill: Quote?
    ) {
        self.order = order
        self.from = .known(from)
        self.by = by
        self.reason = reason
        self.released = released
        self.match = match
        self.bill = bill
    }
}

/// An order has been in one state for longer than the state's limit, and needs an operator.
public struct OrderOverdue: OrderEvent {
    public static let type = "orders.overdue.v1"
    public var order: OrderSnapshot
    public var limitSeconds: Int

    public init(order: OrderSnapshot, limitSeconds: Int) {
        self.order = order
        self.limitSeconds = limitSeconds
    }
}

/// An order can't continue without an operator.
public struct OrderNeedsOperator: OrderEvent {
    public static let type = "orders.needs-operator.v1"
    public var order: OrderSnapshot
    public var cause: Open<Alert.Kind>

    public init(order: OrderSnapshot, cause: Alert.Kind) {
        self.order = order
        self.cause = .known(cause)
    }
}

/// A customer ordered ahead; the search for a valet starts when the time comes.
public struct OrderScheduled: OrderEvent {
    public static let type = "orders.scheduled.v1"
    public var order: OrderSnapshot
    public var scheduledFor: Date

    public init(order: OrderSnapshot, scheduledFor: Date) {
        self.order = order
        self.scheduledFor = scheduledFor
    }
}

/// A valet is asked whether they take a job.
public struct ValetOffered: OrderEvent {
    public static let type = "orders.valet-offered.v1"
    public var order: OrderSnapshot
    public var leg: Open<OrderLeg>
    public var attempt: Int
    public var valet: ValetID
    public var meetingPoint: Place
    public var etaSeconds: Int
    /// Time to answer once the phone has confirmed delivery, in seconds.
    public var answerSeconds: Int

    public init(
        order: OrderSnapshot, leg: OrderLeg, attempt: Int, valet: ValetID, meetingPoint: Place,
        etaSeconds: Int, answerSeconds: Int
    ) {
        self.order = order
        self.leg = .known(leg)
        self.attempt = attempt
        self.valet = valet
        self.meetingPoint = meetingPoint
        self.etaSeconds = etaSeconds
        self.answerSeconds = answerSeconds
    }
}

/// An offer ended and was not accepted. An accepted offer leads to `ValetAssigned` instead.
public struct OfferEnded: OrderEvent {
    /// How an offer ended.
    /// Why the offer ended.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case declined
        /// Delivered, and not answered in time.
        case expired
        /// The phone never confirmed delivery of the offer.
        case undelivered
        /// The customer or an operator ended the job that was offered.
        case withdrawn
    }

    public static let type = "orders.offer-ended.v1"
    public var order: OrderSnapshot
    public var leg: Open<OrderLeg>
    public var valet: ValetID
    public var outcome: Open<Outcome>
    /// The request for another valet. Absent if the order no longer wants one.
    public var match: MatchRequest?

    public init(
        order: OrderSnapshot, leg: OrderLeg, valet: ValetID, outcome: Outcome,
        match: MatchRequest?
    ) {
        self.order = order
        self.leg = .known(leg)
        self.valet = valet
        self.outcome = .known(outcome)
        self.match = match
    }
}

/// A task of a parked order was taken, given back or done, or ended because the vehicle left.
public struct TaskChanged: OrderEvent {
    public static let type = "orders.task-changed.v1"
    public var order: OrderSnapshot
    public var task: OrderTask
    public var by: ValetID

    public init(order: OrderSnapshot, task: OrderTask, by: ValetID) {
        self.order = order
        self.task = task
        self.by = by
    }
}
