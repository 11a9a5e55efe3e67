import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import TripSearch

let tripTable = DocumentTable<TripRecord>("trips")

extension Transaction {
    var trips: TripStore { TripStore(transaction: self) }
    var favourites: FavouriteStore { FavouriteStore(transaction: self) }
}

/// Trips in SQL. `entry` is the search's copy of an open trip.
struct TripStore {
    static let migration = Migration(
        "trips-1",
        """
        CREATE TABLE trips (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            driver TEXT NOT NULL,
            area TEXT,
            status TEXT NOT NULL,
            is_open BIGINT NOT NULL,
            is_forgotten BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            changed_at BIGINT NOT NULL,
            entry BYTEA,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX trips_of_driver ON trips (driver, id)",
        "CREATE INDEX trips_open_of_driver ON trips (driver) WHERE is_open = 1",
        "CREATE INDEX trips_open ON trips (id) WHERE is_open = 1",
        "CREATE INDEX trips_of_area ON trips (area, id)",
        "CREATE INDEX trips_by_status ON trips (status, id)",
        "CREATE INDEX trips_by_change ON trips (changed_at)",
        """
        CREATE INDEX trips_to_forget ON trips (changed_at) WHERE is_open = 0 AND is_forgotten = 0
        """,
        """
        CREATE TABLE favourite_trips (
            person TEXT NOT NULL,
            trip TEXT NOT NULL,
            added TEXT NOT NULL,
            PRIMARY KEY (person, trip))
        """,
        "CREATE UNIQUE INDEX favourite_trips_of_person ON favourite_trips (person, added)",
        "CREATE INDEX favourite_trips_of_trip ON favourite_trips (trip)")

    /// Schedules the routes that are straight lines: earlier releases did not while the router had no map.
    static let straightLines = Migration.addition(
        "trips-2",
        """
        INSERT INTO work (kind, subject, due_at, attempts)
        SELECT '\(CarpoolWork.way)', id, 0, 0 FROM trips
        WHERE is_open = 1 AND body LIKE '%"isStraightLine":true%'
        ON CONFLICT DO NOTHING
        """)

    /// Fires when a trip has changed.
    static let signal = "trips"

    let transaction: Transaction
}

/// A row that the search reads.
struct TripEntry: Sendable {
    let id: TripID
    let version: Int
    /// Nil if the trip is not open.
    let entry: Data?

    init(_ row: Row) throws {
        id = try row.get("id")
        version = try row.get("version")
        entry = try row.getIfPresent("entry")
    }
}

/// The filter of a list of trips.
struct TripFilter: Sendable {
    var driver: PersonID?
    var status: TripStatus?
    var area: ServiceAreaID?
}

extension TripStore {
    func find(_ id: TripID) throws -> TripRecord? { try tripTable.value(of: id, in: transaction) }

    func require(_ id: TripID) throws -> TripRecord {
        guard let found = try find(id) else { throw Refusal.tripUnknown }
        return found
    }

    /// Throws the same for a trip of another driver as for one that does not exist.
    func require(_ id: TripID, of driver: PersonID) throws -> TripRecord {
        let trip = try require(id)
        guard trip.driver == driver else { throw Refusal.tripUnknown }
        return trip
    }

    func insert(_ trip: TripRecord) throws {
        try tripTable.insert(trip, in: transaction)
        transaction.signal(TripStore.signal)
    }

    func update(_ trip: inout TripRecord, at now: Date) throws {
        guard trip.version.isChanged else { return }
        trip.changedAt = now
        try tripTable.update(&trip, in: transaction)
        transaction.signal(TripStore.signal)
    }

    func open(of driver: PersonID) throws -> [TripRecord] {
        try transaction.rows(
            "SELECT body FROM trips WHERE driver = ? AND is_open = 1 ORDER BY id", driver
        ).map { try $0.json() }
    }

    func countPublished(by driver: PersonID, since time: Date) throws -> Int {
        try transaction.row(
            "SELECT COUNT(*) AS count FROM trips WHERE driver = ? AND created_at >= ?", driver, time
        )?.get("count") ?? 0
    }

    /// Newest first.
    func list(_ filter: TripFilter, _ page: PageRequest) throws -> Page<TripRecord> {
        var conditions = Conditions()
        conditions.require("driver = ?", ifPresent: filter.driver)
        conditions.require("status = ?", ifPresent: filter.status?.rawValue)
        conditions.require("area = ?", ifPresent: filter.area)
        return try transaction.page(page, of: "trips", where: conditions)
    }

    func find(_ ids: some Collection<TripID>) throws -> [TripID: TripRecord] {
        guard !ids.isEmpty else { return [:] }
        let marks = transaction.marks(ids.count)
        let found: [TripRecord] = try transaction.rows(
            "SELECT body FROM trips WHERE id IN (\(marks))", arguments: ids.map { $0 }
        ).map { try $0.json() }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    // MARK: The search

    func openEntries(after id: TripID?, limit: Int) throws -> [TripEntry] {
        try transaction.rows(
            """
            SELECT id, version, entry FROM trips WHERE is_open = 1 AND id > ? ORDER BY id LIMIT ?
            """, id?.description ?? "", limit
        ).map(TripEntry.init)
    }

    func entries(changedSince time: Date) throws -> [TripEntry] {
        try transaction.rows(
            "SELECT id, version, entry FROM trips WHERE changed_at >= ? ORDER BY changed_at", time
        ).map(TripEntry.init)
    }
}

/// The trips that people keep as favourites.
struct FavouriteStore {
    let transaction: Transaction

    func contains(_ trip: TripID, of person: PersonID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM favourite_trips WHERE person = ? AND trip = ?", person, trip)
            != nil
    }

    func all(of person: PersonID) throws -> Set<TripID> {
        Set(
            try transaction.rows("SELECT trip FROM favourite_trips WHERE person = ?", person)
                .map { try $0.get("trip", as: TripID.self) })
    }

    func list(of person: PersonID, _ page: PageRequest) throws -> Page<TripRecord> {
        let found = try transaction.rows(
            """
            SELECT favourite_trips.added AS id, trips.body AS body
            FROM favourite_trips JOIN trips ON trips.id = favourite_trips.trip
            WHERE favourite_trips.person = ? AND favourite_trips.added < ?
            ORDER BY favourite_trips.added DESC LIMIT ?
            """, person, page.below(TripID.self), page.rows)
        return try page.page(of: found) { try $0.json() }
    }

    func add(_ trip: TripID, of person: PersonID, at now: Date) throws {
        try transaction.execute(
            """
            INSERT INTO favourite_trips (person, trip, added) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """, person, trip, TripID.new(at: now))
    }

    func remove(_ trip: TripID, of person: PersonID) throws {
        try transaction.execute(
            "DELETE FROM favourite_trips WHERE person = ? AND trip = ?", person, trip)
    }

    func forget(_ person: PersonID) throws {
        try transaction.execute("DELETE FROM favourite_trips WHERE person = ?", person)
    }
}
