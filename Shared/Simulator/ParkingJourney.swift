import Client
import Contracts
import Foundation
import Geo

/// One trip from the driver's side.
struct ParkingJourney: Sendable {
    /// A gate treats reports of a vehicle within ten seconds as the same passage.
    private static let shortestStay: Duration = .seconds(12)
    /// When an overstaying driver leaves, in seconds after the booking's end: the first quarter of an hour is free.
    private static let overstaySeconds = 17.0 * 60
    private static let radiusMeters = 20_000.0
    /// Maximum number of nearby car parks that the driver looks at.
    private static let mostOffers = 50

    private let driver: SimulatedDriver
    private let trip: ParkingTrip
    private let vehicle: Vehicle
    /// When a vehicle of theirs last left before this run.
    private let notInsideUntil: Date
    private var world: Simulation { driver.world }
    private var person: SimulatedPerson { driver.person }

    init(
        _ driver: SimulatedDriver, _ trip: ParkingTrip, _ vehicle: Vehicle,
        notInsideUntil: Date?
    ) {
        (self.driver, self.trip, self.vehicle) = (driver, trip, vehicle)
        self.notInsideUntil = notInsideUntil ?? .distantPast
    }

    func go() async throws {
        switch trip.kind {
        case .booked:
            let now = Date()
            guard let booking = try await book(from: now) else { return }
            if trip.cancels { return try await driver.cancel(booking) }
            try await park(in: booking.carPark.id, booking)
        case .ahead: try await bookAhead()
        case .driveUp:
            guard let carPark = try await find(from: Date()) else { return }
            try await park(in: carPark, nil)
        }
    }

    // MARK: Booking

    /// A car park near the destination with a free space for that time; nil if there is none.
    private func find(from start: Date) async throws -> CarParkID? {
        let end = start.addingTimeInterval(3_600 * Double(trip.hours))
        let offers = try await person.ask(
            CarParkEndpoints.carParks(
                asks: FindCarParksQuery(near: trip.goal).with(\.radiusMeters, Self.radiusMeters)
                    .with(\.from, start).with(\.until, end).page(limit: Self.mostOffers))
        ).items.filter { world.gates.has($0.id) }
        guard !offers.isEmpty else {
            world.tally.park { $0.withoutOffer += 1 }
            return nil
        }
        let found = offers[trip.choice % offers.count].id
        if trip.looksAround {
            try await person.tryTo(
                CarParkEndpoints.availability(
                    found, asks: AvailabilityQuery(from: start, until: end)))
            try await person.tryTo(
                CarParkEndpoints.carParkRoute(found, asks: CarParkRouteQuery(from: trip.goal)))
        }
        return found
    }

    /// A booking that is paid; nil if it is refused or the card is declined.
    private func book(from start: Date) async throws -> Booking? {
        guard let found = try await find(from: start) else { return nil }
        let carPark = try await person.ask(CarParkEndpoints.carPark(found))
        guard let product = carPark.hourly(for: trip.hours) else { return nil }
        let booking = try await person.tryTo { client, key in
            let quote = try await client(
                CarParkEndpoints.parkingQuote(
                    found, asks: ParkingQuoteQuery(product.id, from: start, quantity: trip.hours)))
            var body = BookingBody(
                carParkId: found, productId: product.id, start: start, quantity: trip.hours,
                vehicleIds: [vehicle.id], termsVersion: quote.termsVersion)
            body.total = quote.total.amount
            return try await client(CarParkEndpoints.book(body: body, key: key))
        }
        guard let booking else { return nil }
        world.tally.park { $0.bookings.append(booking.id) }
        let isPaid = try await driver.pay { client, card, key in
            try await client(CarParkEndpoints.payBooking(booking.id, body: card, key: key)).payment
        }
        guard isPaid else {
            try await driver.cancel(booking)
            return nil
        }
        return booking
    }

    /// Only one at a time: cancels earlier plans first.
    private func bookAhead() async throws {
        for old in try await driver.current() where old.start > Date() {
            try await driver.cancel(old)
        }
        let start = Date(timeIntervalSinceNow: 86_400 * Double(trip.daysAhead))
        guard let booking = try await book(from: start) else { return }
        if trip.changes {
            var change = BookingChange()
            change.quantity = booking.quantity + 1
            try await person.tryTo(CarParkEndpoints.quoteChange(booking.id, body: change))
            change.token = TestCard.good(driver.persona.index)
            _ = try await become(longer: booking) { client, _ in
                try await client(CarParkEndpoints.changeBooking(booking.id, body: change))
            }
        }
        if trip.cancels { try await driver.cancel(booking) }
    }

    /// Changes or extends the booking if possible, and returns its new state.
    private func become(
        longer booking: Booking,
        _ change: (OpenValetClient, RequestKey) async throws -> Booking
    ) async throws -> Booking {
        guard let now = try await person.tryTo(change) else { return booking }
        world.tally.park { counts in
            counts.changed += 1
            counts.paid[now.total.currency, default: 0] += now.total.amount - booking.total.amount
        }
        return now
    }

    // MARK: Parking

    /// Drives in, stays for a while, and drives out again.
    private func park(in carPark: CarParkID, _ booking: Booking?) async throws {
        let entered = ContinuousClock.now
        let ago = trip.hoursInside.map { Date(timeIntervalSinceNow: -3_600 * $0) }
        let time = ago.map { max($0, notInsideUntil.addingTimeInterval(1)) } ?? Date()
        guard
            let answer = try await world.gates.report(vehicle.plate, .in, of: carPark, at: time)
        else { return }
        guard answer.open else {
            world.tally.turnedAway(answer)
            if let booking { try await driver.cancel(booking) }
            return
        }
        world.tally.entered(answer)
        if let code = answer.code {
            let body = PlateCodeBody(plate: vehicle.plate, code: code)
            try await person.tryTo(PlateProofEndpoints.usePlateCode(body: body))
        }
        var booking = booking
        if let booked = booking, trip.extends { booking = try await extend(booked) }
        try await stay(since: entered, booking)
        try await driver.driveOut(vehicle.plate, of: carPark)
    }

    private func extend(_ booking: Booking) async throws -> Booking {
        let body = ExtendBody(
            until: booking.end.addingTimeInterval(3_600),
            token: TestCard.good(driver.persona.index))
        return try await become(longer: booking) { client, key in
            try await client(CarParkEndpoints.extendBooking(booking.id, body: body, key: key))
        }
    }

    /// Waits until the driver wants to leave, or the city is closing.
    private func stay(since entered: ContinuousClock.Instant, _ booking: Booking?) async throws {
        var end = entered + world.real(trip.staySeconds)
        if let booking, trip.overstays {
            let seconds = booking.end.timeIntervalSinceNow + Self.overstaySeconds
            end = .now + .seconds(seconds)
        }
        while world.phase == .open, ContinuousClock.now < end {
            try await driver.wake.wait(upTo: end - .now)
        }
        let earliest = entered + Self.shortestStay
        if ContinuousClock.now < earliest { try await Task.sleep(until: earliest) }
    }
}
