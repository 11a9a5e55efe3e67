import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// All that car parks hold on a person, for their export.
struct HeldBookings: Encodable, Sendable {
    /// Bookings and stays that are given; the newest count.
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
}

extension BookingUseCases {
    func held(on person: PersonID, _ addresses: SignedAddresses) async throws -> HeldBookings {
        let now = clock.now
        return try await database.read { transaction in
            let page = PageRequest(limit: HeldBookings.most)
            return HeldBookings(
                vehicles: try transaction.vehicles(of: person.as(CustomerID.self)),
                bookings: try transaction.bookings(BookingFilter(person: person), page).items
                    .map(\.view),
                sessions: try transaction.sessions(of: person, page).items,
                parkedVehicle: try transaction.parkedVehicle(of: person, addresses, now),
                fines: try transaction.fines(FineFilter(person: person), page).items.map {
                    $0.view(for: .person(person)) {
                        addresses.sign(SignedAddresses.path(fine: $0), at: now)
                    }
                },
                loyalty: try transaction.loyalty(of: person),
                spendingAlert: try transaction.spendingAlert(of: person),
                autoPay: try transaction.autoPay(of: person),
                watchedCarParks: try transaction.watches(of: person))
        }
    }

    /// Gives up what is to come, and forgets whose vehicles were where. Stays and their prices remain.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let person = event.account
        while let next = try await database.read({ try $0.nextToForget(of: person) }) {
            try await database.write { try $0.forget(next, at: event.deletedAt) }
        }
        try await database.sweep(batch: Self.batch) { try $0.forgetBills(of: person, limit: $1) }
        try await database.sweep(batch: Self.batch) {
            try $0.forgetStays(of: person, most: $1, at: event.deletedAt)
        }
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try transaction.forgetFines(of: person, at: event.deletedAt)
            try transaction.forgetPoints(of: person, at: event.deletedAt)
            try transaction.forgetSpending(of: person)
            try transaction.forgetAutoPay(of: person)
            try transaction.forgetWatches(of: person)
            try transaction.forgetVehicles(of: person)
            try transaction.forgetParkedVehicle(of: person, at: event.deletedAt)
            // Those that have come or ended since.
            _ = try transaction.forgetBills(of: person, limit: Self.batch)
            _ = try transaction.forgetStays(of: person, most: Self.batch, at: event.deletedAt)
        }
    }

    /// Of one transaction.
    private static var batch: Int { 100 }
}

extension Transaction {
    fileprivate func nextToForget(of person: PersonID) throws -> BookingRecord? {
        try row(
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
            if wasHeld { try withdraw(booking.id.as(BillID.self), at: now) }
            try giveBack(refund, of: &booking, "account deleted", at: now)
            try release(booking.id)
            try unscheduleAll(of: booking.id)
            try announce(booking, .cancelled, refund: refund, at: now)
        }
        booking.forgetVehicles()
        try update(&booking)
    }

    /// How many it was.
    fileprivate func forgetStays(of person: PersonID, most: Int, at now: Date) throws -> Int {
        let found: [SessionRecord] = try rows(
            "SELECT body FROM sessions WHERE person = ? AND is_inside = 0 ORDER BY id LIMIT ?",
            person, most
        ).map { try $0.json() }
        for var record in found { try forget(&record, at: now) }
        return found.count
    }

    /// A stay remains, without whose it was.
    func forget(_ record: inout SessionRecord, at now: Date) throws {
        (record.person, record.session.plate) = (nil, "")
        try execute("UPDATE sessions SET plate = '' WHERE id = ?", record.session.id)
        try keep(&record, at: now)
    }
}
