import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// A copy of a person's data from accounts.
struct KnownPerson: Codable, Sendable, Hashable {
    var firstName: String
    var lastName: String
    var phone: String
    var photo: PictureID?
    var suspended: Bool
}

private let people = Replica<KnownPerson>("people")
private let ratings = Replica<RatingSummary>("ratings")

/// Copies of other services' data, kept by their events.
///
/// Each row has its owner's version, so that late events change nothing.
enum OrderCopies {
    /// What `openvalet doctor` compares.
    static let sets =
        [people.copies(of: .people), people.deleted(of: .deletedPeople)] + KnownVehicles.copies
        + KnownAreas.copies

    static let migrations = [
        people.migration, ratings.migration, KnownVehicles.migration,
        Migration(
            "copies-1",
            """
            CREATE TABLE arrivals (
                order_id TEXT NOT NULL,
                leg TEXT NOT NULL,
                valet TEXT NOT NULL,
                arrived_at BIGINT NOT NULL,
                PRIMARY KEY (order_id, leg, valet))
            """),
    ]
}

extension Transaction {
    var people: PersonStore { PersonStore(transaction: self) }
    var arrivals: ArrivalStore { ArrivalStore(transaction: self) }
}

/// Copies of people, their ratings and their vehicles.
struct PersonStore {
    let transaction: Transaction

    /// Returns false if the event changes nothing.
    func keep(_ event: AccountChanged, at now: Date) throws -> Bool {
        let account = event.account
        return try people.keep(
            KnownPerson(
                firstName: account.firstName, lastName: account.lastName, phone: account.phone,
                photo: event.photo, suspended: event.suspended),
            of: account.id, version: event.version, at: now, in: transaction)
    }

    func keep(_ event: VehicleChanged) throws {
        guard try !isForgotten(event.owner) else { return }
        try transaction.keepVehicle(event)
    }

    func keep(_ event: RatingGiven, at now: Date) throws {
        try ratings.keep(
            event.summary, of: event.to, version: event.version, at: now, in: transaction)
    }

    /// Throws for people who may not act although their access token is still valid: deleted accounts, and
    /// suspended valets.
    func requireStanding(of person: PersonID, as role: Role) throws {
        if try isForgotten(person) { throw Refusal.tokenInvalid }
        if role == .valet, try isSuspended(person.as(ValetID.self)) {
            throw Refusal.orderValetSuspended
        }
    }

    /// Deleted accounts get no jobs either.
    func isSuspended(_ valet: ValetID) throws -> Bool {
        try people.value(of: valet, in: transaction)?.suspended ?? isForgotten(valet)
    }

    /// The people of some orders, as they see each other.
    func parties(of orders: [Order], _ photos: PhotoAddresses) throws -> Parties {
        let ids = Set(orders.flatMap(\.people))
        let known = try people.values(of: ids, in: transaction)
        let rated = try ratings.values(of: ids, in: transaction)
        let suspended = ids.filter { known[$0.description]?.suspended == true }
        return Parties(
            ids.compactMap { id in
                guard let person = known[id.description] else { return nil }
                return Party(
                    id: id, firstName: person.firstName, lastName: person.lastName,
                    phone: person.phone, photoURL: person.photo.map(photos.address(of:)),
                    rating: rated[id.description]?.average)
            }, suspended: suspended)
    }

    func profile(of person: PersonID) throws -> HeldOnPerson.Profile? {
        try people.value(of: person, in: transaction).map { known in
            HeldOnPerson.Profile(
                firstName: known.firstName, lastName: known.lastName, phone: known.phone,
                photo: known.photo, rating: try ratings.value(of: person, in: transaction)?.average)
        }
    }

    func forget(_ event: AccountDeleted) throws {
        let (person, now) = (event.account, event.deletedAt)
        try people.forget(person, version: event.version, at: now, in: transaction)
        try ratings.forget(person, version: event.version, at: now, in: transaction)
        try transaction.forgetVehicles(of: person)
    }

    /// Deleted accounts count as known.
    func isKnown(_ person: some ReplicaID) throws -> Bool {
        try people.isKnown(person, in: transaction)
    }

    func isForgotten(_ person: some ReplicaID) throws -> Bool {
        try people.isForgotten(person, in: transaction)
    }
}

/// When valets reached the customers who wait for them.
struct ArrivalStore {
    let transaction: Transaction

    /// Keeps the first arrival; false if it is known already.
    func keep(_ event: PartyArrived, at leg: OrderLeg) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO arrivals (order_id, leg, valet, arrived_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (order_id, leg, valet) DO NOTHING
            """, event.engagement, leg, event.mover, event.arrivedAt) == 1
    }

    func find(_ order: OrderID, _ leg: OrderLeg, _ valet: ValetID) throws -> Date? {
        try transaction.row(
            "SELECT arrived_at FROM arrivals WHERE order_id = ? AND leg = ? AND valet = ?", order,
            leg, valet)?.get("arrived_at")
    }
}

extension OrderVehicle {
    init(_ vehicle: Vehicle) {
        self.init(
            id: vehicle.id, plate: vehicle.plate, make: vehicle.make, model: vehicle.model,
            colour: vehicle.colour)
    }
}
