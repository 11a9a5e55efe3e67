import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Full car parks that people watch for a free space. A watch notifies its owner once and then ends. People who wait
/// for any parking nearby are notified by `ParkingFreed`.
///
/// Every change that may take or free a space schedules a check of the car park in its own transaction. So no change is
/// missed, and nobody is notified too early.
struct WatchedCarParks: Sendable {
    static let migration = Migration(
        "watches-1",
        """
        CREATE TABLE watches (
            person TEXT NOT NULL,
            car_park TEXT NOT NULL,
            kind TEXT NOT NULL,
            since BIGINT NOT NULL,
            PRIMARY KEY (person, car_park, kind))
        """,
        "CREATE INDEX watches_of_car_park ON watches (car_park, kind, since)",
        // The car parks without a free general space at the last check.
        "CREATE TABLE full_car_parks (car_park TEXT NOT NULL PRIMARY KEY)")
    static let most = 20
    /// Work: checks whether a car park has a free space.
    static let look = "space-free"

    let database: Database
    let clock: ServiceClock

    func list(of person: PersonID) async throws -> Page<WatchedCarPark> {
        Page(items: try await database.read { try $0.watches.list(of: person) })
    }

    func watch(
        _ id: CarParkID, _ kind: SpaceClass, by person: PersonID
    ) async throws -> WatchedCarPark {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            let carPark = try transaction.carParks.require(id)
            let watched = try transaction.watches.list(of: person)
            if let known = watched.first(where: { $0.carPark.id == id && $0.kind == kind }) {
                return known
            }
            guard try transaction.watches.free(of: kind, in: carPark, at: now) == 0 else {
                throw Refusal.carParkNotFull
            }
            guard watched.count < Self.most else {
                throw Refusal.tooManyWatchedCarParks.because("The limit is \(Self.most).")
            }
            try transaction.execute(
                "INSERT INTO watches (person, car_park, kind, since) VALUES (?, ?, ?, ?)", person,
                id, kind, now)
            return WatchedCarPark(carPark: carPark.place, kind: kind, since: now)
        }
    }

    /// Does nothing if it is not watched.
    func unwatch(_ id: CarParkID, _ kind: SpaceClass, by person: PersonID) async throws {
        try await database.write { transaction in
            _ = try transaction.carParks.require(id)
            try transaction.execute(
                "DELETE FROM watches WHERE person = ? AND car_park = ? AND kind = ?", person, id,
                kind)
        }
    }

    /// Notifies people who watch a space that is free now, a limited number per transaction.
    func look(at id: CarParkID) async throws {
        let now = clock.now
        let watched = try await database.write { transaction in
            try transaction.watches.follow(id, at: now)
            return try transaction.watches.kinds(of: id)
        }
        for kind in watched {
            while try await database.write({ try $0.watches.tell(of: id, kind, at: now) }) {}
        }
    }
}

extension Transaction {
    var watches: WatchStore { WatchStore(transaction: self) }
}

/// Watches of car parks, and the car parks that were full at the last check.
struct WatchStore {
    let transaction: Transaction

    func list(of person: PersonID) throws -> [WatchedCarPark] {
        try transaction.rows(
            "SELECT car_park, kind, since FROM watches WHERE person = ? ORDER BY since, car_park",
            person
        ).compactMap { row in
            try transaction.carParks.find(try row.get("car_park")).map {
                WatchedCarPark(
                    carPark: $0.place, kind: try row.get("kind"), since: try row.get("since"))
            }
        }
    }

    /// Schedules a check after a space may have been taken or freed.
    func spacesChanged(in carPark: CarParkID) throws {
        try transaction.schedule(WatchedCarParks.look, carPark, at: .distantPast)
    }

    /// Records that a car park is full, and publishes `ParkingFreed` when it isn't any more.
    fileprivate func follow(_ id: CarParkID, at now: Date) throws {
        guard let carPark = try transaction.carParks.find(id),
            let free = try free(of: .general, in: carPark, at: now)
        else { return }
        if free == 0 {
            try transaction.execute(
                "INSERT INTO full_car_parks (car_park) VALUES (?) ON CONFLICT DO NOTHING", id)
        } else if carPark.isOpen,
            try transaction.execute("DELETE FROM full_car_parks WHERE car_park = ?", id) == 1
        {
            try transaction.publish(
                ParkingFreed(
                    subject: id.description, name: carPark.body.name,
                    position: carPark.body.position,
                    price: try transaction.carParks.hourlyPrice(of: .general, in: carPark),
                    freedAt: now, state: carPark.subjectState), at: now)
        }
    }

    fileprivate func kinds(of id: CarParkID) throws -> [SpaceClass] {
        try transaction.rows("SELECT DISTINCT kind FROM watches WHERE car_park = ?", id).map {
            try $0.get("kind")
        }
    }

    func forget(of person: PersonID) throws {
        try transaction.execute("DELETE FROM watches WHERE person = ?", person)
    }

    fileprivate func free(
        of kind: SpaceClass, in carPark: CarParkRecord, at now: Date
    ) throws -> Int? {
        try transaction.carParks.liveSpaces(of: [carPark], at: now)[carPark.id]?.first {
            $0.kind == kind
        }?.free
    }

    /// Returns whether there may be more people to notify.
    fileprivate func tell(
        of id: CarParkID, _ kind: SpaceClass, at now: Date
    ) throws -> Bool {
        let watchers = try transaction.rows(
            "SELECT person FROM watches WHERE car_park = ? AND kind = ? ORDER BY since LIMIT ?",
            id, kind, Notice.mostMessages
        ).map { try $0.get("person", as: PersonID.self) }
        guard !watchers.isEmpty else { return false }
        guard let carPark = try transaction.carParks.find(id) else {
            try transaction.execute("DELETE FROM watches WHERE car_park = ?", id)
            return false
        }
        guard carPark.isOpen, let free = try free(of: kind, in: carPark, at: now), free > 0 else {
            return false
        }
        for person in watchers {
            try transaction.execute(
                "DELETE FROM watches WHERE person = ? AND car_park = ? AND kind = ?", person, id,
                kind)
        }
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: id.description, state: carPark.subjectState,
                    cause: CarParkChanged.self,
                    watchers.map {
                        CarParkNotices.words.message(
                            to: .person($0), "space-free", ["name": .text(carPark.body.name)],
                            push: .now)
                    })), at: now)
        return true
    }
}

extension CarParkRecord {
    fileprivate var subjectState: SubjectState {
        SubjectState(
            product: .parking, kind: "carPark", version: version, link: "/park/\(id)",
            data: .object(["id": .text(id.description)]), about: [])
    }
}
