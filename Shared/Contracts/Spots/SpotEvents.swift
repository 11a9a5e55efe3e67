import Foundation

extension Topic {
    public static let spots: Topic = "spots"
}

/// A step of a spot or of a request for it: a row of the table of transitions.
public enum SpotStep: String, Codable, Sendable, CaseIterable {
    case offered, cancelled, requested, approved, denied, arrived, handedOver, spotGone
    case buyerAbsent, expired
    /// A request ended, or somebody leads an auction, beside the rows of the table.
    case requestEnded, bid
    /// Somebody has said that they are there, or done.
    case confirmed
    /// Nobody has said what became of it.
    case lapsed
}

/// Something has happened to a spot. Where it is stays with spots.
public struct SpotChanged: Event {
    public static let type = "spots.spot-changed.v1"
    public static let topic = Topic.spots
    public var spot: SpotID
    public var step: Open<SpotStep>
    public var status: Open<SpotStatus>
    public var area: ServiceAreaID
    public var seller: PersonID
    /// Once it is reserved.
    public var buyer: PersonID?
    public var price: Money
    /// Grows with each step.
    public var version: Int
    public var key: String { spot.description }

    public init(
        spot: SpotID, step: SpotStep, status: SpotStatus, area: ServiceAreaID, seller: PersonID,
        buyer: PersonID?, price: Money, version: Int
    ) {
        (self.spot, self.step, self.status) = (spot, .known(step), .known(status))
        (self.area, self.seller, self.buyer) = (area, seller, buyer)
        (self.price, self.version) = (price, version)
    }
}
