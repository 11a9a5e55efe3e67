import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// All data that car parks hold about a person, for their export.
struct HeldBookings: Encodable, Sendable {
    /// The most bookings and stays in an export, newest first.
    static let most = 200

    let vehicles: [Vehicle]
    let bookings: [Booking]
    let sessions: [ParkingSession]
    let parkedVehicle: ParkedVehicle?
    let fines: [Fine]
    let loyalty: Loyalty
    let spendingAlert: SpendingAlert
    let autoPay: AutoPay
    let watchedCarParks: [WatchedCarPark]
    let plateProofs: [PlateProof]
}

extension BookingUseCases {
    func held(on person: PersonID, _ addresses: SignedAddresses) async throws -> HeldBookings {
        let now = clock.now
        return try await database.read { transaction in
            let page = PageRequest(limit: HeldBookings.most)
            return HeldBookings(
                vehicles: try transaction.vehicles(of: person.as(CustomerID.self)),
                bookings: try transaction.bookings.list(BookingFilter(person: person), page).items
                    .map(\.view),
                sessions: try transaction.sessions.list(of: person, page).items,
                parkedVehicle: try transaction.parkedVehicles.find(of: person, addresses, now),
                fines: try transaction.fines.list(FineFilter(person: person), page).items.map {
                    $0.view(for: .person(person)) {
                        addresses.sign(SignedAddresses.path(fine: $0), at: now)
                    }
                },
                loyalty: try transaction.loyalty.account(of: person),
                spendingAlert: try transaction.spending.alert(of: person),
                autoPay: try transaction.autoPays.setting(of: person),
                watchedCarParks: try transaction.watches.list(of: person),
                plateProofs: try transaction.plates.list(of: person))
        }
    }

    /// Cancels future bookings, and removes whose vehicles were where. Stays and their prices remain.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let person = event.account
        while let next = try await database.read({ try $0.bookings.nextToForget(of: person) }) {
            try await database.write { try $0.bookings.forget(next, at: event.deletedAt) }
        }
        try await database.sweep(batch: Self.batch) { try $0.bills.forget(of: person, limit: $1) }
        try await database.sweep(batch: Self.batch) {
            try $0.sessions.forget(of: person, most: $1, at: event.deletedAt)
        }
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try transaction.fines.forget(of: person, at: event.deletedAt)
            try transaction.loyalty.forget(of: person, at: event.deletedAt)
            try transaction.spending.forget(of: person)
            try transaction.autoPays.forget(of: person)
            try transaction.watches.forget(of: person)
            try transaction.forgetVehicles(of: person)
            try transaction.plates.forget(of: person)
            try transaction.parkedVehicles.forget(of: person, at: event.deletedAt)
            // Bookings and stays may have been added or ended since.
            _ = try transaction.bills.forget(of: person, limit: Self.batch)
            _ = try transaction.sessions.forget(of: person, most: Self.batch, at: event.deletedAt)
        }
    }

    /// Rows per transaction.
    private static var batch: Int { 100 }
}

extension BookingStore {
    fileprivate func nextToForget(of person: PersonID) throws -> BookingRecord? {
        try transaction.row(
            """
            SELECT body FROM bookings
            WHERE person = ? AND (status IN ('held', 'confirmed') OR EXISTS (
                SELECT 1 FROM booking_plates WHERE booking_plates.booking = bookings.id))
            ORDER BY id LIMIT 1
            """, person)?.json()
    }

    fileprivate func forget(_ known: BookingRecord, at now: Date) throws {
        var booking = known
        if [.held, .confirmed].contains(booking.status) {
            let wasHeld = booking.status == .held
            let refund = try booking.cancel(at: now)
            if wasHeld { try transaction.withdraw(booking.id.as(BillID.self), at: now) }
            let back = try giveBack(refund, of: &booking, "account deleted", at: now)
            try transaction.inventory.release(booking.id)
            try unscheduleAll(of: booking.id)
            try CarParkNotices.announce(
                booking, .cancelled, refund: back, at: now, in: transaction)
        }
        booking.forgetVehicles()
        try update(&booking)
    }
}

extension SessionStore {
    /// Returns the number of stays.
    fileprivate func forget(of person: PersonID, most: Int, at now: Date) throws -> Int {
        let found: [SessionRecord] = try transaction.rows(
            "SELECT body FROM sessions WHERE person = ? AND is_inside = 0 ORDER BY id LIMIT ?",
            person, most
        ).map { try $0.json() }
        for var record in found { try forget(&record, at: now) }
        return found.count
    }

    /// Removes the person and the plate from a stay.
    func forget(_ record: inout SessionRecord, at now: Date) throws {
        (record.person, record.session.plate, record.isClaim) = (nil, "", nil)
        try transaction.execute("UPDATE sessions SET plate = '' WHERE id = ?", record.session.id)
        try keep(&record, at: now)
    }
}
