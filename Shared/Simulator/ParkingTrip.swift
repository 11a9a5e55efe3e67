import Geo

/// A driver's plan for one trip. It is drawn beforehand, so that it does not depend on what others do meanwhile.
struct ParkingTrip: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// Books from now on, and comes.
        case booked
        /// Books for a later day.
        case ahead
        /// Comes without a booking.
        case driveUp
    }

    let kind: Kind
    let goal: Coordinate
    /// Index of the driver's vehicle.
    let vehicle: Int
    /// Booked hours.
    let hours: Int
    let daysAhead: Int
    /// Index among the nearby car parks, not always the nearest.
    let choice: Int
    let looksAround: Bool
    /// Cancels the booking instead of coming.
    let cancels: Bool
    /// Extends a booking for a later day by an hour.
    let changes: Bool
    /// Extends the booking once inside.
    let extends: Bool
    /// Stays until the booking's end and the grace period are over, by the server's clock.
    let overstays: Bool
    /// Hours since the arrival, if the gate was offline and reports it only now.
    let hoursInside: Double?
    /// Simulated seconds inside.
    let staySeconds: Double
    /// Simulated seconds until the next trip.
    let restSeconds: Double

    private static let longestInside = 5.0

    init(_ generator: inout SeededGenerator, _ number: Int, in town: SimulatedTown, vehicles: Int) {
        let drawn = generator.within(0...100)
        let wasInside = generator.chance(50)
        let hours = generator.within(1...Self.longestInside)
        // Car parks learns of the vehicles with the first booking, so that it recognises the plates of later
        // drive-ups.
        switch number {
        case 0: kind = .ahead
        case 1 where wasInside: kind = .driveUp
        default: kind = drawn < 55 ? .booked : drawn < 80 ? .driveUp : .ahead
        }
        hoursInside = number == 1 && wasInside ? hours : nil
        goal = town.place(&generator).coordinate
        vehicle = Int.random(in: 0..<max(1, vehicles), using: &generator)
        self.hours = Int.random(in: 1...3, using: &generator)
        daysAhead = Int.random(in: 2...6, using: &generator)
        choice = Int.random(in: 0...3, using: &generator)
        looksAround = generator.chance(50)
        cancels = generator.chance(kind == .ahead ? 40 : 10)
        changes = generator.chance(60)
        extends = generator.chance(15)
        overstays = generator.chance(5)
        staySeconds = generator.within(20 * 60...120 * 60)
        // A driver who has only booked ahead soon starts the next trip.
        restSeconds = generator.within(kind == .ahead ? 60...300 : 5 * 60...30 * 60)
    }
}
