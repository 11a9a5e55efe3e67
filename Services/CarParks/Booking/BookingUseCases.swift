import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// The use cases of bookings. Each function is one transaction, except those that take payments.
struct BookingUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    let limits: BookingLimits
    let cashier: Cashier
    let vehicles: Owners

    // MARK: Questions

    func availability(
        of id: CarParkID, _ kind: SpaceClass, from: Date, until: Date
    ) async throws -> Availability {
        guard from < until, until.timeIntervalSince(from) <= 366 * 86_400 else {
            throw Refusal.bookingDateInvalid.because(
                "The end must be after the start, and within a year of it.")
        }
        return try await database.read { transaction in
            let carPark = try transaction.carParks.require(id)
            let taken =
                try transaction.inventory.taken(of: kind, in: [id], from: from, until: until)[id]
                ?? []
            func free(_ from: Date, _ until: Date) -> Int {
                max(0, carPark.bookable[kind] - Inventory.peak(of: taken, from: from, until: until))
            }
            let steps = carPark.days.steps(from: from, until: until).map {
                Availability.Step(
                    from: $0.lowerBound, until: $0.upperBound,
                    free: free($0.lowerBound, $0.upperBound))
            }
            return Availability(free: free(from, until), steps: steps)
        }
    }

    func quote(
        _ request: StayRequest, points: Int
    ) async throws -> ParkingQuote {
        let now = clock.now
        let (draft, terms) = try await database.read { transaction in
            let carPark = try transaction.carParks.require(request.carPark)
            let stay = try transaction.bookings.stay(request, at: now, limits)
            let discount = try LoyaltyRules.discount(points, of: stay.price, stay.currency)
            let draft = BookingRecord(
                .new(at: now), reference: BookingReference.random(), .new(at: now), stay,
                points: points, discount: discount, holdUntil: now, at: now)
            return (draft, carPark.termsVersion)
        }
        let (stay, bill) = (draft.stay, draft.bill)
        return ParkingQuote(
            productId: stay.product.id, start: stay.start, end: stay.end, closesAt: stay.closesAt,
            opensAt: stay.opensAt, quantity: stay.quantity, spaces: stay.spaces,
            lines: stay.lines(discount: draft.discount), total: bill.total,
            tax: try await addedTax(on: bill), termsVersion: terms)
    }

    func booking(_ id: BookingID, for person: PersonID?) async throws -> BookingRecord {
        try await database.read { try $0.bookings.require(id, of: person) }
    }

    func list(_ filter: BookingFilter, _ page: PageRequest) async throws -> Page<BookingRecord> {
        try await database.read { try $0.bookings.list(filter, page) }
    }

    // MARK: Booking

    /// Holds the space for a limited time, in which the booking has to be paid.
    func book(
        _ body: BookingBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> BookingID {
        // A repeat checks nothing again: its vehicles may have been removed since.
        if let booked: BookingID = try await database.answer(once: key) { return booked }
        try await learn(of: body.vehicleIds, of: person)
        let (now, id) = (clock.now, BookingID.new(at: clock.now))
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let carPark = try transaction.carParks.require(body.carParkId)
            var stay = try transaction.bookings.stay(
                StayRequest(
                    carPark: body.carParkId, product: body.productId, start: body.start,
                    quantity: body.quantity, end: body.end, spaces: body.spaces ?? 1,
                    kind: body.kind ?? .general), at: now, limits)
            stay.vehicles = try transaction.bookings.vehicles(
                body.vehicleIds, of: person, spaces: stay.spaces)
            try carPark.require(terms: body.termsVersion)
            let points = body.points ?? 0
            let discount = try LoyaltyRules.discount(points, of: stay.price, stay.currency)
            try stay.require(stay.price - discount, expected: body.total)
            guard
                try transaction.bookings.countCurrent(of: person) < BookingLimits.mostCurrent
            else {
                throw Refusal.tooManyBookings.because("The limit is \(BookingLimits.mostCurrent).")
            }
            try transaction.bookings.requireFewHolds(of: person, at: now, limits)
            try transaction.inventory.allocate(
                stay.allocation(of: id, id), of: carPark.bookable[stay.kind])
            try transaction.bookings.requireNoOverlap(stay, of: person, besides: id)
            let holdUntil = now.addingTimeInterval(limits.hold)
            let booking = BookingRecord(
                id, reference: try transaction.bookings.newReference(), person, stay,
                points: points, discount: discount, holdUntil: holdUntil, at: now)
            try transaction.bookings.insert(booking)
            try transaction.bills.publish(booking.bill, booking: id, at: now)
            try transaction.loyalty.redeem(points, for: booking, at: now)
            try transaction.schedule(BookingWork.expiry, id, at: holdUntil)
            try CarParkNotices.announce(booking, .held, at: now, in: transaction)
            return id
        }
    }

    /// Cancels, and refunds the amount that the policy allows.
    func cancel(
        _ id: BookingID, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> Money {
        let now = clock.now
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            var booking = try transaction.bookings.require(id, of: person)
            if booking.pending != nil { throw Refusal.bookingChangePending }
            let (wasHeld, points) = (booking.status == .held, booking.pointsReturned(at: now))
            let refund = try booking.cancel(at: now)
            if wasHeld { try transaction.withdraw(id.as(BillID.self), at: now) }
            try transaction.loyalty.giveBack(points, of: booking, at: now)
            let back = try transaction.bookings.giveBack(
                refund, of: &booking, "cancelled", at: now)
            try transaction.inventory.release(id)
            try transaction.bookings.update(&booking)
            try transaction.bookings.unscheduleAll(of: id)
            try CarParkNotices.announce(
                booking, .cancelled, refund: back, at: now, in: transaction)
            try transaction.bookings.alertOperators(about: booking, at: now, limits)
            return Money(amount: back, currency: booking.stay.currency)
        }
    }

    /// Expires a hold. A later payment is refunded.
    func expire(_ id: BookingID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var booking = try transaction.bookings.find(id), booking.status == .held
            else { return }
            try booking.expire(at: now)
            try transaction.withdraw(id.as(BillID.self), at: now)
            try transaction.loyalty.giveBack(booking.points, of: booking, at: now)
            try transaction.inventory.release(id)
            try transaction.bookings.update(&booking)
            try CarParkNotices.announce(booking, .expired, at: now, in: transaction)
            try transaction.bookings.alertOperators(about: booking, at: now, limits)
        }
    }

    /// Begins the booking's time: a vehicle that is already inside continues on it.
    func begin(_ id: BookingID) async throws {
        let now = clock.now
        try await database.write { try $0.sessions.carryOn(id, at: now) }
    }

    /// No-show or finished; a vehicle still inside continues on the next booking.
    func end(_ id: BookingID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.sessions.carryOn(id, at: now)
            guard var booking = try transaction.bookings.find(id), booking.status == .confirmed,
                booking.stay.end <= now
            else { return }
            let gates = try transaction.gates.carParks(among: [booking.stay.carPark.id])
            try booking.end(hasGate: !gates.isEmpty)
            try transaction.bookings.update(&booking)
            try transaction.watches.spacesChanged(in: booking.stay.carPark.id)
            try CarParkNotices.announce(
                booking, booking.status == .noShow ? .missed : .left, at: now, in: transaction)
        }
    }

    /// Asks accounts for vehicles that are unknown here before they are refused.
    func learn(of ids: [VehicleID], of person: PersonID) async throws {
        for id in ids.prefix(CarParkRules.mostSpacesOfBooking) {
            let owner = person.as(CustomerID.self)
            guard try await database.read({ try $0.vehicle(id, of: owner) }) == nil,
                let latest = try await newest(id)
            else { continue }
            try await database.write { try $0.keepVehicle(latest) }
        }
    }

    /// The vehicle as accounts knows it; nil if it knows none.
    func newest(_ id: VehicleID) async throws -> VehicleChanged? {
        do {
            return try await vehicles.newest(InternalEndpoints.vehicle(id))
        } catch is Peer.Failure {
            throw Refusal.unavailable("We can't look up your vehicles at the moment.")
        }
    }
}

