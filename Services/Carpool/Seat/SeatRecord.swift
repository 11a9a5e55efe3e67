import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import TripSearch

/// A request for a seat, and its outcome. Pure.
struct SeatRecord: Document, Hashable {
    /// Every transition; nil before the request.
    static let transitions: [SeatRequestStatus?: Set<SeatRequestStatus>] = [
        nil: [.pending, .accepted],
        .pending: [.accepted, .declined, .cancelled, .expired],
        // Back to `pending` when a change of the trip asks the passenger again.
        .accepted: [.pending, .rode, .didNotRide, .cancelled],
        // Once settled, only an operator's decision of a dispute changes it.
        .rode: [.didNotRide],
        .didNotRide: [.rode],
        .declined: [], .cancelled: [], .expired: [],
    ]

    struct Stop: Codable, Sendable, Hashable {
        var point: Coordinate
        var walkMeters: Double
        /// Seconds along the route.
        var along: Int
    }

    struct Stops: Codable, Sendable, Hashable {
        var pickUp, dropOff: Stop
        var detourSeconds: Int
    }

    let id: SeatRequestID
    var version: Version
    let trip: TripID
    let driver: PersonID
    let passenger: PersonID
    /// Nil for a recurring request.
    let ride: RideID?
    let day: Day?
    /// The recurring request to which this day belongs.
    let standing: SeatRequestID?
    let seats: Int
    /// In minor units, for all its seats.
    let price: Int
    let currency: String?
    let payment: TripPayment
    let method: PaymentMethodID?
    private(set) var message: String?
    private(set) var status: SeatRequestStatus
    private(set) var stops: Stops
    /// When the passenger gets in and out; for a recurring request, on the next day.
    private(set) var pickUpAt, dropOffAt: Date
    private(set) var asks: RideSide?
    private(set) var expiresAt: Date?
    private(set) var driverSays, passengerSays, decided: Bool?
    /// Whether a payment is due.
    private(set) var isOwed: Bool
    private(set) var isPaid: Bool
    private(set) var isForgotten: Bool
    let createdAt: Date

    init(
        _ id: SeatRequestID, _ draft: SeatDraft, of trip: TripRecord, ride: RideRecord?,
        standing: SeatRequestID? = nil, at now: Date
    ) throws {
        (self.id, version, self.trip, driver) = (id, Version(), trip.id, trip.driver)
        (passenger, self.ride, day) = (draft.passenger, ride?.id, ride?.day)
        (self.standing, seats, stops) = (standing, draft.seats, draft.stops)
        (price, payment, method) = (draft.price, draft.payment, draft.method)
        currency = trip.currency
        (message, status, asks, expiresAt) = (draft.message, .pending, .driver, nil)
        let departure = try trip.departure(on: ride?.day ?? draft.day)
        pickUpAt = departure.addingTimeInterval(TimeInterval(draft.stops.pickUp.along))
        dropOffAt = departure.addingTimeInterval(TimeInterval(draft.stops.dropOff.along))
        (isOwed, isPaid, isForgotten, createdAt) = (false, false, false, now)
        expiresAt = min(departure, now.addingTimeInterval(CarpoolLimits.answer))
    }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "trip": trip, "ride": ride, "standing": standing, "day": day, "driver": driver,
            "passenger": passenger, "status": status.rawValue, "is_open": isOpen,
            "is_asked": isAsked, "is_owed": isOwed, "is_disputed": isDisputed,
            "is_forgotten": isForgotten, "pick_up_at": pickUpAt, "drop_off_at": dropOffAt,
        ]
    }

    // MARK: Derived values

    var isOpen: Bool { status == .pending || status == .accepted }
    var every: Bool { day == nil }
    var bill: BillID { id.as(BillID.self) }

    /// Whether the driver is to say if the passenger was in the car.
    private(set) var isAsked = false

    /// Whether its ride has ended: then both sides are asked.
    var isOver: Bool { isAsked || confirmation != nil }

    var isDisputed: Bool {
        guard let driverSays, let passengerSays, decided == nil else { return false }
        return driverSays != passengerSays
    }

    var confirmation: SeatConfirmation? {
        guard driverSays != nil || passengerSays != nil else { return nil }
        return SeatConfirmation(
            driver: driverSays, passenger: passengerSays, isDisputed: isDisputed, decided: decided)
    }

    func side(of person: PersonID) -> RideSide? {
        person == driver ? .driver : person == passenger ? .passenger : nil
    }

    // MARK: Steps

    mutating func accept() throws {
        try move(to: .accepted)
        (asks, expiresAt) = (nil, nil)
    }

    mutating func decline() throws {
        try move(to: .declined)
        (asks, expiresAt) = (nil, nil)
    }

    mutating func cancel() throws {
        try move(to: .cancelled)
        (asks, expiresAt, isAsked) = (nil, nil, false)
    }

    mutating func expire() throws {
        try move(to: .expired)
        (asks, expiresAt) = (nil, nil)
    }

    /// Applies a change of the trip's route or time. `asking` is the time until which the passenger is asked, if the
    /// change breaks their part.
    mutating func change(
        to stops: Stops, departure: Date, asking until: Date?
    ) throws {
        self.stops = stops
        pickUpAt = departure.addingTimeInterval(TimeInterval(stops.pickUp.along))
        dropOffAt = departure.addingTimeInterval(TimeInterval(stops.dropOff.along))
        if let until {
            if status == .accepted { try move(to: .pending) }
            (asks, expiresAt) = (.passenger, until)
        }
        version.advance()
    }

    /// Moves a recurring request to its next day, or an unanswered request to another time.
    mutating func move(to departure: Date) {
        pickUpAt = departure.addingTimeInterval(TimeInterval(stops.pickUp.along))
        dropOffAt = departure.addingTimeInterval(TimeInterval(stops.dropOff.along))
        expiresAt = expiresAt.map { min($0, departure) }
        version.advance()
    }

    /// Opens the question, after the ride, whether the passenger was in the car.
    mutating func ask() {
        guard status == .accepted, !isAsked, driverSays == nil else { return }
        isAsked = true
        version.advance()
    }

    /// Records the answer of one side, once.
    mutating func say(_ inTheCar: Bool, as side: RideSide) throws {
        guard status == .accepted || status == .rode || status == .didNotRide, decided == nil
        else { throw notPossible }
        switch side {
        case .driver:
            guard isAsked, driverSays == nil else { throw notPossible }
            (driverSays, isAsked) = (inTheCar, false)
            if inTheCar && passengerSays != false || !inTheCar && passengerSays == false {
                try move(to: inTheCar ? .rode : .didNotRide)
            }
        case .passenger:
            guard isAsked || driverSays != nil, passengerSays == nil else {
                throw notPossible
            }
            passengerSays = inTheCar
            if driverSays == inTheCar, status == .accepted {
                try move(to: inTheCar ? .rode : .didNotRide)
            }
        }
        version.advance()
    }

    /// Settles the seat without further answers: a single answer counts, and without any the passenger did not ride.
    mutating func settle() throws {
        guard status == .accepted, !isDisputed else { return }
        isAsked = false
        try move(to: (driverSays ?? passengerSays ?? false) ? .rode : .didNotRide)
    }

    /// Records an operator's decision.
    mutating func decide(_ inTheCar: Bool) throws {
        guard isDisputed else { throw notPossible }
        decided = inTheCar
        let end: SeatRequestStatus = inTheCar ? .rode : .didNotRide
        if status != end { try move(to: end) }
        version.advance()
    }

    mutating func owe() {
        guard price > 0, payment == .app else { return }
        isOwed = true
        version.advance()
    }

    /// Returns false if it is already paid.
    mutating func pay() -> Bool {
        guard !isPaid else { return false }
        (isPaid, isOwed) = (true, false)
        version.advance()
        return true
    }

    mutating func owesNothing() {
        isOwed = false
        version.advance()
    }

    /// Reduces the stops to coarse positions, and removes the message.
    mutating func forget() {
        func coarse(_ stop: inout Stop) {
            stop.point = Coordinate(
                latitude: stop.point.latitude.coarse, longitude: stop.point.longitude.coarse)
        }
        coarse(&stops.pickUp)
        coarse(&stops.dropOff)
        (message, isForgotten) = (nil, true)
        version.advance()
    }

    var notPossible: Refusal {
        .seatRequestNotPossible.because("The request is \(status.rawValue).")
    }

    private mutating func move(to next: SeatRequestStatus) throws {
        guard Self.transitions[status]?.contains(next) ?? false else {
            throw notPossible
        }
        status = next
        version.advance()
    }
}

