import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import TripSearch

let seatTable = DocumentTable<SeatRecord>("seat_requests")
let rideTable = DocumentTable<RideRecord>("rides")

extension Transaction {
    var seats: SeatStore { SeatStore(transaction: self) }
    var rides: RideStore { RideStore(transaction: self) }
}

/// Requests for seats in SQL.
struct SeatStore {
    /// Creates the tables of requests and of rides.
    static let migration = Migration(
        "seats-1",
        """
        CREATE TABLE rides (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            trip TEXT NOT NULL,
            day TEXT NOT NULL,
            driver TEXT NOT NULL,
            status TEXT NOT NULL,
            is_open BIGINT NOT NULL,
            departs_at BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE UNIQUE INDEX rides_of_trip ON rides (trip, day)",
        "CREATE INDEX rides_of_driver ON rides (driver, departs_at, id)",
        """
        CREATE TABLE seat_requests (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            trip TEXT NOT NULL,
            ride TEXT,
            standing TEXT,
            day TEXT,
            driver TEXT NOT NULL,
            passenger TEXT NOT NULL,
            status TEXT NOT NULL,
            is_open BIGINT NOT NULL,
            is_asked BIGINT NOT NULL,
            is_owed BIGINT NOT NULL,
            is_disputed BIGINT NOT NULL,
            is_forgotten BIGINT NOT NULL,
            pick_up_at BIGINT NOT NULL,
            drop_off_at BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE UNIQUE INDEX seat_requests_of_standing ON seat_requests (standing, day)",
        """
        CREATE UNIQUE INDEX seat_requests_open ON seat_requests (trip, passenger, day)
        WHERE is_open = 1 AND day IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX seat_requests_open_every ON seat_requests (trip, passenger)
        WHERE is_open = 1 AND day IS NULL
        """,
        "CREATE INDEX seat_requests_of_trip ON seat_requests (trip, id) WHERE is_open = 1",
        "CREATE INDEX seat_requests_of_ride ON seat_requests (ride, id)",
        "CREATE INDEX seat_requests_of_driver ON seat_requests (driver, id)",
        "CREATE INDEX seat_requests_of_passenger ON seat_requests (passenger, id)",
        """
        CREATE INDEX seat_requests_of_passenger_open ON seat_requests (passenger, pick_up_at)
        WHERE is_open = 1
        """,
        "CREATE INDEX seat_requests_asked ON seat_requests (driver, id) WHERE is_asked = 1",
        "CREATE INDEX seat_requests_owed ON seat_requests (passenger) WHERE is_owed = 1",
        "CREATE INDEX seat_requests_disputed ON seat_requests (id) WHERE is_disputed = 1",
        """
        CREATE INDEX seat_requests_to_forget ON seat_requests (drop_off_at)
        WHERE is_open = 0 AND is_forgotten = 0
        """)

    let transaction: Transaction
}

/// The filter of a list of requests.
struct SeatFilter: Sendable {
    var person: PersonID?
    var role: RideSide?
    var isOpen = false
    var isAsked = false
    var isDisputed = false
    var isNewestFirst = true
}

extension SeatStore {
    func find(_ id: SeatRequestID) throws -> SeatRecord? {
        try seatTable.value(of: id, in: transaction)
    }

    /// Returns a request to one of its two sides. Throws the same for others as if it did not exist.
    func require(_ id: SeatRequestID, of person: PersonID?) throws -> SeatRecord {
        guard let found = try find(id), person.map({ found.side(of: $0) != nil }) ?? true else {
            throw Refusal.seatRequestUnknown
        }
        return found
    }

    func update(_ seat: inout SeatRecord) throws {
        guard seat.version.isChanged else { return }
        try seatTable.update(&seat, in: transaction)
    }

    /// Requests that are not over, oldest first, but recurring ones before their days: ids of the same moment are in
    /// any order.
    func open(of trip: TripID) throws -> [SeatRecord] {
        try transaction.rows(
            """
            SELECT body FROM seat_requests WHERE trip = ? AND is_open = 1
            ORDER BY standing IS NOT NULL, id
            """, trip
        ).map { try $0.json() }
    }

    /// In the same order.
    func open(of passenger: PersonID) throws -> [SeatRecord] {
        try transaction.rows(
            """
            SELECT body FROM seat_requests WHERE passenger = ? AND is_open = 1
            ORDER BY standing IS NOT NULL, id
            """, passenger
        ).map { try $0.json() }
    }

    func all(of ride: RideID) throws -> [SeatRecord] {
        try transaction.rows("SELECT body FROM seat_requests WHERE ride = ? ORDER BY id", ride)
            .map { try $0.json() }
    }

    func day(_ day: Day, of standing: SeatRequestID) throws -> SeatRecord? {
        try transaction.row(
            "SELECT body FROM seat_requests WHERE standing = ? AND day = ?", standing, day)?.json()
    }

