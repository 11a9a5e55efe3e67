import Foundation
import Geo

extension Topic {
    public static let parking: Topic = "parking"
}

/// A place to park is free again where there was none. People who wait for one nearby may be
/// notified.
public struct ParkingFreed: Event {
    public static let type = "parking.freed.v1"
    public static let topic = Topic.parking
    /// Id of what has the free place, for example of a car park.
    public var subject: String
    /// Name, as people know it.
    public var name: String
    public var position: Coordinate
    /// Price of an hour; absent if it is not known.
    public var price: Money?
    public var freedAt: Date
    /// State of the subject, as the service that owns it describes it.
    public var state: SubjectState
    public var key: String { subject }

    public init(
        subject: String, name: String, position: Coordinate, price: Money?, freedAt: Date,
        state: SubjectState
    ) {
        (self.subject, self.name, self.position) = (subject, name, position)
        (self.price, self.freedAt, self.state) = (price, freedAt, state)
    }
}