extension BookingRecord.Stay {
    /// Throws if the amount differs from the one that the person was shown.
    func require(_ amount: Int, expected: Int?) throws(Refusal) {
        if let expected, expected != amount {
            throw .bookingPriceChanged.because {
                $0.amount = Money(amount: amount, currency: currency)
            }
        }
    }
}

/// A stay as requested, before it is checked.
struct StayRequest: Sendable {
    var carPark: CarParkID
    /// Nil for the shortest unit that reaches the end.
    var product: ParkingProductID?
    var start: Date
    /// Not used with an end.
    var quantity: Int?
    var end: Date?
    var spaces: Int
    var kind: SpaceClass
}

extension BookingStore {
    /// The requested stay with its end and its price, at today's terms, or with the product of the one already booked
    /// at its terms. Extending a booking that has begun may exceed the largest quantity of one sale.
    func stay(
        _ request: StayRequest, at now: Date, _ limits: BookingLimits,
        extending old: BookingRecord? = nil, booked: BookingRecord.Stay? = nil
    ) throws -> BookingRecord.Stay {
        let carPark = try transaction.carParks.require(request.carPark)
        guard (1...CarParkRules.mostSpacesOfBooking).contains(request.spaces) else {
            throw Refusal.invalid("spaces", "Book 1 to \(CarParkRules.mostSpacesOfBooking) spaces.")
        }
        if old == nil {
            guard request.start >= now.addingTimeInterval(-BookingLimits.late) else {
                throw Refusal.bookingDateInvalid.because("The start is in the past.")
            }
            guard request.start <= now.addingTimeInterval(limits.ahead) else {
                throw Refusal.bookingDateInvalid.because(
                    "You can book up to \(Int(limits.ahead / 86_400)) days ahead.")
            }
        }
        // Rounded to whole milliseconds, as in JSON.
        let start = Date(
            timeIntervalSince1970: (request.start.timeIntervalSince1970 * 1_000).rounded() / 1_000)
        let days = carPark.days
        let choice = try self.choice(
            for: request, from: start, of: carPark, extending: old, booked: booked)
        let product = choice.product
        let end = product.kind.end(of: start, quantity: choice.quantity, days)
        try carPark.require(openFrom: start, until: end, for: product.kind, booked: booked)
        let closing = carPark.closing(from: start, until: end)
        var stay = BookingRecord.Stay(
            carPark: carPark.place, product: Booking.Booked(product), start: start, end: end,
            quantity: choice.quantity, spaces: request.spaces, kind: request.kind, vehicles: [],
            price: 0, currency: carPark.body.currency,
            cancellation: carPark.cancellation, overstayFee: carPark.body.overstayFee ?? 0,
            closesAt: closing?.at, opensAt: closing?.until, offers: choice.offers)
        if let booked, booked.product.id == product.id { stay.keepPrice(of: booked) }
        stay.charge(days, isSold: choice.isSold)
        guard stay.price <= Money.largestAmount else {
            throw Refusal.parkingProductInvalid.because("The price is too high to charge at once.")
        }
        return stay
    }

