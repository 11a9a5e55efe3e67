import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

extension Product {
    /// Valet parking.
    static let valet: Product = "valet"
}

extension OrderSnapshot {
    /// How long after the end a vehicle may still be photographed, in seconds.
    static let photographedAfterEndSeconds: TimeInterval = 86_400

    /// The order's engagement: its participants and their rights.
    ///
    /// It depends on the snapshot alone, except that an unpaid cancellation fee binds the customer like an
    /// unfinished order.
    func engagement(isFeeDue: Bool = false) -> Engagement {
        var engagement = Engagement(
            id: id.as(EngagementID.self), product: .valet, version: version,
            state: isFeeDue ? .open : engagementState)
        engagement.participants = participants
        engagement.asked = [offeredTo?.as(PersonID.self)].compactMap(\.self)
        engagement.way = way
        engagement.markers = markers
        engagement.photos = Engagement.Photos(
            owner: customer.as(PersonID.self), windows: photoWindows, confirmed: confirmation)
        return engagement
    }

    private var engagementState: Engagement.State {
        switch status.known {
        case .finished: .ended
        case .cancelled, .unfulfilled: .cancelled
        case .requested, .droppingOff, .parking, .parked, .requestingBack, .returningBack,
            .waitingForPayment, nil:
            .open
        }
    }

    /// The valet who has the job.
    private var servingValet: PersonID? {
        switch status.known {
        case .droppingOff, .parking: dropOffValet?.as(PersonID.self)
        case .requestingBack, .returningBack: returnValet?.as(PersonID.self)
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled, nil:
            nil
        }
    }

    /// The customer, and the valets who served, the one who brought the vehicle back first. Customer and valet see
    /// each other while the valet serves, and rate each other; valets do not rate each other.
    private var participants: [Engagement.Participant] {
        let (customer, serving) = (customer.as(PersonID.self), servingValet)
        var valets = [returnValet, dropOffValet].compactMap { $0?.as(PersonID.self) }
        if valets.count == 2, valets[0] == valets[1] { valets.removeLast() }
        let owner = Engagement.Participant(
            customer, sees: [serving].compactMap(\.self), rates: valets)
        return [owner]
            + valets.map { valet in
                let serves = valet == serving
                return Engagement.Participant(
                    valet, isPresent: serves, isBusy: serves, sees: serves ? [customer] : [],
                    rates: [customer])
            }
    }

    private var way: Engagement.Way? {
        guard let mover = servingValet else { return nil }
        func way(to end: Coordinate?, _ leg: OrderLeg? = nil) -> Engagement.Way {
            Engagement.Way(
                mover: mover, to: end, meeting: leg.map { Engagement.Meeting(id: $0.rawValue) })
        }
        switch status.known {
        case .droppingOff: return way(to: dropOff.coordinate, .dropOff)
        case .requestingBack: return way(to: parked?.place.coordinate, .return)
        case .returningBack: return way(to: returnTo?.coordinate)
        // Valets choose where to park.
        case .parking: return way(to: nil)
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled, nil:
            return nil
        }
    }

    /// The fields of `Track`: the vehicle where it is parked, or with the valet who drives it.
    private var markers: [Engagement.Marker] {
        var vehicle = Engagement.Marker("vehicle")
        switch status.known {
        case .parking, .returningBack:
            vehicle.person = servingValet
        case .parked, .requestingBack:
            (vehicle.at, vehicle.since) = (parked?.place.coordinate, parkedAt)
        case .requested, .droppingOff, .waitingForPayment, .finished, .cancelled, .unfulfilled, nil:
            break
        }
        return [
            Engagement.Marker("customer", of: customer.as(PersonID.self)),
            Engagement.Marker("valet", of: servingValet), vehicle,
        ]
    }

    private var photoWindows: [Engagement.Window] {
        switch status.known {
        case .droppingOff, .parking, .parked: [.init(.handOver)]
        case .requestingBack, .returningBack, .waitingForPayment: [.init(.handBack)]
        case .finished:
            [.init(.handBack, until: endedAt?.addingTimeInterval(Self.photographedAfterEndSeconds))]
        case .requested, .cancelled, .unfulfilled, nil: []
        }
    }

