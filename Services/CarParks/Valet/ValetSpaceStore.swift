import Contracts
import Foundation
import ServiceKit
import Store

/// Spaces taken by valets, by order, in SQL.
struct ValetSpaceStore {
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
        CREATE INDEX valet_spaces_taken ON valet_spaces (car_park, since) WHERE is_taken = 1
        """,
        "CREATE INDEX valet_spaces_of_plate ON valet_spaces (car_park, plate)")

    /// Spaces of parked vehicles, as `openvalet doctor` compares them.
    static let copies = CopiedSet(
        .parkedVehicles,
        "SELECT order_id AS id, 0 AS version, body FROM valet_spaces WHERE is_taken = 1"
    ) { try $0.json(as: ValetSpace.self).isConfirmed }

    let transaction: Transaction
}

/// A space that an order's vehicle has, or had.
struct ValetSpace: Codable, Sendable, Hashable {
    let order: OrderID
    var carPark: CarParkID
    /// Letters and digits only.
    var plate = ""
    var rate = ParkingRate(hourly: .zero(""))
    var isTaken = false
    /// An event of the order has reported the vehicle parked there.
    var isConfirmed = false
    /// When it was taken or given back, or last requested again.
    var since = Date.distantPast
    /// When it was first taken at this car park.
    var takenAt: Date?
    /// The version of the order's latest known event.
    var orderVersion = 0

    init(order: OrderID, carPark: CarParkID) { (self.order, self.carPark) = (order, carPark) }

    /// Whether the vehicle may have been there: a valet drives in before reporting it.
    func isThere(at time: Date) -> Bool {
        guard let takenAt else { return false }
        return takenAt.addingTimeInterval(-ValetSpaces.arrival) <= time
            && (isTaken || time <= since)
    }

    /// The space for the next `ValetSpaces.span`; the order takes the place of a booking.
    func allocation(at now: Date) -> Allocation {
        Allocation(
            holder: order.description, booking: order.as(BookingID.self), carPark: carPark,
            kind: .general, from: now, until: now.addingTimeInterval(ValetSpaces.span), spaces: 1)
    }
}

extension Transaction {
    var valetSpaces: ValetSpaceStore { ValetSpaceStore(transaction: self) }
}

extension ValetSpaceStore {
    func find(_ order: OrderID) throws -> ValetSpace? {
        try transaction.row("SELECT body FROM valet_spaces WHERE order_id = ?", order)?.json()
    }

    /// The order for which a vehicle was parked there at that time.
    func order(
        ofPlate plate: String, in carPark: CarParkID, at time: Date
    ) throws -> OrderID? {
        try transaction.rows(
            "SELECT body FROM valet_spaces WHERE car_park = ? AND plate = ?", carPark, plate
        ).map { try $0.json(as: ValetSpace.self) }.first { $0.isThere(at: time) }?.order
    }

    func keep(_ space: ValetSpace) throws {
        try transaction.execute(
            """
            INSERT INTO valet_spaces (order_id, car_park, plate, is_taken, since, body)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (order_id) DO UPDATE SET
                car_park = excluded.car_park, plate = excluded.plate,
                is_taken = excluded.is_taken, since = excluded.since, body = excluded.body
            """, space.order, space.carPark, space.plate, space.isTaken, space.since,
            Wire.json(space))
    }

    /// When each taken space was taken, by car park.
    func taken(in carParks: [CarParkID]) throws -> [CarParkID: [Date]] {
        guard !carParks.isEmpty else { return [:] }
        return try transaction.rows(
            """
            SELECT car_park, since FROM valet_spaces
            WHERE car_park IN (\(transaction.marks(carParks.count))) AND is_taken = 1
            """, arguments: carParks
        ).reduce(into: [:]) { times, row in
            times[try row.get("car_park"), default: []].append(try row.get("since"))
        }
    }
}
