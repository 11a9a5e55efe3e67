import Foundation

extension Topic {
    public static let orders: Topic = "orders"
}

/// An order as every service may know it: no names, no phone, no code.
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
    /// When the customer wants the valet; nil is now.
    public var scheduledFor: Date?
    /// Wash and refuel of a parked vehicle.
    public var tasks: [OrderTask]?
    /// The valet who is asked and has not answered yet.
    public var offeredTo: ValetID?
    /// The proposal that the valet confirmed or corrected when parking.
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

/// A request for a valet: what matching needs to look for one.
public struct MatchRequest: Codable, Sendable, Hashable {
    public var leg: Open<OrderLeg>
    /// Counts the requests of this leg from 1; an answer to an older one is ignored.
    public var attempt: Int
    /// Where the valet is needed: the customer for a drop-off, the parked vehicle for a return.
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

/// A customer wants their vehicle taken.
public struct DropOffRequested: OrderEvent {
    public static let type = "orders.drop-off-requested.v1"
    public var order: OrderSnapshot
    public var match: MatchRequest

    public init(order: OrderSnapshot, match: MatchRequest) {
        self.order = order
        self.match = match
    }
}

/// Matching is asked once more: the valet it named was taken meanwhile, or no answer came in time.
public struct MatchRepeated: OrderEvent {
    public static let type = "orders.match-repeated.v1"
    public var order: OrderSnapshot
    public var match: MatchRequest

    public init(order: OrderSnapshot, match: MatchRequest) {
        self.order = order
        self.match = match
    }
}

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

/// Nobody was available for the drop-off.
public struct OrderUnfulfilled: OrderEvent {
    public static let type = "orders.unfulfilled.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

public struct OrderCancelled: OrderEvent {
    public enum Cause: String, Codable, Sendable { case customer, customerAbsent }

    public static let type = "orders.cancelled.v1"
    public var order: OrderSnapshot
    public var cause: Open<Cause>
    /// Who was on the way, and is free again.
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

/// The valet gave the job back, or an operator took it; another is looked for.
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

public struct VehicleCollected: OrderEvent {
    public static let type = "orders.vehicle-collected.v1"
    public var order: OrderSnapshot
    public var valet: ValetID

    public init(order: OrderSnapshot, valet: ValetID) {
        self.order = order
        self.valet = valet
    }
}

public struct VehicleParked: OrderEvent {
    public static let type = "orders.vehicle-parked.v1"
    public var order: OrderSnapshot
    /// Who parked it, and is free again.
    public var valet: ValetID
    /// The proposal that the valet confirmed or corrected.
    public var recognition: RecognitionID?

    public init(order: OrderSnapshot, valet: ValetID, recognition: RecognitionID? = nil) {
        self.order = order
        self.valet = valet
        self.recognition = recognition
    }
}

public struct ReturnRequested: OrderEvent {
    public static let type = "orders.return-requested.v1"
    public var order: OrderSnapshot
    public var match: MatchRequest

    public init(order: OrderSnapshot, match: MatchRequest) {
        self.order = order
        self.match = match
    }
}

/// Nobody was available for the return; the vehicle stays parked.
public struct ReturnUnfulfilled: OrderEvent {
    public static let type = "orders.return-unfulfilled.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

public struct RecallCancelled: OrderEvent {
    public static let type = "orders.recall-cancelled.v1"
    public var order: OrderSnapshot
    /// Who was on the way to the vehicle, and is free again.
    public var valet: ValetID?

    public init(order: OrderSnapshot, valet: ValetID?) {
        self.order = order
        self.valet = valet
    }
}

public struct VehicleRetrieved: OrderEvent {
    public static let type = "orders.vehicle-retrieved.v1"
    public var order: OrderSnapshot
    public var valet: ValetID

    public init(order: OrderSnapshot, valet: ValetID) {
        self.order = order
        self.valet = valet
    }
}

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
    /// Who had the job, and is free again.
    public var released: ValetID?
    /// With `requested` and `requestingBack`: a valet is looked for.
    public var match: MatchRequest?
    /// With `waitingForPayment`: what is due.
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

/// An order has been in one state for longer than the state's limit: operators should look.
public struct OrderOverdue: OrderEvent {
    public static let type = "orders.overdue.v1"
    public var order: OrderSnapshot
    public var limitSeconds: Int

    public init(order: OrderSnapshot, limitSeconds: Int) {
        self.order = order
        self.limitSeconds = limitSeconds
    }
}

/// An order can't go on without an operator.
public struct OrderNeedsOperator: OrderEvent {
    public static let type = "orders.needs-operator.v1"
    public var order: OrderSnapshot
    public var cause: Open<Alert.Kind>

    public init(order: OrderSnapshot, cause: Alert.Kind) {
        self.order = order
        self.cause = .known(cause)
    }
}

/// A customer ordered ahead; a valet is looked for when the time comes.
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
    /// Time to answer, from when the phone has confirmed delivery.
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

/// An offer ended without a yes. An accepted one ends as `ValetAssigned`.
public struct OfferEnded: OrderEvent {
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case declined
        /// Delivered, and not answered in time.
        case expired
        /// The phone never confirmed that it got the offer.
        case undelivered
        /// The customer or an operator ended what was offered.
        case withdrawn
    }

    public static let type = "orders.offer-ended.v1"
    public var order: OrderSnapshot
    public var leg: Open<OrderLeg>
    public var valet: ValetID
    public var outcome: Open<Outcome>
    /// The next one is looked for; nil when the order no longer wants a valet.
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

/// A task of a parked order was taken, given back or done.
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
