import Client
import Contracts
import Foundation
import Synchronization
import Threads

/// A driver who books, parks and leaves repeatedly, until the time is over.
final class SimulatedDriver: Sendable {
    /// Simulated seconds before the first trip.
    private static let firstRest = 5.0...300
    /// Tries to leave at the gate after the stay is paid.
    private static let mostTriesToLeave = 5
    /// How often a spot is handed over after a trip, in percent.
    private static let deals = 50.0

    let world: Simulation
    let persona: Persona
    let person: SimulatedPerson
    let wake: Signal
    /// Earnings from spots, in minor units by currency.
    let earnings = Mutex<[String: Int]>([:])

    init(_ world: Simulation, _ index: Int) {
        self.world = world
        persona = Persona(.driver, index, seed: world.settings.seed)
        person = world.person(persona)
        wake = world.wake()
    }

    /// Returns when the time is over and the vehicle is outside.
    func live() async throws {
        let newcomer = Newcomer(world: world, persona: persona, person: person, wake: wake)
        guard let vehicles = try await newcomer.arrive(), !vehicles.isEmpty else { return }
        let lastLeft = try await tidyUp()
        let owed = try await balances()
        var generator = world.generator(.driver, persona.index, "day")
        try await rest(world.real(generator.within(Self.firstRest)))
        var number = 0
        while world.phase == .open {
            var generator = world.generator(.driver, persona.index, "trip", number)
            let trip = ParkingTrip(&generator, number, in: world.town, vehicles: vehicles.count)
            let plate = vehicles[trip.vehicle]
            let deal = SpotDeal(&generator, in: world.town)
            do {
                try await ParkingJourney(self, trip, plate, notInsideUntil: lastLeft).go()
                if generator.chance(Self.deals), world.phase == .open { try await deal.go(self) }
            } catch is ClientError {
                try await wake.wait(upTo: SimulatedCustomer.stumble)
                _ = try await tidyUp()
            }
            number += 1
            try await rest(world.real(trip.restSeconds))
        }
        try await checkEarnings(since: owed)
    }

    private func rest(_ time: Duration) async throws {
        let end = ContinuousClock.now + time
        while world.phase == .open, ContinuousClock.now < end {
            try await wake.wait(upTo: end - .now)
        }
    }

    /// Drives out vehicles that an earlier run, or a failure, left inside, and cancels their bookings. Returns when
    /// the last one left; nil if there was none.
    private func tidyUp() async throws -> Date? {
        while world.phase < .over {
            do {
                let stays = try await person.ask(CarParkEndpoints.parkingSessions()).items
                for stay in stays where stay.leftAt == nil {
                    try await driveOut(stay.plate, of: stay.carPark)
                }
                for booking in try await current() where booking.start <= Date() {
                    try await cancel(booking)
                }
                return stays.contains { $0.leftAt == nil }
                    ? Date() : stays.compactMap(\.leftAt).max()
            } catch is ClientError {
                try await wake.wait(upTo: SimulatedCustomer.stumble)
            }
        }
        return nil
    }

    // MARK: Bookings

    /// Future and current bookings.
    func current() async throws -> [Booking] {
        try await person.ask(
            CarParkEndpoints.bookings(
                asks: BookingsQuery().with(\.state, .current).page(limit: 100))
        ).items
    }

    func cancel(_ booking: Booking) async throws {
        let cancelled = try await person.tryTo(CarParkEndpoints.cancelBooking(booking.id))
        guard let cancelled else { return }
        world.tally.park { counts in
            counts.cancelled += 1
            counts.givenBack[cancelled.refund.currency, default: 0] += cancelled.refund.amount
        }
    }

    // MARK: Money

    /// Pays with the saved card, then with another one. False if both are declined.
    func pay(
        _ pay: (OpenValetClient, PayBody, RequestKey) async throws -> Payment?
    ) async throws -> Bool {
        let saved = try await person.ask(PaymentEndpoints.paymentMethods()).items.first
        let cards =
            [saved.map { PayBody(paymentMethodId: $0.id) }].compactMap(\.self)
            + [PayBody(token: TestCard.good(persona.index))]
        for card in cards {
            do {
                let payment = try await person.ask { client, key in
                    try await pay(client, card, key)
                }
                if let payment, payment.status == .succeeded {
                    world.tally.park {
                        $0.paid[payment.amount.currency, default: 0] += payment.amount.amount
                    }
                }
                return true
            } catch let error as ClientError where error.code == "payment.declined" {
                continue
            }
        }
        return false
    }

    // MARK: Gates

    /// Drives out through the gate, and pays what is due first.
    func driveOut(_ plate: String, of carPark: CarParkID) async throws {
        for attempt in 1...Self.mostTriesToLeave {
            guard
                let answer = try await world.gates.report(plate, .out, of: carPark, at: Date())
            else { return }
            if answer.open { world.tally.left(answer) }
            if let stay = answer.session, answer.due != nil { try await pay(stay) }
            if answer.open { return }
            if answer.reason != .paymentDue || attempt == Self.mostTriesToLeave {
                return world.tally.turnedAway(answer)
            }
        }
    }

    /// Pays a stay: for a drive-up before driving out, for an overstay afterwards.
    private func pay(_ stay: ParkingSessionID) async throws {
        do {
            _ = try await pay { client, card, key in
                try await client(CarParkEndpoints.payParkingSession(stay, body: card, key: key))
                    .payment
            }
        } catch let error as ClientError where error.code == "parking_session.nothing_due" {
            // It was paid meanwhile.
        }
    }
}
