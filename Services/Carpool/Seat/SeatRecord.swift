import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import TripSearch

/// Somebody's wish to ride along, and what became of it. Pure.
struct SeatRecord: Document, Hashable {
    /// Every transition there is: nil before it is asked for.
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
        /// Seconds along the way.
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
    /// Nil for one of every day.
    let ride: RideID?
    let day: Day?
    /// What is asked for every day, and this is a day of.
    let standing: SeatRequestID?
    let seats: Int
    /// In minor units, of all its seats.
    let price: Int
    let currency: String?
    let payment: TripPayment
    let method: PaymentMethodID?
    private(set) var message: String?
    private(set) var status: SeatRequestStatus
    private(set) var stops: Stops
    /// When the passenger gets in and out; of one of every day on the next.
    private(set) var pickUpAt, dropOffAt: Date
    private(set) var asks: RideSide?
    private(set) var expiresAt: Date?
    private(set) var driverSays, passengerSays, decided: Bool?
    /// What is to be paid, and is not yet.
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

    // MARK: What follows from it

    var isOpen: Bool { status == .pending || status == .accepted }
    var every: Bool { day == nil }
    var bill: BillID { id.as(BillID.self) }

    /// Whether the driver is to say if the passenger was in the car.
    private(set) var isAsked = false

    var isDisputed: Bool {
        guard let driverSays, let passengerSays, decided == nil else { return false }
        return driverSays != passengerSays
    }

    var confirmation: SeatConfirmation? {
        guard driverSays != nil || passengerSays != nil else { return nil }
        return SeatConfirmation(
            driver: driverSays, passenger: passengerSays, isDisputed: isDisputed, decided: decided)
    }

    var seat: TripRecord.Seat {
        TripRecord.Seat(
            request: id, passenger: passenger, firstDay: day ?? .earliest, lastDay: day,
            from: stops.pickUp.along, to: stops.dropOff.along, seats: seats)
    }

    func side(of person: PersonID) -> RideSide? {
        person == driver ? .driver : person == passenger ? .passenger : nil
    }

    // MARK: What happens to it

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

    /// The trip goes another way, or at another time; `asking` the passenger where that breaks their part.
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

    /// The next day of one of every day, or another time of what the driver has not answered.
    mutating func move(to departure: Date) {
        pickUpAt = departure.addingTimeInterval(TimeInterval(stops.pickUp.along))
        dropOffAt = departure.addingTimeInterval(TimeInterval(stops.dropOff.along))
        expiresAt = expiresAt.map { min($0, departure) }
        version.advance()
    }

    /// The ride is over: was the passenger in the car?
    mutating func ask() {
        guard status == .accepted, !isAsked, driverSays == nil else { return }
        isAsked = true
        version.advance()
    }

    /// Says it as one of its sides, once; true when that settles it, or what was settled is not any more.
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

    /// Nobody says anything more: what one side has said holds, and what nobody has said was not.
    mutating func settle() throws {
        guard status == .accepted, !isDisputed else { return }
        isAsked = false
        try move(to: (driverSays ?? passengerSays ?? false) ? .rode : .didNotRide)
    }

    /// An operator says what holds.
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

    /// False for what is paid already.
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

    /// Where somebody got in and out is nobody's business any more.
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

/// What a passenger asks for; checked against the trip.
struct SeatDraft: Sendable {
    let passenger: PersonID
    /// The day, or the first of every day.
    let day: Day
    let seats: Int
    let stops: SeatRecord.Stops
    /// Of all seats, in minor units: that of the day on which it was asked for.
    let price: Int
    let payment: TripPayment
    let message: String?
    let method: PaymentMethodID?
}

extension TripRecord {
    /// Where somebody gets in and out of it; nil where the way does not pass both points in that order. A driver who
    /// offers a detour comes to the very point as far as it goes.
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