    func openDays(of standing: SeatRequestID) throws -> [SeatRecord] {
        try transaction.rows(
            "SELECT body FROM seat_requests WHERE standing = ? AND is_open = 1 ORDER BY day",
            standing
        ).map { try $0.json() }
    }

    func owed(by passenger: PersonID) throws -> SeatRecord? {
        try transaction.row(
            "SELECT body FROM seat_requests WHERE passenger = ? AND is_owed = 1 ORDER BY id LIMIT 1",
            passenger)?.json()
    }

    func list(_ filter: SeatFilter, _ page: PageRequest) throws -> Page<SeatRecord> {
        var conditions = Conditions()
        if filter.isNewestFirst {
            conditions.require("id < ?", try page.below(SeatRequestID.self))
        } else {
            conditions.require("id > ?", ifPresent: try page.cursor(as: SeatRequestID.self))
        }
        if let person = filter.person {
            switch filter.role {
            case .driver: conditions.require("driver = ?", person)
            case .passenger: conditions.require("passenger = ?", person)
            case nil: conditions.require("(driver = ? OR passenger = ?)", person, person)
            }
        }
        if filter.isOpen { conditions.require("is_open = 1") }
        if filter.isAsked { conditions.require("is_asked = 1") }
        if filter.isDisputed { conditions.require("is_disputed = 1") }
        let found = try transaction.rows(
            """
            SELECT id, body FROM seat_requests \(conditions.where)
            ORDER BY id \(filter.isNewestFirst ? "DESC" : "") LIMIT ?
            """, arguments: conditions.arguments + [page.rows])
        return try page.page(of: found) { try $0.json() }
    }
}

/// Rides in SQL.
struct RideStore {
    /// Of all rides that somebody ever drove, few are under way.
    static let underWay = Migration.addition(
        "rides-2",
        "CREATE INDEX rides_under_way ON rides (driver, id) WHERE status = 'underWay'")

    let transaction: Transaction

    func find(_ id: RideID) throws -> RideRecord? { try rideTable.value(of: id, in: transaction) }

    func require(_ id: RideID, of driver: PersonID) throws -> RideRecord {
        guard let ride = try find(id), ride.driver == driver else { throw Refusal.rideUnknown }
        return ride
    }

    func find(of trip: TripID, on day: Day) throws -> RideRecord? {
        try transaction.row("SELECT body FROM rides WHERE trip = ? AND day = ?", trip, day)?.json()
    }

    func underWay(drivenBy driver: PersonID) throws -> [RideRecord] {
        try transaction.rows(
            "SELECT body FROM rides WHERE driver = ? AND status = 'underWay' ORDER BY id", driver
        ).map { try $0.json() }
    }

    func open(of trip: TripID) throws -> [RideRecord] {
        try transaction.rows(
            "SELECT body FROM rides WHERE trip = ? AND is_open = 1 ORDER BY day", trip
        ).map { try $0.json() }
    }

    /// Latest first.
    func list(_ filter: RideFilter, _ page: PageRequest) throws -> Page<RideRecord> {
        let rode = "id IN (SELECT ride FROM seat_requests WHERE passenger = ?)"
        var conditions = Conditions()
        switch filter.role {
        case .driver: conditions.require("driver = ?", filter.person)
        case .passenger: conditions.require(rode, filter.person)
        case nil: conditions.require("(driver = ? OR \(rode))", filter.person, filter.person)
        }
        let last = try page.cursor(as: RideCursor.self)
        let before = last?.departsAt ?? filter.until ?? .distantFuture
        conditions.require("departs_at >= ?", filter.from ?? .distantPast)
        conditions.require(
            "(departs_at < ? OR (departs_at = ? AND id < ?))", before, before,
            last?.ride.description ?? "")
        let found = try transaction.rows(
            """
            SELECT id, departs_at, body FROM rides \(conditions.where)
            ORDER BY departs_at DESC, id DESC LIMIT ?
            """, arguments: conditions.arguments + [page.rows])
        return try page.page(
            of: found,
            cursor: { RideCursor(departsAt: try $0.get("departs_at"), ride: try $0.get("id")) }
        ) { try $0.json() }
    }
}

/// The filter of a list of rides.
struct RideFilter: Sendable {
    let person: PersonID
    var role: RideSide?
    var from: Date?
    var until: Date?
}

/// The end of a page of rides.
private struct RideCursor: LosslessStringConvertible {
    let departsAt: Date
    let ride: RideID

    init(departsAt: Date, ride: RideID) { (self.departsAt, self.ride) = (departsAt, ride) }

    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let microseconds = Int64(parts[0]),
            let date = Date(sqlValue: .integer(microseconds)), let ride = RideID(String(parts[1]))
        else { return nil }
        self.init(departsAt: date, ride: ride)
    }

    var description: String { "\(departsAt.microseconds):\(ride)" }
}
