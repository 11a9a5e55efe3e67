import Contracts
import Foundation
import ServiceKit
import Store

/// Spaces that are taken over time by held and confirmed bookings, and by vehicles that valets have parked.
///
/// A row is a number of spaces of a class from one time to another. The most spaces taken at once in an interval is the
/// peak of the rows that overlap it, found by a sweep over their ends. A row is added only by the transaction that has
/// measured that peak. Transactions are serialisable: if two have read the same gap, one runs again and no longer finds
/// it. No car park is locked, because bookings of other times or classes read and write other rows.
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
    /// A number of spaces, taken from one time to another.
    struct Taken: Sendable, Hashable {
        var from, until: Date
        var spaces: Int
    }

    /// The most spaces taken at once in the interval. A row that ends when another begins does not overlap it.
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

/// The spaces for a booking, for a change that is being paid, or for a valet.
struct Allocation: Sendable {
    /// The booking, its change, or the valet's order.
    var holder: String
    /// The booking, or a valet's order.
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
    /// Takes the spaces, or throws if there are too few. The booking's own spaces do not count against it, and the
    /// holder's earlier ones are replaced.
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

    /// Replaces a booking's spaces with those of its change.
    func handOver(_ change: some CustomStringConvertible, to booking: BookingID) throws {
        try release(booking)
        try transaction.execute(
            "UPDATE allocations SET holder = ? WHERE holder = ?", booking, change.description)
    }

    /// Frees the space of a vehicle that has left.
    func shorten(_ booking: BookingID, to end: Date) throws {
        try transaction.execute(
            "UPDATE allocations SET ends_at = ? WHERE booking = ? AND ends_at > ?", end, booking,
            end)
    }

    /// The spaces of a class taken in the interval, by car park.
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

    /// Deletes rows that ended a while ago.
    func sweep(before time: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM allocations WHERE holder IN (
                SELECT holder FROM allocations WHERE ends_at < ? LIMIT ?)
            """, time, limit)
    }
}
