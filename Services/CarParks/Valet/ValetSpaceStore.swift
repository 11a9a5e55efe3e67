import Contracts
import Foundation
import Store

/// Spaces that valets have taken, by order, in SQL.
enum ValetSpaceStore {
    static let migration = Migration(
        "valet-spaces-1",
        """
        CREATE TABLE valet_spaces (
            order_id TEXT NOT NULL PRIMARY KEY,
            car_park TEXT NOT NULL,
            plate TEXT NOT NULL,
            is_taken BIGINT NOT NULL,
            since BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        """
        CREATE INDEX valet_spaces_taken ON valet_spaces (car_park, plate, since)
            WHERE is_taken = 1
        """)
}

/// A space that an order's vehicle has, or had.
struct ValetSpace: Codable, Sendable, Hashable {
    let order: OrderID
    var carPark: CarParkID
    /// Its characters alone; empty once it has left.
    var plate = ""
    var rate = ParkingRate(hourly: .zero(""))
    var isTaken = false
    /// The order has said that the vehicle stands there.
    var isConfirmed = false
    /// When it was taken or given back.
    var since = Date.distantPast
    /// Up to which the order's news are known.
    var orderVersion = 0

    init(order: OrderID, carPark: CarParkID) { (self.order, self.carPark) = (order, carPark) }

    /// Of the coming while; the order stands for a booking.
    func allocation(at now: Date) -> Allocation {
        Allocation(
            holder: order.description, booking: order.as(BookingID.self), carPark: carPark,
            kind: .general, from: now, until: now.addingTimeInterval(ValetSpaces.span), spaces: 1)
    }
}

extension Transaction {
    func valetSpace(of order: OrderID) throws -> ValetSpace? {
        try row("SELECT body FROM valet_spaces WHERE order_id = ?", order)?.json()
    }

    /// The order that a vehicle stands there for.
    func valetOrder(ofPlate plate: String, in carPark: CarParkID) throws -> OrderID? {
        try row(
            "SELECT order_id FROM valet_spaces WHERE car_park = ? AND plate = ? AND is_taken = 1",
            carPark, plate)?.get("order_id")
    }

    func keep(_ space: ValetSpace) throws {
        try execute(
            """
            INSERT INTO valet_spaces (order_id, car_park, plate, is_taken, since, body)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (order_id) DO UPDATE SET
                car_park = excluded.car_park, plate = excluded.plate,
                is_taken = excluded.is_taken, since = excluded.since, body = excluded.body
            """, space.order, space.carPark, space.plate, space.isTaken, space.since,
            Wire.json(space))
    }

    /// Since when spaces are taken, by car park.
    func valetSpaces(in carParks: [CarParkID]) throws -> [CarParkID: [Date]] {
        guard !carParks.isEmpty else { return [:] }
        return try rows(
            """
            SELECT car_park, since FROM valet_spaces
            WHERE car_park IN (\(marks(carParks.count))) AND is_taken = 1
            """, arguments: carParks
        ).reduce(into: [:]) { times, row in
            times[try row.get("car_park"), default: []].append(try row.get("since"))
        }
    }
}
