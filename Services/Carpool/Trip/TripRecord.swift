import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import TripSearch

typealias Trip = Contracts.Trip
typealias IndexedTrip = TripSearch.Trip

extension Day: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }

    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }
}

/// A trip and its assigned seats, in one row so that no seat is assigned twice. Pure.
struct TripRecord: Document, Hashable {
    /// The driver's offer; checked.
    struct Plan: Codable, Sendable, Hashable {
        var origin, destination: Place
        var via: [Coordinate]
        /// As in JSON: the first day, and the time of each departure.
        var firstDay: Day
        var secondOfDay: Int
        var timeZone: String
        var repeats: TripRepeats?
        var seats: Int
        var maxDetourSeconds: Int
        /// In minor units.
        var price: Int?
        var payment: TripPayment
        var acceptsAutomatically: Bool
        var vehicle: OrderVehicle?
        var note: String?
        var preferences: [TripPreference]

        var points: [Coordinate] { [origin.coordinate] + via + [destination.coordinate] }

        /// Nil if the days, the time or the time zone are invalid.
        var schedule: Schedule? {
            let exceptions = repeats?.exceptions.compactMap(Day.init) ?? []
            return Schedule(
                firstDay: firstDay, secondOfDay: secondOfDay, timeZone: timeZone,
                weekdays: repeats?.mask ?? 0, until: repeats?.until.flatMap { Day($0) },
                exceptions: exceptions)
        }
    }

    /// The route of the trip, with its times.
    struct Course: Codable, Sendable, Hashable {
        /// Encoded by `Way`.
        var line: Data
        var isStraightLine: Bool
        var distanceMeters: Double
        var durationSeconds: Int
    }

    /// Seats assigned to one request, on one day or on every day of a span.
    struct Seat: Codable, Sendable, Hashable {
        let request: SeatRequestID
        let passenger: PersonID
        var firstDay: Day
        var lastDay: Day?
        /// Days of the span on which the passenger does not ride.
        var skipped: [Day] = []
        /// Seconds along the route.
        var from, to: Int
        var seats: Int

        func covers(_ day: Day) -> Bool {
            day >= firstDay && lastDay.map { day <= $0 } ?? true && !skipped.contains(day)
        }

        fileprivate var taken: [IndexedTrip.Taken] {
            var (spans, start) = ([IndexedTrip.Taken](), firstDay)
            for day in skipped.sorted() where day >= start {
                if day > start {
                    spans.append(
                        .init(firstDay: start, lastDay: day - 1, from: from, to: to, seats: seats))
                }
                start = day + 1
            }
            if lastDay.map({ start <= $0 }) ?? true {
                spans.append(
                    .init(firstDay: start, lastDay: lastDay, from: from, to: to, seats: seats))
            }
            return spans
        }
    }

    let id: TripID
    var version: Version
    let driver: PersonID
    private(set) var status: TripStatus
    private(set) var plan: Plan
    private(set) var course: Course
    let area: ServiceAreaID?
    let currency: String?
    let policy: CarpoolPolicy
    private(set) var seats: [Seat]
    /// Days without a ride, besides the exceptions of the plan.
    private(set) var cancelled: [Day]
    private(set) var isForgotten: Bool
    let createdAt: Date
    /// The time of the last change, by which the index finds it; set by the store.
    var changedAt: Date

