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
            CarParkEndpoints.carParks(
                asks: FindCarParksQuery(near: point).with(\.radiusMeters, radiusMeters)
                    .with(\.from, interval?.lowerBound).with(\.until, interval?.upperBound)
                    .page(after: after, limit: limit)))
    }

    public func carPark(_ id: CarParkID) async throws -> CarPark {
        try await value(CarParkEndpoints.carPark(id))
    }

    public func availability(
        of carPark: CarParkID, from: Date, until: Date
    ) async throws -> Availability {
        try await value(
            CarParkEndpoints.availability(
                carPark, asks: AvailabilityQuery(from: from, until: until)))
    }

    public func quote(
        _ carPark: CarParkID, _ product: ParkingProductID, from start: Date, quantity: Int
    ) async throws -> ParkingQuote {
        try await value(
            CarParkEndpoints.parkingQuote(
                carPark, asks: ParkingQuoteQuery(product, from: start, quantity: quantity)))
    }

    public func route(
        to carPark: CarParkID, from point: Coordinate, by mode: TravelMode = .car
    ) async throws -> WayAnswer {
        try await value(
            CarParkEndpoints.carParkRoute(
                carPark, asks: CarParkRouteQuery(from: point, by: mode)))
    }

    /// Operators: as `CarParkImport` says.
    public func importCarParks(_ body: CarParkImport) async throws -> CarParkImportAnswer {
        try await value(CarParkEndpoints.importCarParks(body: body))
    }

    // MARK: Bookings

    public func book(_ body: BookingBody, key: RequestKey = .new()) async throws -> Booking {
        try await value(CarParkEndpoints.book(body: body, key: key))
    }

    /// Own ones, an operator's all; those that are current or past where that is asked.
    public func bookings(
        isCurrent: Bool? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<Booking> {
        try await value(
            CarParkEndpoints.bookings(
                asks: BookingsQuery().with(\.state, isCurrent.map { $0 ? .current : .past })
                    .page(after: after, limit: limit)))
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

    @discardableResult
    public func quoteChange(
        booking: BookingID, _ change: BookingChange
    ) async throws -> BookingChangeQuote {
        try await value(CarParkEndpoints.quoteChange(booking, body: change))
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

    /// What is shown at a gate, also without a network.
    public func ticket(of booking: BookingID) async throws -> ParkingTicket {
        try await value(CarParkEndpoints.ticket(booking, asks: LanguageQuery()))
    }

    public func parkingSessions() async throws -> Page<ParkingSession> {
        try await value(CarParkEndpoints.parkingSessions(asks: PageQuery()))
    }

    @discardableResult
    public func pay(
        parkingSession: ParkingSessionID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> Payment {
        try await value(
            CarParkEndpoints.payParkingSession(parkingSession, body: body, key: key)
        ).payment
    }

    // MARK: Fines

    /// Of one's vehicles.
    public func fines() async throws -> Page<Fine> {
        try await value(FineEndpoints.myFines(asks: PageQuery()))
    }

    @discardableResult
    public func pay(
        fine: FineID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> FinePayment {
        try await value(FineEndpoints.payFine(fine, body: body, key: key))
    }

    public func appeal(
        fine: FineID, _ text: String, key: RequestKey = .new()
    ) async throws -> Fine {
        try await value(
            FineEndpoints.appealFine(fine, body: AppealBody(text: text), key: key))
    }

    public func issueFine(_ body: FineBody, key: RequestKey = .new()) async throws -> Fine {
        try await value(FineEndpoints.issueFine(body: body, key: key))
    }

    public func decide(fine: FineID, _ body: FineDecisionBody) async throws -> Fine {
        try await value(FineEndpoints.decideFine(fine, body: body))
    }

    // MARK: Points, and what one is told of

    public func loyalty() async throws -> Loyalty { try await value(DriverEndpoints.loyalty()) }

    public func spendingAlert() async throws -> SpendingAlert {
        try await value(DriverEndpoints.spendingAlert())
    }

    public func setSpendingAlert(_ alert: SpendingAlert) async throws -> SpendingAlert {
        try await value(DriverEndpoints.putSpendingAlert(body: alert))
    }

    public func autoPay() async throws -> AutoPay { try await value(DriverEndpoints.autoPay()) }

    @discardableResult
    public func setAutoPay(_ setting: AutoPay) async throws -> AutoPay {
        try await value(DriverEndpoints.putAutoPay(body: setting))
    }

    public func watchedCarParks() async throws -> Page<WatchedCarPark> {
        try await value(DriverEndpoints.watchedCarParks())
    }

    @discardableResult
    public func watch(carPark: CarParkID) async throws -> WatchedCarPark {
        try await value(DriverEndpoints.watchCarPark(carPark, asks: SpaceClassQuery()))
    }

    public func unwatch(carPark: CarParkID) async throws {
        try await done(DriverEndpoints.unwatchCarPark(carPark, asks: SpaceClassQuery()))
    }

    // MARK: Operators and gates

    public func addCarPark(_ body: CarParkBody, key: RequestKey = .new()) async throws -> CarPark {
        try await value(CarParkEndpoints.addCarPark(body: body, key: key))
    }

    /// JPEG, PNG or WebP, up to 8 MB.
    @discardableResult
    public func addPhoto(_ picture: Data, to carPark: CarParkID) async throws -> CarPark {
        try await value(CarParkPhotoEndpoints.addCarParkPhoto(carPark, bytes: picture))
    }

    /// Those of the car park's that are to be shown, in their order.
    @discardableResult
    public func arrangePhotos(_ photos: [String], of carPark: CarParkID) async throws -> CarPark {
        try await value(
            CarParkPhotoEndpoints.putCarParkPhotos(carPark, body: CarParkPhotos(photos)))
    }

    public func addProduct(
        _ body: ParkingProductBody, to carPark: CarParkID, key: RequestKey = .new()
    ) async throws -> ParkingProduct {
        try await value(CarParkEndpoints.addProduct(carPark, body: body, key: key))
    }

    public func addGate(_ body: GateBody) async throws -> NewGate {
        try await value(CarParkEndpoints.addGate(body: body))
    }

    /// Operators: everybody's stays, newest first.
    public func allParkingSessions(
        in carPark: CarParkID? = nil, plate: String? = nil,
        state: ParkingSessionsQuery.State? = nil, day: CalendarDay? = nil, after: String? = nil,
        limit: Int? = nil
    ) async throws -> Page<ParkingSession> {
        try await value(
            CarParkEndpoints.allParkingSessions(
                asks: ParkingSessionsQuery().with(\.carParkId, carPark).with(\.plate, plate)
                    .with(\.state, state).with(\.day, day).page(after: after, limit: limit)))
    }

    /// Operators: ends a stay whose vehicle no gate saw leave.
    @discardableResult
    public func endParkingSession(
        _ id: ParkingSessionID, because reason: String
    ) async throws -> ParkingSession {
        let body = EndSessionBody(reason: reason)
        return try await value(CarParkEndpoints.endParkingSession(id, body: body))
    }

    /// Of the last day.
    public func report(on carPark: CarParkID) async throws -> CarParkReport {
        try await value(CarParkEndpoints.carParkReport(carPark, asks: CarParkReportQuery()))
    }

    public func gates(after: String? = nil, limit: Int? = nil) async throws -> Page<Gate> {
        try await value(CarParkEndpoints.gates(asks: PageQuery(after: after, limit: limit)))
    }

    /// The old token opens nothing any more.
    public func rotateToken(of gate: GateID) async throws -> NewGate {
        try await value(CarParkEndpoints.rotateGateToken(gate))
    }

    /// As the gate itself, whose token it has.
    public func pass(_ gate: NewGate, _ body: PassageBody) async throws -> PassageAnswer {
        var call = try CarParkEndpoints.pass(gate.id, body: body)
        call.request.headers.append((name: "Gate-Token", value: gate.token))
        return try await value(call)
    }
}
