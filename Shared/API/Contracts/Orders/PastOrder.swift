import Foundation

/// A complete order of the past, up to its bill. Orders accepts these only in a demo.
public struct PastOrder: Codable, Sendable, Hashable {
    /// When each step was taken, each later than the one before.
    public struct Times: Codable, Sendable, Hashable {
        public var placed, assigned, collected, parked: Date
        public var recalled, returnAssigned, retrieved, returned: Date

        public init(
            placed: Date, assigned: Date, collected: Date, parked: Date, recalled: Date,
            returnAssigned: Date, retrieved: Date, returned: Date
        ) {
            (self.placed, self.assigned, self.collected) = (placed, assigned, collected)
            (self.parked, self.recalled) = (parked, recalled)
            (self.returnAssigned, self.retrieved) = (returnAssigned, retrieved)
            self.returned = returned
        }
    }

    /// An id made at the time of placing, since lists are sorted by it.
    public var id: OrderID
    public var customer: CustomerID
    public var dropOff: Place
    public var dropOffValet: ValetID
    public var vehicle: VehicleDescription
    public var parkedAt: ParkedAt
    public var returnTo: Place
    public var returnValet: ValetID
    /// When each step was taken, each later than the one before.
    public var times: Times

    public init(
        id: OrderID, customer: CustomerID, dropOff: Place, dropOffValet: ValetID,
        vehicle: VehicleDescription, parkedAt: ParkedAt, returnTo: Place, returnValet: ValetID,
        times: Times
    ) {
        (self.id, self.customer, self.times) = (id, customer, times)
        (self.dropOff, self.dropOffValet) = (dropOff, dropOffValet)
        (self.vehicle, self.parkedAt) = (vehicle, parkedAt)
        (self.returnTo, self.returnValet) = (returnTo, returnValet)
    }
}