    init(
        _ id: TripID, _ plan: Plan, _ course: Course, of driver: PersonID,
        in area: (id: ServiceAreaID, currency: String)?, _ policy: CarpoolPolicy, at now: Date
    ) {
        (self.id, version, self.driver, status) = (id, Version(), driver, .open)
        (self.plan, self.course) = (plan, course)
        (self.area, currency, self.policy) = (area?.id, area?.currency, policy)
        (seats, cancelled, isForgotten) = ([], [], false)
        (createdAt, changedAt) = (now, now)
    }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "driver": driver, "area": area, "status": status.rawValue,
            "is_open": status == .open, "is_forgotten": isForgotten,
            "created_at": createdAt, "changed_at": changedAt,
            "entry": (status == .open ? try? indexed() : nil).map { Data($0.encoded) },
        ]
    }

    // MARK: Derived values

    /// The short name for people.
    var reference: String { id.reference }

    var schedule: Schedule {
        get throws {
            guard let schedule = plan.schedule else { throw StoreError(.decoding, "trips.plan") }
            return schedule
        }
    }

    var way: Way {
        get throws {
            guard let way = Way(encoded: [UInt8](course.line)) else {
                throw StoreError(.decoding, "trips.line")
            }
            return way
        }
    }

    /// The trip in the search's format.
    func indexed() throws -> IndexedTrip {
        IndexedTrip(
            id: id.uuid, version: version.number, driver: driver.uuid, way: try way,
            schedule: try schedule, seats: plan.seats, maxDetourSeconds: plan.maxDetourSeconds,
            taken: seats.flatMap(\.taken), cancelled: cancelled)
    }

    func runs(on day: Day) throws -> Bool {
        try status == .open && schedule.runs(on: day) && !cancelled.contains(day)
    }

    /// The next day with a departure in the future.
    func nextDay(at now: Date) throws -> Day? {
        guard status == .open else { return nil }
        let schedule = try schedule
        var day = schedule.next(from: schedule.day(at: now))
        while let found = day {
            if schedule.departure(on: found) > now, !cancelled.contains(found) { return found }
            day = schedule.next(from: found + 1)
        }
        return nil
    }

    func departure(on day: Day) throws -> Date { try schedule.departure(on: day) }

    func arrival(on day: Day) throws -> Date {
        try departure(on: day).addingTimeInterval(TimeInterval(course.durationSeconds))
    }

    /// The trip's last arrival; nil if it has no end.
    func lastArrival() throws -> Date? {
        let schedule = try schedule
        if plan.repeats == nil { return try arrival(on: schedule.firstDay) }
        guard let until = schedule.until else { return nil }
        return try arrival(on: max(until, schedule.firstDay))
    }

    func money(_ seats: Int) -> Money? {
        guard let price = plan.price, price > 0, let currency else { return nil }
        return Money(amount: price * seats, currency: currency)
    }

    // MARK: Steps

    /// - Parameter riders: The seats that stay assigned.
    mutating func change(to plan: Plan, _ course: Course, keeping riders: [Seat]) throws {
        try require(.open)
        (self.plan, self.course, seats) = (plan, course, riders)
        version.advance()
    }

    mutating func remove() throws {
        try require(.open)
        (status, seats) = (.removed, [])
        version.advance()
    }

    mutating func end() throws {
        try require(.open)
        status = .ended
        version.advance()
    }

    /// Assigns seats. Throws unless they are free on each day of the request.
    mutating func seat(_ seat: Seat, from today: Day) throws {
        try require(.open)
        var offered = try indexed()
        offered.taken.removeAll()
        for other in seats where other.request != seat.request { offered.taken += other.taken }
        for day in try daysToCheck(seat, from: today) {
            guard offered.seatsLeft(on: day, from: seat.from, to: seat.to) >= seat.seats else {
                throw Refusal.noSeatLeft
            }
        }
        seats.removeAll { $0.request == seat.request }
        seats.append(seat)
        version.advance()
    }

    /// The first day of a span, and those on which other passengers' seats change.
    private func daysToCheck(_ seat: Seat, from today: Day) throws -> [Day] {
        let first = max(seat.firstDay, today)
        guard seat.lastDay != first else { return [first] }
        let changes = seats.flatMap { other in
            [other.firstDay] + (other.lastDay.map { [$0 + 1] } ?? []) + other.skipped.map { $0 + 1 }
        }
        return Set([first] + changes).filter { $0 >= first && seat.covers($0) }.sorted()
    }

    mutating func free(_ request: SeatRequestID) {
        guard seats.contains(where: { $0.request == request }) else { return }
        seats.removeAll { $0.request == request }
        version.advance()
    }

    /// The days on which a recurring passenger does not ride.
    func skipped(by standing: SeatRequestID) -> [Day] {
        seats.first { $0.request == standing }?.skipped ?? []
    }

    /// A recurring passenger skips this date.
    mutating func skip(_ day: Day, of standing: SeatRequestID) {
        guard let index = seats.firstIndex(where: { $0.request == standing }),
            !seats[index].skipped.contains(day)
        else { return }
        seats[index].skipped.append(day)
        version.advance()
    }

    mutating func cancel(on day: Day) {
        guard !cancelled.contains(day) else { return }
        cancelled.append(day)
        version.advance()
    }

    /// Removes days and seats that are over.
    mutating func tidyUp(today: Day) {
        seats.removeAll { $0.lastDay.map { $0 < today - 1 } ?? false }
        cancelled.removeAll { $0 < today - 1 }
        for index in seats.indices { seats[index].skipped.removeAll { $0 < today - 1 } }
        version.advance()
    }

    /// Reduces the ends to about a kilometre, and removes the rest of the route, the note and the vehicle.
    mutating func forget() {
        func coarse(_ place: Place) -> Place {
            Place(latitude: place.latitude.coarse, longitude: place.longitude.coarse)
        }
        (plan.origin, plan.destination) = (coarse(plan.origin), coarse(plan.destination))
        (plan.via, plan.note, plan.vehicle) = ([], nil, nil)
        let ends = [plan.origin.coordinate, plan.destination.coordinate]
        if let way = Way(ends, seconds: [0, Double(course.durationSeconds)]) {
            course.line = Data(way.encoded)
        }
        isForgotten = true
        version.advance()
    }

    var notPossible: Refusal { .tripNotPossible.because("The trip is \(status.rawValue).") }

    private func require(_ wanted: TripStatus) throws(Refusal) {
        guard status == wanted else { throw notPossible }
    }
}

extension TripID {
    /// The short name of the trip for people.
    var reference: String { "L-" + description.suffix(6).uppercased() }
}

extension Double {
    /// Rounded to a hundredth of a degree.
    var coarse: Double { (self * 100).rounded() / 100 }
}

extension TripRepeats {
    /// Bit 0 is Monday.
    var mask: UInt8 {
        weekdays.reduce(0) { mask, day in
            mask | 1 << UInt8(TripWeekday.allCases.firstIndex(of: day) ?? 0)
        }
    }
}
