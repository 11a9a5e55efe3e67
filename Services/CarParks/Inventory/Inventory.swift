import Contracts
import Foundation
import ServiceKit
import Store

/// Spaces that are taken over time, by held and confirmed bookings, and by vehicles that valets have parked.
///
/// A row is so many spaces of a class from one moment to another. What is taken at most at any moment of an interval is
/// the peak of the rows that touch it, found by a sweep over their ends. A row is added by the transaction that has
/// measured that peak, and by nothing else; transactions are serialisable, so that of two that have read the same gap
/// one runs again and finds it gone. Nothing of the car park is locked: who books other times or classes reads and
/// writes other rows.
struct Inventory {
    static let migration = Migration(
        "inventory-1",
        """
        CREATE TABLE allocations (
            holder TEXT NOT NULL PRIMARY KEY,
            booking TEXT NOT NULL,
            car_park TEXT NOT NULL,
            kind TEXT NOT NULL,
            starts_at BIGINT NOT NULL,
            ends_at BIGINT NOT NULL,
            spaces BIGINT NOT NULL)
        """,
        """
        CREATE INDEX allocations_by_time ON allocations (
            car_park, kind, ends_at, starts_at, spaces, booking)
        """,
        "CREATE INDEX allocations_of_booking ON allocations (booking)")

    let transaction: Transaction
    /// Spaces that are taken from one moment to another.
    struct Taken: Sendable, Hashable {
        var from, until: Date
        var spaces: Int
    }

    /// The most that is taken at any moment of the interval. One that ends as another begins shares no moment with it.
    static func peak(of taken: [Taken], from: Date, until: Date) -> Int {
        var changes: [(at: Date, spaces: Int)] = []
        for row in taken where row.from < until && row.until > from {
            changes.append((max(row.from, from), row.spaces))
            changes.append((row.until, -row.spaces))
        }
        changes.sort { ($0.at, $0.spaces) < ($1.at, $1.spaces) }
        var (now, most) = (0, 0)
        for change in changes {
            now += change.spaces
            most = max(most, now)
        }
        return most
    }
}

/// What a booking, a change of one that is being paid, or a valet takes.
struct Allocation: Sendable {
    /// The booking, its change, or the valet's order.
    var holder: String
    /// The order, where it is a valet's.
    var booking: BookingID
    var carPark: CarParkID
    var kind: SpaceClass
    var from, until: Date
    var spaces: Int
}

extension Transaction {
    var inventory: Inventory { Inventory(transaction: self) }
}

extension Inventory {
    /// Takes the spaces, or refuses; what the booking itself has already does not stand in its way, and what the
    /// holder has goes for it.
    func allocate(_ wanted: Allocation, of bookable: Int) throws {
        let taken =
            try taken(
                of: wanted.kind, in: [wanted.carPark], from: wanted.from, until: wanted.until,
                without: wanted.booking)[wanted.carPark] ?? []
        let peak = Inventory.peak(of: taken, from: wanted.from, until: wanted.until)
        guard peak + wanted.spaces <= bookable else { throw Refusal.bookingFull }
        try transaction.execute(
            """
            INSERT INTO allocations (holder, booking, car_park, kind, starts_at, ends_at, spaces)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (holder) DO UPDATE SET
                car_park = excluded.car_park, kind = excluded.kind, spaces = excluded.spaces,
                starts_at = excluded.starts_at, ends_at = excluded.ends_at
            """, wanted.holder, wanted.booking, wanted.carPark, wanted.kind, wanted.from,
            wanted.until, wanted.spaces)
        try transaction.watches.spacesChanged(in: wanted.carPark)
    }

    func release(_ holder: some CustomStringConvertible) throws {
        let freed = try transaction.row(
            "SELECT car_park FROM allocations WHERE holder = ?", holder.description)
        if let freed { try transaction.watches.spacesChanged(in: try freed.get("car_park")) }
        try transaction.execute("DELETE FROM allocations WHERE holder = ?", holder.description)
    }

    /// A change has come true: what it took is the booking's own.
    func handOver(_ change: some CustomStringConvertible, to booking: BookingID) throws {
        try release(booking)
        try transaction.execute(
            "UPDATE allocations SET holder = ? WHERE holder = ?", booking, change.description)
    }

    /// The vehicle has left: from now on its space is free.
    func shorten(_ booking: BookingID, to end: Date) throws {
        try transaction.execute(
            "UPDATE allocations SET ends_at = ? WHERE booking = ? AND ends_at > ?", end, booking,
            end)
    }

    /// What is taken of a class in the interval, by car park.
    func taken(
        of kind: SpaceClass, in carParks: [CarParkID], from: Date, until: Date,
        without booking: BookingID? = nil
    ) throws -> [CarParkID: [Inventory.Taken]] {
        guard !carParks.isEmpty else { return [:] }
        let found = try transaction.rows(
            """
            SELECT car_park, starts_at, ends_at, spaces, booking FROM allocations
            WHERE car_park IN (\(transaction.marks(carParks.count))) AND kind = ? AND ends_at > ?
                AND starts_at < ?
            """, arguments: carParks + [kind, from, until])
        return try found.reduce(into: [:]) { taken, row in
            if let booking, try row.get("booking", as: BookingID.self) == booking { return }
            taken[try row.get("car_park"), default: []].append(
                Inventory.Taken(
                    from: try row.get("starts_at"), until: try row.get("ends_at"),
                    spaces: try row.get("spaces")))
        }
    }

    /// What has been over for a while is not counted any more.
    func sweep(before time: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM allocations WHERE holder IN (
                SELECT holder FROM allocations WHERE ends_at < ? LIMIT ?)
            """, time, limit)
    }
}
