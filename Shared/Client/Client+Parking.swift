import Contracts
import Foundation
import Geo

extension OpenValetClient {
    /// Car parks around a point, nearest first; with an interval those that can be booked for it.
    public func carParks(
        near point: Coordinate? = nil, radiusMeters: Double? = nil,
        interval: Range<Date>? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<CarParkSummary> {
        try await value(
            CarParkEndpoints.carParks().page(after, limit)
                .with("latitude", point?.latitude).with("longitude", point?.longitude)
                .with("radiusMeters", radiusMeters)
                .with("from", interval.map { Wire.text($0.lowerBound) })
                .with("until", interval.map { Wire.text($0.upperBound) }))
    }

    public func carPark(_ id: CarParkID) async throws -> CarPark {
        try await value(CarParkEndpoints.carPark(id))
    }

    // MARK: Bookings

    public func book(_ body: BookingBody, key: RequestKey = .new()) async throws -> Booking {
        try await value(CarParkEndpoints.book(body: body, key: key))
    }

    public func bookings(after: String? = nil, limit: Int? = nil) async throws -> Page<Booking> {
        try await value(CarParkEndpoints.bookings().page(after, limit))
    }

    public func booking(_ id: BookingID) async throws -> Booking {
        try await value(CarParkEndpoints.booking(id))
    }

    /// Throws `payment.declined` with the provider's reason; the space is still held then.
    @discardableResult
    public func pay(
        booking: BookingID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> BookingPayment {
        try await value(CarParkEndpoints.payBooking(booking, body: body, key: key))
    }

    public func change(booking: BookingID, _ change: BookingChange) async throws -> Booking {
        try await value(CarParkEndpoints.changeBooking(booking, body: change))
    }

    public func extend(
        booking: BookingID, _ body: ExtendBody, key: RequestKey = .new()
    ) async throws -> Booking {
        try await value(CarParkEndpoints.extendBooking(booking, body: body, key: key))
    }

    public func cancel(
        booking: BookingID, key: RequestKey = .new()
    ) async throws -> BookingCancellation {
        try await value(CarParkEndpoints.cancelBooking(booking, key: key))
    }

    public func parkingSessions() async throws -> Page<ParkingSession> {
        try await value(CarParkEndpoints.parkingSessions())
    }

    // MARK: Operators and gates

    public func addCarPark(_ body: CarParkBody, key: RequestKey = .new()) async throws -> CarPark {
        try await value(CarParkEndpoints.addCarPark(body: body, key: key))
    }

    public func addProduct(
        _ body: ParkingProductBody, to carPark: CarParkID, key: RequestKey = .new()
    ) async throws -> ParkingProduct {
        try await value(CarParkEndpoints.addProduct(carPark, body: body, key: key))
    }

    public func addGate(_ body: GateBody) async throws -> NewGate {
        try await value(CarParkEndpoints.addGate(body: body))
    }

    /// As the gate itself, whose token it has.
    public func pass(_ gate: NewGate, _ body: PassageBody) async throws -> PassageAnswer {
        var call = try CarParkEndpoints.pass(gate.id, body: body)
        call.headers.append((name: "Gate-Token", value: gate.token))
        return try await value(call)
    }
}
