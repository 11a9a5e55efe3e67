import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

let bookingTable = DocumentTable<BookingRecord>("bookings")

/// Bookings, their vehicles, and the bills of car parks, in SQL.
struct BookingStore {
    static let migration = Migration(
        "bookings-1",
        """
        CREATE TABLE bookings (
            id TEXT NOT NULL PRIMARY KEY,
            reference TEXT NOT NULL,
            person TEXT NOT NULL,
            car_park TEXT NOT NULL,
            status TEXT NOT NULL,
            is_current BIGINT NOT NULL,
            starts_at BIGINT NOT NULL,
            ends_at BIGINT NOT NULL,
            version BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE UNIQUE INDEX bookings_by_reference ON bookings (reference)",
        "CREATE INDEX bookings_of_person ON bookings (person, id)",
        """
        CREATE INDEX bookings_to_come ON bookings (person, ends_at) WHERE is_current = 1
        """,
        "CREATE INDEX bookings_of_car_park ON bookings (car_park, id)",
        "CREATE INDEX bookings_by_start ON bookings (car_park, starts_at)",
        """
        CREATE TABLE booking_plates (
            booking TEXT NOT NULL,
            plate TEXT NOT NULL,
            car_park TEXT NOT NULL,
            is_current BIGINT NOT NULL,
            starts_at BIGINT NOT NULL,
            ends_at BIGINT NOT NULL,
            PRIMARY KEY (booking, plate))
        """,
        "CREATE INDEX booking_plates_by_time ON booking_plates (plate, is_current, ends_at)",
        """
        CREATE TABLE bills (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            booking TEXT,
            session TEXT,
            fine TEXT,
            tells_of TEXT,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX bills_that_tell ON bills (tells_of) WHERE tells_of IS NOT NULL")

    /// For plates that look alike.
    static let platesThere = Migration.addition(
        "bookings-2",
        """
        CREATE INDEX booking_plates_of_car_park ON booking_plates (
            car_park, ends_at, starts_at, plate, booking)
        """)

    let transaction: Transaction
}

extension BookingStatus: SQLConvertible {}

/// The filter of a list of bookings.
struct BookingFilter: Sendable {
    /// Nil for everybody's bookings.
    var person: PersonID?
    var isCurrent: Bool?
    var carPark: CarParkID?
    var plate: String?
    /// The noon in UTC of the day to list.
    var noon: Date?
}

extension BookingRecord {
    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "reference": reference, "person": person, "car_park": stay.carPark.id,
            "status": status, "is_current": isCurrent, "starts_at": stay.start,
            "ends_at": stay.end,
        ]
    }
}

extension Transaction {
    var bookings: BookingStore { BookingStore(transaction: self) }
    var bills: BillStore { BillStore(transaction: self) }
}

extension BookingStore {
    func find(_ id: BookingID) throws -> BookingRecord? {
        try bookingTable.value(of: id, in: transaction)
    }

    /// Throws the same for a booking of another person as for one that does not exist.
    func require(_ id: BookingID, of person: PersonID?) throws -> BookingRecord {
        guard let found = try find(id), person == nil || found.person == person else {
            throw Refusal.bookingUnknown
        }
        return found
    }

    func find(byReference reference: String) throws -> BookingRecord? {
        try transaction.row("SELECT body FROM bookings WHERE reference = ?", reference)?.json()
    }

    /// Newest first.
    func list(_ filter: BookingFilter, _ page: PageRequest) throws -> Page<BookingRecord> {
        var conditions = Conditions()
        conditions.require("person = ?", ifPresent: filter.person)
        conditions.require("is_current = ?", ifPresent: filter.isCurrent)
        conditions.require("car_park = ?", ifPresent: filter.carPark)
        if let noon = filter.noon {
            let day = try transaction.carParks.day(of: noon, in: filter.carPark)
            conditions.require("starts_at < ? AND ends_at > ?", day.upperBound, day.lowerBound)
        }
        conditions.require(
            "id IN (SELECT booking FROM booking_plates WHERE plate = ?)", ifPresent: filter.plate)
        return try transaction.page(page, of: "bookings", where: conditions)
    }

