import Client
import Contracts
import Foundation
import Geo
import Threads

/// A commuter who shares lifts until the time is over: takes passengers or rides along.
///
/// The server's clocks are not accelerated: a driver starts within the hour before the published departure, as soon
/// as there is a passenger.
final class SimulatedCommuter: Sendable {
    /// Simulated seconds before the first trip, and between two.
    private static let rest = 5.0...300
    private static let patience: Duration = .seconds(40)
    private static let pause: Duration = .milliseconds(500)
    /// Seconds from publication to departure: less than the hour within which a driver may start.
    private static let ahead: TimeInterval = 2_400
    /// Minimum distance between the ends of a trip, in metres.
    private static let shortest = 400.0
    private static let mostTriesToPlan = 20

    private let world: Simulation
    private let persona: Persona
    private let person: SimulatedPerson
    private let wake: Signal

    init(_ world: Simulation, _ index: Int) {
        self.world = world
        persona = Persona(.commuter, index, seed: world.settings.seed)
        person = world.person(persona)
        wake = world.wake()
    }

    private var timeZone: TimeZone { world.town.timeZone }

    private var drives: Bool { persona.index.isMultiple(of: 2) }

    /// Returns when the time is over and nothing of theirs is open.
    func live() async throws {
        let newcomer = Newcomer(world: world, persona: persona, person: person, wake: wake)
        guard try await newcomer.arrive() != nil else { return }
        try await giveUpAll()
        var generator = world.generator(.commuter, persona.index, "day")
        try await rest(generator.within(Self.rest))
        if drives, let way = way(&generator) { try await publishWeekly(way, &generator) }
        var number = 0
        while world.phase == .open {
            var generator = world.generator(.commuter, persona.index, "trip", number)
            do {
                if let way = way(&generator) {
                    try await drives ? drive(way, &generator) : ride(way, &generator)
                }
            } catch is ClientError {
                try await wake.wait(upTo: SimulatedCustomer.stumble)
            }
            number += 1
            try await rest(generator.within(Self.rest))
        }
        try await giveUpAll()
    }

    private func rest(_ simulated: Double) async throws {
        let end = ContinuousClock.now + world.real(simulated)
        while world.phase == .open, ContinuousClock.now < end {
            try await wake.wait(upTo: end - .now)
        }
    }

    /// Start and end of a trip in the town.
    private func way(_ generator: inout SeededGenerator) -> (from: Place, to: Place)? {
        for _ in 0..<Self.mostTriesToPlan {
            let (from, to) = (world.town.place(&generator), world.town.place(&generator))
            if Geo.distanceMeters(from.coordinate, to.coordinate) >= Self.shortest {
                return (from, to)
            }
        }
        return nil
    }

    private func local(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
            .time(includingFractionalSeconds: false)
        return String(date.formatted(style).prefix(19))
    }

    /// Cancels everything that this or an earlier run left open.
    private func giveUpAll() async throws {
        let trips = try await person.tryTo(TripEndpoints.myTrips(limit: 100))?.items
        for trip in trips ?? [] where trip.status == .open {
            try await person.tryTo(TripEndpoints.removeTrip(trip.id))
        }
        let seats = try await person.tryTo(
            RideEndpoints.mySeatRequests(
                asks: SeatRequestsQuery().with(\.role, .passenger).with(\.open, true).page(
                    limit: 100)))?.items
        for seat in seats ?? [] where seat.standingId == nil {
            try await person.tryTo(RideEndpoints.cancelSeat(seat.id))
        }
    }

    // MARK: Driving

    /// Publishes a weekly trip, so that passengers can join future dates.
    private func publishWeekly(
        _ way: (from: Place, to: Place), _ generator: inout SeededGenerator
    ) async throws {
        let departure = Date(timeIntervalSinceNow: generator.within(10...20) * 3_600)
        var body = body(way, departure, &generator)
        body.acceptsAutomatically = true
        let weekly = body
        let trip = try await person.tryTo(TripEndpoints.publishTrip(body: weekly))
        if let trip { world.tally.lifts { $0.published.append(trip.id) } }
    }

    private func body(
        _ way: (from: Place, to: Place), _ departure: Date, _ generator: inout SeededGenerator
    ) -> TripBody {
        TripBody(
            origin: way.from, destination: way.to, departsAt: local(departure),
            timeZone: timeZone.identifier == "GMT" ? "UTC" : timeZone.identifier,
            repeats: TripRepeats(weekdays: Self.weekdays(of: departure, in: timeZone)),
            seats: Int.random(in: 1...4, using: &generator),
            maxDetourSeconds: generator.chance(30) ? 300 : 0,
            acceptsAutomatically: generator.chance(40))
    }

