import Contracts

/// The actions on an order.
enum OrderAction: String, Codable, Sendable, CaseIterable {
    case place, match, noValet, cancel, withdraw, customerAbsent, collect, park, recall
    case cancelRecall, retrieve, handBack, paymentSucceeded, paymentDeclined, `override`
    case schedule, beginSearch, offer, offerDelivered, acceptOffer, declineOffer, offerExpired
    case takeTask, releaseTask, completeTask
}

/// The party that takes an action. A valet may act while they have the job or an offer of it; any valet
/// nearby may take a task.
enum OrderActor: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case customer, assignedValet, offeredValet, anyValet, `operator`, system, payments
    }

    case customer(CustomerID)
    case valet(ValetID)
    case offeredValet(ValetID)
    case anyValet(ValetID)
    case `operator`(OperatorID)
    /// Matching, or this service itself.
    case system
    case payments

    var kind: Kind {
        switch self {
        case .customer: .customer
        case .valet: .assignedValet
        case .offeredValet: .offeredValet
        case .anyValet: .anyValet
        case .operator: .operator
        case .system: .system
        case .payments: .payments
        }
    }
}

/// One row of the order's state machine.
struct OrderTransition: Sendable {
    /// Empty for placing an order.
    let from: [OrderStatus]
    let action: OrderAction
    let actors: [OrderActor.Kind]
    /// Several if the outcome depends on the amount due, or on the operator's choice.
    let to: [OrderStatus]
    /// Nil if other services need not know.
    let event: (any OrderEvent.Type)?

    private static func row(
        _ from: [OrderStatus], _ action: OrderAction, _ actors: [OrderActor.Kind],
        _ to: [OrderStatus], _ event: (any OrderEvent.Type)?
    ) -> OrderTransition {
        OrderTransition(from: from, action: action, actors: actors, to: to, event: event)
    }

    /// The whole state machine. Orders change their state only by these rows.
    static let table: [OrderTransition] = [
        row([], .place, [.customer], [.requested], DropOffRequested.self),
        row([.requested], .match, [.system], [.droppingOff], ValetAssigned.self),
        row([.requested], .noValet, [.system], [.unfulfilled], OrderUnfulfilled.self),
        row([], .schedule, [.customer], [.requested], OrderScheduled.self),
        row([.requested], .beginSearch, [.system], [.requested], DropOffRequested.self),
        row([.requested], .offer, [.system], [.requested], ValetOffered.self),
        row([.requested], .offerDelivered, [.offeredValet], [.requested], nil),
        row([.requested], .acceptOffer, [.offeredValet], [.droppingOff], ValetAssigned.self),
        row([.requested], .declineOffer, [.offeredValet], [.requested], OfferEnded.self),
        row([.requested], .offerExpired, [.system], [.requested], OfferEnded.self),
        row([.requested, .droppingOff], .cancel, [.customer], [.cancelled], OrderCancelled.self),
        row(
            [.droppingOff], .withdraw, [.assignedValet, .operator], [.requested],
            ValetWithdrawn.self),
        row(
            [.requestingBack], .withdraw, [.assignedValet, .operator], [.requestingBack],
            ValetWithdrawn.self),
        row(
            [.droppingOff], .customerAbsent, [.assignedValet], [.cancelled], OrderCancelled.self),
        row([.droppingOff], .collect, [.assignedValet], [.parking], VehicleCollected.self),
        row([.parking], .park, [.assignedValet], [.parked], VehicleParked.self),
        row([.parked], .takeTask, [.anyValet], [.parked], TaskChanged.self),
        row([.parked], .releaseTask, [.anyValet], [.parked], TaskChanged.self),
        row([.parked], .completeTask, [.anyValet], [.parked], TaskChanged.self),
        row([.parked], .recall, [.customer], [.requestingBack], ReturnRequested.self),
        row([.requestingBack], .match, [.system], [.requestingBack], ValetAssigned.self),
        row([.requestingBack], .noValet, [.system], [.parked], ReturnUnfulfilled.self),
        row([.requestingBack], .offer, [.system], [.requestingBack], ValetOffered.self),
        row([.requestingBack], .offerDelivered, [.offeredValet], [.requestingBack], nil),
        row(
            [.requestingBack], .acceptOffer, [.offeredValet], [.requestingBack],
            ValetAssigned.self),
        row([.requestingBack], .declineOffer, [.offeredValet], [.requestingBack], OfferEnded.self),
        row([.requestingBack], .offerExpired, [.system], [.requestingBack], OfferEnded.self),
        row([.requestingBack], .cancelRecall, [.customer], [.parked], RecallCancelled.self),
        row(
            [.requestingBack], .retrieve, [.assignedValet], [.returningBack],
            VehicleRetrieved.self),
        row(
            [.returningBack], .handBack, [.assignedValet], [.waitingForPayment, .finished],
            VehicleReturned.self),
        row(
            [.waitingForPayment], .paymentSucceeded, [.payments], [.finished],
            OrderFinished.self),
        row([.waitingForPayment], .paymentDeclined, [.payments], [.waitingForPayment], nil),
        row(
            OrderStatus.allCases.filter { !$0.isEnd }, .override, [.operator],
            OrderStatus.allCases, OrderOverridden.self),
    ]

    /// The row for an action in a state, if there is one.
    static func row(_ action: OrderAction, from status: OrderStatus) -> OrderTransition? {
        table.first { $0.action == action && $0.from.contains(status) }
    }
}
