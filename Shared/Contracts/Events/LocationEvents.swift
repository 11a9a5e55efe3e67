import Foundation

/// A valet is at the meeting point of their job. Said once a leg.
public struct ValetArrived: Event {
    public static let type = "location.arrived.v1"
    public static let topic = Topic.location
    public var order: OrderID
    public var leg: OrderLeg
    public var valet: ValetID
    public var customer: CustomerID
    public var arrivedAt: Date
    public var key: String { order.description }

    public init(
        order: OrderID, leg: OrderLeg, valet: ValetID, customer: CustomerID, arrivedAt: Date
    ) {
        self.order = order
        self.leg = leg
        self.valet = valet
        self.customer = customer
        self.arrivedAt = arrivedAt
    }
}

public struct AvailabilityChanged: Event {
    public static let type = "location.availability-changed.v1"
    public static let topic = Topic.location
    public var valet: ValetID
    public var status: ValetStatus
    public var serviceArea: ServiceAreaID?
    public var changedAt: Date
    public var key: String { valet.description }

    public init(
        valet: ValetID, status: ValetStatus, serviceArea: ServiceAreaID?, changedAt: Date
    ) {
        self.valet = valet
        self.status = status
        self.serviceArea = serviceArea
        self.changedAt = changedAt
    }
}

/// Somebody has moved. The only event that may be dropped under load; the latest wins.
public struct PositionRecorded: Event {
    public static let type = "location.position-recorded.v1"
    public static let topic = Topic.positions
    public var position: LivePosition
    /// Who may see it besides operators: the customer whom the valet serves, or the valet who serves.
    public var viewers: [PersonID]
    public var key: String { position.person.description }

    public init(position: LivePosition, viewers: [PersonID]) {
        self.position = position
        self.viewers = viewers
    }
}
