import Foundation

extension Topic {
    public static let location: Topic = "location"
    public static let positions: Topic = "positions"
}

/// Somebody is where they are to meet the others of an engagement. Said once a meeting.
public struct PartyArrived: Event {
    public static let type = "location.arrived.v1"
    public static let topic = Topic.location
    public var engagement: EngagementID
    public var product: Product
    /// The product's name for it.
    public var meeting: String
    public var mover: PersonID
    /// Who sees them come.
    public var peers: [PersonID]
    public var arrivedAt: Date
    public var key: String { engagement.description }

    public init(
        engagement: EngagementID, product: Product, meeting: String, mover: PersonID,
        peers: [PersonID], arrivedAt: Date
    ) {
        self.engagement = engagement
        self.product = product
        self.meeting = meeting
        self.mover = mover
        self.peers = peers
        self.arrivedAt = arrivedAt
    }
}

/// Somebody whose departure an engagement waits for has gone. Said once a leaving.
public struct PartyLeft: Event {
    public static let type = "location.left.v1"
    public static let topic = Topic.location
    public var engagement: EngagementID
    public var product: Product
    /// The product's name for it.
    public var leaving: String
    public var mover: PersonID
    /// Who sees them go.
    public var peers: [PersonID]
    public var leftAt: Date
    public var key: String { engagement.description }

    public init(
        engagement: EngagementID, product: Product, leaving: String, mover: PersonID,
        peers: [PersonID], leftAt: Date
    ) {
        self.engagement = engagement
        self.product = product
        self.leaving = leaving
        self.mover = mover
        self.peers = peers
        self.leftAt = leftAt
    }
}

public struct AvailabilityChanged: Event {
    public static let type = "location.availability-changed.v1"
    public static let topic = Topic.location
    public var valet: ValetID
    public var status: Open<ValetStatus>
    public var serviceArea: ServiceAreaID?
    public var changedAt: Date
    public var key: String { valet.description }

    public init(
        valet: ValetID, status: ValetStatus, serviceArea: ServiceAreaID?, changedAt: Date
    ) {
        self.valet = valet
        self.status = .known(status)
        self.serviceArea = serviceArea
        self.changedAt = changedAt
    }
}

/// Somebody has moved. The only event that may be dropped under load; the latest wins.
public struct PositionRecorded: Event {
    public static let type = "location.position-recorded.v1"
    public static let topic = Topic.positions
    public var position: LivePosition
    /// Who may see it besides operators, as their engagements say.
    public var viewers: [PersonID]
    public var key: String { position.person.description }

    public init(position: LivePosition, viewers: [PersonID]) {
        self.position = position
        self.viewers = viewers
    }
}
