import Foundation

extension Topic {
    public static let location: Topic = "location"
    public static let positions: Topic = "positions"
}

/// A person arrived where they meet the others of an engagement. Published once for each meeting.
public struct PartyArrived: ProductEvent {
    public static let type = "location.arrived.v1"
    public static let topic = Topic.location
    public var engagement: EngagementID
    /// The product of the engagement, for example `valet`.
    public var product: Product
    /// The product's name for the meeting, for example `dropOff`.
    public var meeting: String
    /// The person who arrived.
    public var mover: PersonID
    /// People who can see this person's live position.
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

/// A person whose departure an engagement waits for has left. Published once for each `leaving`.
public struct PartyLeft: ProductEvent {
    public static let type = "location.left.v1"
    public static let topic = Topic.location
    public var engagement: EngagementID
    /// The product of the engagement, for example `valet`.
    public var product: Product
    /// The product's name for the departure.
    public var leaving: String
    /// The person who left.
    public var mover: PersonID
    /// People who can see this person's live position.
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

/// A valet became available or busy, or went on a break or off shift.
public struct AvailabilityChanged: StateEvent {
    public static let type = "location.availability-changed.v1"
    public static let topic = Topic.location
    public var valet: ValetID
    public var status: Open<ValetStatus>
    /// The area in which the valet is; absent outside all areas.
    public var serviceArea: ServiceAreaID?
    public var changedAt: Date
    public var key: String { valet.description }
    public var marks: [StateMark] {
        status == .offline ? [] : [StateMark(.shifts, valet, version: 0)]
    }

    public init(
        valet: ValetID, status: ValetStatus, serviceArea: ServiceAreaID?, changedAt: Date
    ) {
        self.valet = valet
        self.status = .known(status)
        self.serviceArea = serviceArea
        self.changedAt = changedAt
    }
}

/// A person moved. This is the only event that may be dropped under load; the latest wins.
public struct PositionRecorded: Event {
    public static let type = "location.position-recorded.v1"
    public static let topic = Topic.positions
    public var position: LivePosition
    /// People who may see the position besides operators, according to their engagements.
    public var viewers: [PersonID]
    public var key: String { position.person.description }

    public init(position: LivePosition, viewers: [PersonID]) {
        self.position = position
        self.viewers = viewers
    }
}