    func insert(_ booking: BookingRecord) throws {
        try bookingTable.insert(booking, in: transaction)
        try keepPlates(of: booking)
    }

    func update(_ booking: inout BookingRecord) throws {
        try bookingTable.update(&booking, in: transaction)
        try keepPlates(of: booking)
    }

    private func keepPlates(of booking: BookingRecord) throws {
        try transaction.execute("DELETE FROM booking_plates WHERE booking = ?", booking.id)
        for plate in Set(booking.stay.vehicles.map(\.plate.plateCharacters)) {
            try transaction.execute(
                """
                INSERT INTO booking_plates (
                    booking, plate, car_park, is_current, starts_at, ends_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """, booking.id, plate, booking.stay.carPark.id, booking.isCurrent,
                booking.stay.start, booking.stay.end)
        }
    }

    /// Nobody can be in two places: throws if the person has an overlapping booking in another car park, or one of the
    /// vehicles has, or the person has one in the same car park for one of these vehicles, which would take two spaces.
    ///
    /// A vehicle's bookings by two people count if its plate is proven for both. If it is proven for one of them, the
    /// booking of the other doesn't hinder them, and they learn nothing of it. If it is proven for neither, only a paid
    /// booking counts.
    func requireNoOverlap(
        _ stay: BookingRecord.Stay, of person: PersonID, besides booking: BookingID
    ) throws {
        let own = try transaction.row(
            """
            SELECT id FROM bookings WHERE person = ? AND is_current = 1 AND ends_at > ?
                AND starts_at < ? AND car_park <> ? AND id <> ?
            LIMIT 1
            """, person, stay.start, stay.end, stay.carPark.id, booking)
        if let own { throw Refusal.overlaps(own: try own.get("id")) }
        for plate in Set(stay.vehicles.map(\.plate.plateCharacters)) {
            let owners = try transaction.plates.owners(of: plate)
            let isProven = owners.contains(person)
            let others = try transaction.rows(
                """
                SELECT bookings.id AS id, bookings.person AS person, bookings.status AS status
                FROM booking_plates JOIN bookings ON bookings.id = booking_plates.booking
                WHERE booking_plates.plate = ? AND booking_plates.is_current = 1
                    AND booking_plates.ends_at > ? AND booking_plates.starts_at < ?
                    AND booking_plates.booking <> ?
                    AND (booking_plates.car_park <> ? OR bookings.person = ?)
                """, plate, stay.start, stay.end, booking, stay.carPark.id, person)
            for other in others {
                let holder: PersonID = try other.get("person")
                if holder == person { throw Refusal.overlaps(own: try other.get("id")) }
                let status: BookingStatus = try other.get("status")
                guard owners.contains(holder) == isProven, isProven || status != .held else {
                    continue
                }
                throw Refusal.bookingOverlaps
            }
        }
    }

    func countCurrent(of person: PersonID) throws -> Int {
        try transaction.row(
            "SELECT COUNT(*) AS count FROM bookings WHERE person = ? AND is_current = 1", person)?
            .get("count") ?? 0
    }

    /// A vehicle's bookings of a car park that end after the given time, earliest first.
    func list(
        ofPlate plate: String, in carPark: CarParkID, endingAfter time: Date,
        _ statuses: [BookingStatus]
    ) throws -> [BookingRecord] {
        var arguments: [(any SQLConvertible)?] = [plate, time, carPark]
        arguments += statuses as [(any SQLConvertible)?]
        arguments.append(BookingLimits.mostCurrent)
        let marks = transaction.marks(statuses.count)
        return try transaction.rows(
            """
            SELECT bookings.body AS body FROM booking_plates
            JOIN bookings ON bookings.id = booking_plates.booking
            WHERE booking_plates.plate = ? AND booking_plates.ends_at > ?
                AND booking_plates.car_park = ? AND bookings.status IN (\(marks))
            ORDER BY booking_plates.starts_at, booking_plates.booking LIMIT ?
            """, arguments: arguments
        ).map { try $0.json() }
    }