    /// Working days, and the day of departure.
    static func weekdays(of departure: Date, in timeZone: TimeZone) -> [TripWeekday] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let today = (calendar.component(.weekday, from: departure) + 5) % 7
        return TripWeekday.allCases.enumerated().filter { $0.offset < 5 || $0.offset == today }
            .map(\.element)
    }

    /// Drives today's ride of a weekly trip, then removes the trip.
    private func drive(
        _ way: (from: Place, to: Place), _ generator: inout SeededGenerator
    ) async throws {
        let body = body(way, Date(timeIntervalSinceNow: Self.ahead), &generator)
        let trip = try await person.tryTo(TripEndpoints.publishTrip(body: body))
        guard let trip else { return }
        world.tally.lifts { $0.published.append(trip.id) }
        var riding: RideID?
        _ = try await watch {
            let seats = try await person.ask(
                RideEndpoints.mySeatRequests(
                    asks: SeatRequestsQuery().with(\.role, .driver).with(\.open, true).page(
                        limit: 20))
            ).items
            for seat in seats where seat.tripId == trip.id && seat.asks == .driver {
                let isWelcome = generator.chance(88)
                _ = try await person.tryTo { client, _ in
                    isWelcome
                        ? try await client(RideEndpoints.acceptSeat(seat.id))
                        : try await client(RideEndpoints.declineSeat(seat.id))
                }
            }
            riding = seats.first { $0.tripId == trip.id && $0.status == .accepted }?.rideId
            return riding != nil || world.phase != .open
        }
        if let riding { try await drive(riding, &generator) }
        try await person.tryTo(TripEndpoints.removeTrip(trip.id))
    }

    private func drive(_ ride: RideID, _ generator: inout SeededGenerator) async throws {
        let begun = try await person.tryTo(RideEndpoints.startRide(ride))
        guard let begun else { return }
        try await rest(generator.within(Self.rest))
        try await person.tryTo(RideEndpoints.endRide(ride))
        world.tally.lifts { $0.rides += 1 }
        for seat in begun.passengers where seat.status == .accepted {
            let wasThere = generator.chance(95)
            let settled = try await person.tryTo(
                RideEndpoints.confirmSeat(seat.id, body: SeatConfirmBody(inTheCar: wasThere)))
            guard settled?.status == .rode else { continue }
            world.tally.lifts { $0.rode += 1 }
            try await rate(ride, seat.passenger.id, &generator)
        }
    }

    // MARK: Riding along

    private func ride(
        _ way: (from: Place, to: Place), _ generator: inout SeededGenerator
    ) async throws {
        let found = try await person.ask(
            TripEndpoints.searchTrips(
                body: TripSearchBody(
                    from: way.from.coordinate, to: way.to.coordinate, departAfter: Date(),
                    departBefore: Date(timeIntervalSinceNow: 2 * Self.ahead)))
        ).items
        guard let match = generator.pick(Array(found.prefix(3))) else {
            return world.tally.lifts { $0.withoutOffer += 1 }
        }
        let asked = try await person.tryTo(
            TripEndpoints.requestSeat(
                match.tripId,
                body: SeatRequestBody(
                    date: match.date, pickUp: match.pickUp.point, dropOff: match.dropOff.point)))
        guard let asked, let ride = asked.rideId else { return }
        world.tally.lifts { $0.requested += 1 }
        var status = asked.status
        _ = try await watch {
            let seats = try await person.ask(
                RideEndpoints.mySeatRequests(
                    asks: SeatRequestsQuery().with(\.role, .passenger).page(limit: 5))
            ).items
            status = seats.first { $0.id == asked.id }?.status ?? .cancelled
            let isAnswered = status != .pending || world.phase != .open
            return isAnswered && status != .accepted
        }
        switch status {
        case .rode: try await rate(ride, match.driver.id, &generator)
        case .pending, .accepted:
            try await person.tryTo(RideEndpoints.cancelSeat(asked.id))
        case .didNotRide, .declined, .cancelled, .expired: break
        }
    }

    private func rate(
        _ ride: RideID, _ other: PersonID, _ generator: inout SeededGenerator
    ) async throws {
        guard generator.chance(60) else { return }
        let stars = Int.random(in: 3...5, using: &generator)
        let rated = try await person.tryTo(
            RideEndpoints.rateRide(ride, body: RatingBody(stars: stars, to: other)))
        if rated != nil { world.tally.rated(stars) }
    }

    /// Looks until something has happened, or nobody waits any more.
    private func watch(_ look: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end, world.phase < .over {
            if try await look() { return true }
            try await Task.sleep(for: Self.pause)
        }
        return false
    }
}