    /// The person's own vehicles, at least one per space.
    func vehicles(
        _ ids: [VehicleID], of person: PersonID, spaces: Int
    ) throws -> [Booking.BookedVehicle] {
        guard ids.count >= spaces, Set(ids).count == ids.count,
            ids.count <= CarParkRules.mostSpacesOfBooking
        else { throw Refusal.bookingVehicleRequired }
        return try ids.map { id in
            guard let vehicle = try transaction.vehicle(id, of: person.as(CustomerID.self)) else {
                throw Refusal.bookedVehicleUnknown
            }
            return Booking.BookedVehicle(id: id, plate: vehicle.plate)
        }
    }

    func newReference() throws -> String {
        for _ in 0..<BookingReference.tries {
            let reference = BookingReference.random()
            if try find(byReference: reference) == nil { return reference }
        }
        throw StoreError(.other, "no reference is free")
    }

    /// Refunds an amount from the booking's payments. Returns it with its share of the tax on top, which the notice
    /// of the booking's step tells.
    func giveBack(
        _ amount: Int, of booking: inout BookingRecord, _ reason: String, at now: Date
    ) throws -> Int {
        let back = booking.giveBack(amount)
        for part in back {
            try transaction.bills.giveBack(
                part.amount, of: part.bill, reason, isAnnounced: true, at: now)
        }
        return back.reduce(0) { $0 + $1.amount + $1.tax }
    }
}

extension LocalDays {
    /// The longest interval that is divided into hours, in seconds.
    private static var byTheHour: TimeInterval { 2 * 86_400 }

    /// Divides an interval into hours, or into days of the car park's time zone. The first and the last may be partial.
    func steps(from: Date, until: Date) -> [Range<Date>] {
        var (steps, start) = ([Range<Date>](), from)
        while start < until {
            let next =
                until.timeIntervalSince(from) <= Self.byTheHour
                ? start.addingTimeInterval(3_600) : self.start(of: day(of: start, offset: 1))
            let end = min(until, max(next, start.addingTimeInterval(1)))
            steps.append(start..<end)
            start = end
        }
        return steps
    }
}
