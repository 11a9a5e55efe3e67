import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Service areas and every version of their tariffs in SQL.
let areaMigrations = [
    Standings.migration,
    Migration(
        "areas-1",
        """
        CREATE TABLE service_areas (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            tariff_version BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        """
        CREATE TABLE tariffs (
            area TEXT NOT NULL,
            version BIGINT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (area, version))
        """),
]

/// A service area as it is stored: the feature with its current tariff, and the version.
struct ServiceArea: Sendable {
    var feature: ServiceAreaFeature
    var tariff: Tariff
    var version: Int
    let id: ServiceAreaID

    init(_ id: ServiceAreaID, _ feature: ServiceAreaFeature, _ tariff: Tariff, version: Int) {
        var feature = feature
        feature.id = id
        feature.properties.id = id
        feature.properties.tariff = tariff
        self.id = id
        self.feature = feature
        self.tariff = tariff
        self.version = version
    }

    var changed: ServiceAreaChanged {
        ServiceAreaChanged(area: id, feature: feature, version: version)
    }
}

extension Transaction {
    var areas: AreaStore { AreaStore(transaction: self) }
}

/// Service areas, each with its tariff.
struct AreaStore {
    let transaction: Transaction

    /// By id, from the first one after an id.
    func all(after id: String = "", limit: Int = AreaRules.mostAreas) throws -> [ServiceArea] {
        try transaction.rows(
            """
            SELECT service_areas.id AS id, service_areas.version AS version,
                service_areas.body AS body, tariffs.body AS tariff
            FROM service_areas JOIN tariffs ON tariffs.area = service_areas.id
                AND tariffs.version = service_areas.tariff_version
            WHERE service_areas.id > ? ORDER BY service_areas.id LIMIT ?
            """, id, limit
        ).map(ServiceArea.init)
    }

    func find(_ id: ServiceAreaID) throws -> ServiceArea? {
        try transaction.row(
            """
            SELECT service_areas.id AS id, service_areas.version AS version,
                service_areas.body AS body, tariffs.body AS tariff
            FROM service_areas JOIN tariffs ON tariffs.area = service_areas.id
                AND tariffs.version = service_areas.tariff_version
            WHERE service_areas.id = ?
            """, id
        ).map(ServiceArea.init)
    }

    func versions() throws -> [ServiceAreaID: Int] {
        let rows = try transaction.rows(
            "SELECT id, version FROM service_areas LIMIT \(AreaRules.mostAreas)")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                (try row.get("id"), try row.get("version"))
            })
    }

    /// Stores the area as its next version, with the tariff if that is new, and publishes it.
    func keep(_ area: ServiceArea, at now: Date) throws {
        guard let tariffVersion = area.tariff.version else {
            throw StoreError(.other, "a tariff without version")
        }
        let body = try Wire.json(area.feature)
        try transaction.execute(
            "INSERT INTO tariffs (area, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            area.id, tariffVersion,
            Wire.json(area.tariff))
        let changed =
            area.version == 1
            ? try transaction.execute(
                """
                INSERT INTO service_areas (id, version, tariff_version, body)
                VALUES (?, ?, ?, ?)
                """, area.id, area.version, tariffVersion, body)
            : try transaction.execute(
                """
                UPDATE service_areas SET version = ?, tariff_version = ?, body = ?
                WHERE id = ? AND version = ?
                """, area.version, tariffVersion, body, area.id, area.version - 1)
        guard changed == 1 else { throw LostRace() }
        try transaction.publish(area.changed, at: now)
    }

    /// Records an operator's change in the transaction that makes it. Throws if the operator's account is deleted.
    ///
    /// The audit log and its readers know these actions under the name of orders, which owned areas earlier.
    func record(
        _ verb: String, _ area: ServiceAreaID, by person: OperatorID, at now: Date
    ) throws {
        try transaction.requireStanding(of: person.as(PersonID.self))
        try transaction.publish(
            OperatorActed(
                by: person, action: "orders.\(verb)", subject: area.description, reason: nil,
                actedAt: now),
            at: now)
    }
}

extension ServiceArea {
    fileprivate init(_ row: Row) throws {
        self.init(
            try row.get("id"), try row.json(),
            try row.json("tariff"), version: try row.get("version"))
    }
}
