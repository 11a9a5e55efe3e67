import Contracts
import Foundation
import ServiceKit
import Store

/// All versions of the tariffs of car parks, in SQL: a stay keeps the one that applied when it began.
struct TariffStore {
    static let migration = Migration.addition(
        "tariffs-1",
        """
        CREATE TABLE tariffs (
            car_park TEXT NOT NULL,
            version BIGINT NOT NULL,
            since BIGINT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (car_park, version))
        """)

    let transaction: Transaction
}

extension Transaction {
    var tariffs: TariffStore { TariffStore(transaction: self) }
}

extension TariffStore {
    /// The latest version; nil if there has never been one.
    func latest(of carPark: CarParkID) throws -> ParkingTariff? {
        try transaction.row(
            "SELECT body FROM tariffs WHERE car_park = ? ORDER BY version DESC LIMIT 1", carPark)?
            .json()
    }

    /// The latest version that has prices, for people to see.
    func published(of carPark: CarParkID) throws -> ParkingTariff? {
        try latest(of: carPark).flatMap { $0.rates.isEmpty ? nil : $0 }
    }

    /// The version that applied at a time; nil before the first one.
    func tariff(of carPark: CarParkID, at time: Date) throws -> ParkingTariff? {
        try transaction.row(
            """
            SELECT body FROM tariffs WHERE car_park = ? AND since <= ?
            ORDER BY version DESC LIMIT 1
            """, carPark, time)?.json()
    }

    /// The versions that applied when the vehicles of some stays entered.
    func tariffs(of stays: [ParkingSessionID]) throws -> [ParkingSessionID: ParkingTariff] {
        guard !stays.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT sessions.id AS id, tariffs.body AS body FROM sessions
                JOIN tariffs ON tariffs.car_park = sessions.car_park AND tariffs.version = (
                    SELECT MAX(version) FROM tariffs AS earlier
                    WHERE earlier.car_park = sessions.car_park
                        AND earlier.since <= sessions.entered_at)
            WHERE sessions.id IN (\(transaction.marks(stays.count)))
            """, arguments: stays)
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("id"), try $0.json()) })
    }

    /// The latest versions of some car parks that have prices.
    func published(of carParks: [CarParkID]) throws -> [CarParkID: ParkingTariff] {
        guard !carParks.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT tariffs.car_park, tariffs.body FROM tariffs
                JOIN (SELECT car_park, MAX(version) AS version FROM tariffs
                    WHERE car_park IN (\(transaction.marks(carParks.count))) GROUP BY car_park)
                    AS latest
                ON latest.car_park = tariffs.car_park AND latest.version = tariffs.version
            """, arguments: carParks)
        let latest: [CarParkID: ParkingTariff] = Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("car_park"), try $0.json()) })
        return latest.filter { !$0.value.rates.isEmpty }
    }

    /// Stores a version. Throws if somebody else has stored it first.
    func insert(_ tariff: ParkingTariff, of carPark: CarParkID, at now: Date) throws {
        let inserted = try transaction.execute(
            """
            INSERT INTO tariffs (car_park, version, since, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (car_park, version) DO NOTHING
            """, carPark, tariff.version, now, Wire.json(tariff))
        guard inserted == 1 else { throw LostRace() }
    }
}
