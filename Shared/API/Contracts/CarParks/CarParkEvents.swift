import Foundation

extension Topic {
    public static let carparks: Topic = "carparks"
}

/// A step of a booking. `left`: the last of its vehicles left, or the booking ended. `missed`:
/// nobody came.
///
/// Each is a row in the table of transitions.
public enum BookingStep: String, Codable, Sendable, CaseIterable {
    case held, paid, expired, changed, cancelled, entered, left, missed
}

/// A booking of a car park was made or changed. The event has no licence plates.
public struct BookingChanged: Event {
    public static let type = "carparks.booking-changed.v1"
    public static let topic = Topic.carparks
    public var booking: BookingID
    public var step: Open<BookingStep>
    public var status: Open<BookingStatus>
    public var person: PersonID
    public var carPark: CarParkID
    public var kind: Open<SpaceClass>
    /// Number of spaces.
    public var spaces: Int
    public var start: Date
    public var end: Date
    /// Increases with each step; gaps have no meaning.
    public var version: Int
    public var key: String { booking.description }

    public init(
        booking: BookingID, step: BookingStep, status: BookingStatus, person: PersonID,
        carPark: CarParkID, kind: SpaceClass, spaces: Int, start: Date, end: Date, version: Int
    ) {
        (self.booking, self.step, self.status) = (booking, .known(step), .known(status))
        (self.person, self.carPark, self.kind) = (person, carPark, .known(kind))
        (self.spaces, self.start, self.end, self.version) = (spaces, start, end, version)
    }
}

/// A car park was added, changed or removed.
public struct CarParkChanged: Event {
    public static let type = "carparks.car-park-changed.v1"
    public static let topic = Topic.carparks
    public var carPark: CarParkID
    public var name: String
    /// False if the car park is closed, or was removed.
    public var isOpen: Bool
    public var version: Int
    public var key: String { carPark.description }

    public init(carPark: CarParkID, name: String, isOpen: Bool, version: Int) {
        (self.carPark, self.name, self.isOpen, self.version) = (carPark, name, isOpen, version)
    }
}

/// A step of a fine.
///
/// Each is a row in the table of transitions.
public enum FineStep: String, Codable, Sendable, CaseIterable {
    case issued, appealed, upheld, cancelled, paid
}

/// A fine of a car park was issued or changed. The event has no licence plates.
public struct FineChanged: Event {
    public static let type = "carparks.fine-changed.v1"
    public static let topic = Topic.carparks
    public var fine: FineID
    public var step: Open<FineStep>
    public var carPark: CarParkID
    public var amount: Money
    /// Increases with each step; gaps have no meaning.
    public var version: Int
    public var key: String { fine.description }

    public init(fine: FineID, step: FineStep, carPark: CarParkID, amount: Money, version: Int) {
        (self.fine, self.step, self.carPark) = (fine, .known(step), carPark)
        (self.amount, self.version) = (amount, version)
    }
}