/// A passenger's request; checked against the trip.
struct SeatDraft: Sendable {
    let passenger: PersonID
    /// The day, or the first day of a recurring request.
    let day: Day
    let seats: Int
    let stops: SeatRecord.Stops
    /// In minor units, for all seats: the price on the day of the request.
    let price: Int
    let payment: TripPayment
    let message: String?
    let method: PaymentMethodID?
}

extension TripRecord {
    /// The seats of a request, on its day or on all days except those that the passenger has given up.
    func place(of seat: SeatRecord) -> Seat {
        Seat(
            request: seat.id, passenger: seat.passenger, firstDay: seat.day ?? .earliest,
            lastDay: seat.day, skipped: skipped(by: seat.id), from: seat.stops.pickUp.along,
            to: seat.stops.dropOff.along, seats: seat.seats)
    }

    /// The pick-up and drop-off; nil if the route does not pass both points in this order. A driver who offers a detour
    /// comes to the point itself, as far as the detour allows.
    func stops(from start: Coordinate, to end: Coordinate, on day: Day) throws -> SeatRecord.Stops?
    {
        var trip = try indexed()
        (trip.taken, trip.cancelled) = ([], [])
        let departure = try departure(on: day)
        for walk in [CarpoolLimits.onTheWay, CarpoolLimits.usualWalk, CarpoolLimits.mostWalk] {
            guard
                let query = TripQuery(
                    from: start, to: end, departAfter: departure.addingTimeInterval(-1),
                    departBefore: try arrival(on: day).addingTimeInterval(1), seats: 1,
                    maxWalkMeters: walk, limit: 1)
            else { return nil }
            if let fit = trip.fit(query, on: day) { return SeatRecord.Stops(fit) }
        }
        return nil
    }
}

extension SeatRecord.Stops {
    init(_ fit: Fit) {
        func stop(_ meeting: Fit.Meeting) -> SeatRecord.Stop {
            SeatRecord.Stop(
                point: meeting.point, walkMeters: meeting.walkMeters.rounded(),
                along: meeting.secondsAlong)
        }
        self.init(
            pickUp: stop(fit.pickUp), dropOff: stop(fit.dropOff),
            detourSeconds: Int(fit.detourSeconds.rounded()))
    }
}