    private var confirmation: Engagement.Confirmation? {
        guard let recognition, let vehicle else { return nil }
        return Engagement.Confirmation(
            recognition: recognition,
            vehicle: VehicleDescription(
                plate: vehicle.plate, make: vehicle.make, model: vehicle.model,
                colour: vehicle.colour))
    }
}

extension OrderEvent {
    /// Whether this event changes the engagement.
    fileprivate var changesEngagement: Bool {
        switch self {
        case is MatchRepeated, is OrderOverdue, is OrderNeedsOperator, is TaskChanged: false
        default: true
        }
    }
}

extension OrderStore {
    /// Publishes the engagement after an event that changes it.
    func publishEngagement(after event: any OrderEvent, at now: Date) throws {
        guard event.changesEngagement else { return }
        try publishEngagement(of: event.order, at: now)
    }

    func publishEngagement(of order: OrderSnapshot, at now: Date) throws {
        try transaction.publish(EngagementChanged(engagement(of: order)), at: now)
    }

    fileprivate func engagement(of order: OrderSnapshot) throws -> Engagement {
        try order.engagement(
            isFeeDue: order.status == .cancelled && transaction.debts.isFeeDue(for: order.id))
    }
}

extension OrderStore {
    /// Orders that are unfinished, or of which a fee is due: other services may hear of their engagements and bills at
    /// any age.
    private static let isOpen = "(ended_at IS NULL OR id IN (SELECT order_id FROM debts))"

    /// By id.
    private func open(after id: String, limit: Int) throws -> [Order] {
        try transaction.rows(
            """
            SELECT body FROM orders WHERE \(Self.isOpen) AND id > ?
            ORDER BY id LIMIT ?
            """, id, limit
        ).map(Order.init)
    }

    func toldEngagements(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try open(after: id, limit: limit).map { order in
            .init(order.id, EngagementChanged(try engagement(of: order.snapshot)))
        }
    }

    /// Orders whose vehicle is parked: car parks may have lost the spaces.
    func toldParked(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try open(after: id, limit: limit).map { order in
            let snapshot = order.snapshot
            let isThere = order.status == .parked || order.status == .requestingBack
            guard isThere, let valet = order.dropOffValet else { return .init(order.id, nil) }
            return .init(order.id, VehicleParked(order: snapshot, valet: valet))
        }
    }

    /// Bills of open orders. Those of the others are only counted: each order has one from its beginning.
    func toldBills(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try transaction.rows(
            """
            SELECT id, version, CASE WHEN \(Self.isOpen) THEN body END AS body FROM orders
            WHERE id > ? ORDER BY id LIMIT ?
            """, id, limit
        ).map { row in
            let id: OrderID = try row.get("id")
            let body: String? = try row.getIfPresent("body")
            return .init(
                id, try body.map { _ in BillChanged(bill: try Order(row).currentBill()) },
                marks: [StateMark(.bills, id, version: try row.get("version"))])
        }
    }
}

extension OrderQueries {
    /// Answers services that may have missed the latest engagement.
    func engagement(_ id: EngagementID) async throws -> Engagement {
        try await database.read { transaction in
            guard let order = try transaction.orders.find(id.as(OrderID.self)) else {
                throw Refusal.orderUnknown
            }
            return try transaction.orders.engagement(of: order.snapshot)
        }
    }

    /// The customer's or valet's order that is unfinished, or whose bill or fee is unpaid.
    func binding(_ person: PersonID) async throws -> EngagementID? {
        let customer = person.as(CustomerID.self)
        return try await database.read { transaction in
            let open =
                try transaction.orders.unfinished(of: customer)
                ?? transaction.orders.activeJob(of: person.as(ValetID.self))
            let id = try open?.id ?? transaction.debts.due(of: customer)?.order
            return id?.as(EngagementID.self)
        }
    }
}
