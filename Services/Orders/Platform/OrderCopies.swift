import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// What orders keeps of a person, as accounts told it.
struct KnownPerson: Codable, Sendable, Hashable {
    var firstName: String
    var lastName: String
    var phone: String
    var photo: PictureID?
    var suspended: Bool
}

private let people = Replica<KnownPerson>("people")
private let ratings = Replica<RatingSummary>("ratings")

/// What orders keeps of other services' facts, as their events told them.
///
/// Each row has the version that the owner gave it: an event that is late changes nothing.
enum OrderCopies {
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

/// People, their ratings and their vehicles, as other services told of them.
struct PersonStore {
    let transaction: Transaction

    /// False when it is no news.
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

    /// Throws for who may not act any more although their access token still lives: who deleted the account, and
    /// as a valet who is suspended.
    func requireStanding(of person: PersonID, as role: Role) throws {
        if try isForgotten(person) { throw Refusal.tokenInvalid }
        if role == .valet, try isSuspended(person.as(ValetID.self)) {
            throw Refusal.orderValetSuspended
        }
    }

    /// Also who is gone is given no job.
    func isSuspended(_ valet: ValetID) throws -> Bool {
        try people.value(of: valet, in: transaction)?.suspended ?? isForgotten(valet)
    }

    /// The people of some orders, as parties see each other.
    func parties(of orders: [Order], _ photos: PhotoAddresses) throws -> Parties {
        let ids = Set(orders.flatMap(\.people))
        let known = try people.values(of: ids, in: transaction)
        let rated = try ratings.values(of: ids, in: transaction)
        return Parties(
            ids.compactMap { id in
                guard let person = known[id.description] else { return nil }
                return Party(
                    id: id, firstName: person.firstName, lastName: person.lastName,
                    phone: person.phone, photoURL: person.photo.map(photos.address(of:)),
                    rating: rated[id.description]?.average)
            })
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

    /// Also of a person who is gone.
    func isKnown(_ person: some ReplicaID) throws -> Bool {
        try people.isKnown(person, in: transaction)
    }

    func isForgotten(_ person: some ReplicaID) throws -> Bool {
        try people.isForgotten(person, in: transaction)
    }
}

/// When valets came to where they are awaited.
struct ArrivalStore {
    let transaction: Transaction

    /// The first arrival counts: false when it is known already.
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
