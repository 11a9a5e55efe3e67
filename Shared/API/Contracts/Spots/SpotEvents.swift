import Foundation

extension Topic {
    public static let spots: Topic = "spots"
}

/// A step of a spot, or of a request for it. `requestEnded`: a request ended without the spot.
/// `confirmed`: one side said that they are there or done, or the seller answered a dispute.
/// `lapsed`: nobody said in time whether the spot was handed over.
///
/// All but the seller's answer to a dispute are rows in the table of transitions.
public enum SpotStep: String, Codable, Sendable, CaseIterable {
    case offered, cancelled, requested, approved, denied, arrived, handedOver, spotGone
    case buyerAbsent, expired
    /// A request ended, or somebody bid; the spot is still offered.
    case requestEnded, bid
    /// One side said that they are there or done, or the seller answered a dispute.
    case confirmed
    /// Nobody said in time whether the spot was handed over.
    case lapsed
}

/// A spot, or a request for it, has changed. The event doesn't say where the spot is.
public struct SpotChanged: Event {
    public static let type = "spots.spot-changed.v1"
    public static let topic = Topic.spots
    public var spot: SpotID
    public var step: Open<SpotStep>
    public var status: Open<SpotStatus>
    public var area: ServiceAreaID
    public var seller: PersonID
    /// Absent until the spot is reserved.
    public var buyer: PersonID?
    public var price: Money
    /// Increases with each step; gaps have no meaning.
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
