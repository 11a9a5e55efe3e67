import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// All data that carpool holds about a person, for their export.
struct HeldTrips: Encodable, Sendable {
    /// The most entries of each kind, newest first.
    static let most = 200

    let vehicles: [Vehicle]
    let trips: [Trip]
    let seatRequests: [SeatRequest]
    let favouriteTrips: [Trip]
    let savedSearches: [SavedSearch]
}

extension TripUseCases {
    func held(on person: PersonID) async throws -> HeldTrips {
        let page = PageRequest(limit: HeldTrips.most)
        let trips = try await list(TripFilter(driver: person), page, for: person)
        let favourites = try await favourites(of: person, page)
        return try await database.read { transaction in
            let seats = try transaction.seats.list(SeatFilter(person: person), page).items
            let known = try transaction.trips.find(Set(seats.map(\.trip)))
            let views = try CarpoolViews(
                for: person, of: seats.flatMap { [$0.driver, $0.passenger] }, at: clock,
                in: transaction)
            return HeldTrips(
                vehicles: try transaction.vehicles(of: person.as(CustomerID.self)),
                trips: trips.items,
                seatRequests: seats.compactMap { seat in
                    known[seat.trip].map { views.view(seat, of: $0) }
                },
                favouriteTrips: favourites.items,
                savedSearches: try SavedSearches.watchers.page(
                    page, of: person, in: transaction
                ).items)
        }
    }
}

extension RideUseCases {
    /// Rows per transaction.
    private static var batch: Int { 100 }

    /// Cancels future rides, and removes where the person went. Prices remain.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let (person, now) = (event.account, event.deletedAt)
        try await database.write { transaction in
            for trip in try transaction.trips.open(of: person) {
                try transaction.trips.remove(trip, at: now)
            }
            for var seat in try transaction.seats.open(of: person) {
                // A recurring request comes before its days, which are closed with it.
                guard try transaction.seats.find(seat.id)?.isOpen == true else { continue }
                seat = try transaction.seats.require(seat.id, of: person)
                try transaction.seats.cancel(&seat, .passengerCancelled, at: now)
            }
        }
        try await database.sweep(batch: Self.batch) {
            try $0.trips.forget("driver = ?", person, limit: $1, at: now)
        }
        try await database.sweep(batch: Self.batch) {
            try $0.seats.forget("passenger = ?", person, limit: $1)
        }
        try await database.apply(delivery) { transaction in
            try transaction.forgetPerson(event, at: now)
            try transaction.forgetBlocks(of: person)
            try transaction.forgetVehicles(of: person)
            try transaction.favourites.forget(person)
            try SavedSearches.watchers.forget(person, in: transaction)
        }
    }

    /// Removes the places of trips that ended long ago.
    func sweep() async throws {
        let now = clock.now
        let before = now.addingTimeInterval(-CarpoolLimits.remembered)
        try await database.sweep {
            try $0.trips.forget("changed_at < ?", before, limit: $1, at: now)
        }
        try await database.sweep { try $0.seats.forget("drop_off_at < ?", before, limit: $1) }
    }
}

extension TripStore {
    /// Removes the places of trips that are over; returns the number of trips.
    fileprivate func forget(
        _ condition: String, _ value: any SQLConvertible, limit: Int, at now: Date
    ) throws -> Int {
        let found: [TripRecord] = try transaction.rows(
            """
            SELECT body FROM trips WHERE \(condition) AND is_open = 0 AND is_forgotten = 0
            ORDER BY id LIMIT ?
            """, value, limit
        ).map { try $0.json() }
        for var trip in found {
            trip.forget()
            try transaction.savedSearches.forgetTold(of: trip.id)
            try update(&trip, at: now)
        }
        return found.count
    }
}

extension SeatStore {
    fileprivate func forget(
        _ condition: String, _ value: any SQLConvertible, limit: Int
    ) throws -> Int {
        let found: [SeatRecord] = try transaction.rows(
            """
            SELECT body FROM seat_requests
            WHERE \(condition) AND is_open = 0 AND is_forgotten = 0
            ORDER BY id LIMIT ?
            """, value, limit
        ).map { try $0.json() }
        for var seat in found {
            seat.forget()
            try update(&seat)
        }
        return found.count
    }
}
