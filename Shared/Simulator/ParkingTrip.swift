import Geo

/// What a driver has in mind for one trip: drawn beforehand, so that it does not depend on what
/// others do meanwhile.
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
    /// Which of the driver's vehicles.
    let vehicle: Int
    /// That are booked.
    let hours: Int
    let daysAhead: Int
    /// Of those that are near, not always the nearest.
    let choice: Int
    let looksAround: Bool
    /// Gives the booking up: the driver's mind, or that of the next few minutes.
    let cancels: Bool
    /// What is booked for a later day becomes an hour longer.
    let changes: Bool
    /// Once inside.
    let extends: Bool
    /// Stays until the booking's end and the minutes of grace are over, by the server's clock.
    let overstays: Bool
    /// Came so many hours ago: the gate was cut off, and tells of it only now.
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
        // By the first booking car parks hears of the vehicles, so that who drives up is known by the plate.
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
        // A driver who has only booked ahead soon begins the next trip.
        restSeconds = generator.within(kind == .ahead ? 60...300 : 5 * 60...30 * 60)
    }
}