    func hasCurrent(in carPark: CarParkID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM bookings WHERE car_park = ? AND is_current = 1 LIMIT 1", carPark)
            != nil
    }
}

// MARK: Bills

/// A bill, and the booking, stay or fine it is for.
struct KnownBill: Sendable {
    var bill: Bill
    var booking: BookingID?
    var session: ParkingSessionID?
    var fine: FineID?
}

/// The bills of bookings, stays and fines, as they were sent to payments.
struct BillStore {
    let transaction: Transaction

    func find(_ id: BillID) throws -> KnownBill? {
        try transaction.row(
            "SELECT booking, session, fine, body FROM bills WHERE id = ?", id
        ).map { row in
            KnownBill(
                bill: try row.json(), booking: try row.getIfPresent("booking"),
                session: try row.getIfPresent("session"),
                fine: try row.getIfPresent("fine"))
        }
    }

    /// Those of some bills that a person pays or has paid.
    func paid(by person: PersonID, among ids: [BillID]) throws -> Set<BillID> {
        guard !ids.isEmpty else { return [] }
        let bills: [Bill] = try transaction.rows(
            "SELECT body FROM bills WHERE id IN (\(transaction.marks(ids.count)))",
            arguments: ids
        ).map { try $0.json() }
        return Set(bills.filter { $0.payer == person }.map(\.id))
    }

    /// Publishes a bill of a booking, a session or a fine.
    func publish(
        _ bill: Bill, booking: BookingID? = nil, session: ParkingSessionID? = nil,
        fine: FineID? = nil, at now: Date
    ) throws {
        try transaction.publish(bill, at: now) { bill in
            [
                "booking": booking, "session": session, "fine": fine,
                "tells_of": bill.tellsOfPayer ? bill.payer : nil,
            ]
        }
    }

    func withdrawOpen(_ bill: BillID, at now: Date) throws {
        if try transaction.isOpen(bill) { try transaction.withdraw(bill, at: now) }
    }

    /// Removes the payer's data from bills; returns the number of bills. Payments does the same with its own copies.
    func forget(of person: PersonID, limit: Int) throws -> Int {
        let found = try transaction.rows(
            "SELECT body FROM bills WHERE tells_of = ? LIMIT ?", person, limit)
        for row in found {
            var bill: Bill = try row.json()
            bill.forgetPayer()
            try transaction.execute(
                "UPDATE bills SET tells_of = NULL, body = ? WHERE id = ?", Wire.json(bill), bill.id)
        }
        return found.count
    }

    /// Takes a refund off spending and points, once, whether payments or this service reports it first.
    func goesBack(_ amount: Int, _ refund: RefundID, of id: BillID, at now: Date) throws {
        try transaction.spending.takeBack(amount, refund, of: id, at: now)
        try transaction.loyalty.takeBack(amount, refund, of: id, at: now)
    }

    /// Has an amount of a paid bill refunded. `isAnnounced` if the payer is notified of it here, so that payments
    /// doesn't do so again.
    func giveBack(
        _ amount: Int, of id: BillID, _ reason: String, isAnnounced: Bool = false, at now: Date
    ) throws {
        let refund = RefundID.new(at: now)
        try transaction.amend(id, at: now) { bill in
            let back = Bill.Return(
                id: refund, amount: Money(amount: amount, currency: bill.currency), reason: reason,
                isAnnounced: isAnnounced ? true : nil)
            bill.returns = (bill.returns ?? []) + [back]
        }
        try goesBack(amount, refund, of: id, at: now)
    }
}

extension Refusal {
    fileprivate static func overlaps(own booking: BookingID) -> Refusal {
        bookingOverlaps.because { $0.bookingId = booking }
    }
}
