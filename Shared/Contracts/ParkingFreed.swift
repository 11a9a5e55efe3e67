import Foundation
import Geo

extension Topic {
    public static let parking: Topic = "parking"
}

/// Where there was no place to park there is one again: whoever waits for one around there may want to know.
public struct ParkingFreed: Event {
    public static let type = "parking.freed.v1"
    public static let topic = Topic.parking
    /// Id of what has the place, as a car park's.
    public var subject: String
    /// As people know it.
    public var name: String
    public var position: Coordinate
    /// For an hour; nil where nobody can say.
    public var price: Money?
    public var freedAt: Date
    /// Of the subject, as its owner says it.
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
