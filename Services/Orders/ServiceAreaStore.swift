import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import Synchronization

/// Service areas and every version of their tariffs in SQL.
enum ServiceAreaStore {
    /// Areas that can exist at once.
    static let mostAreas = 1_000

    static let migrations = [
        Migration(
            "service-areas-1",
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
            """,
            """
            CREATE TABLE service_area_edits (
                area TEXT NOT NULL,
                version BIGINT NOT NULL,
                edited_by TEXT,
                edited_at BIGINT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (area, version))
            """),
        // What operators do is told as `OperatorActed` now.
        Migration("service-areas-2", "DROP TABLE service_area_edits"),
        Migration("service-areas-3", "ALTER TABLE service_areas ADD COLUMN offer_seconds BIGINT"),
    ]
}

/// A service area as it is stored: feature with the tariff in force, and version.
struct ServiceArea: Sendable {
    var feature: ServiceAreaFeature
    var tariff: Tariff
    var version: Int
    let id: ServiceAreaID

    var servicePoint: Place { feature.properties.servicePoint }

    fileprivate var offerSeconds: Int? {
        feature.properties.dispatch.flatMap { dispatch in
            switch dispatch.mode {
            case .direct: nil
            case .offer: dispatch.offerSeconds
            }
        }
    }

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
}

extension Transaction {
    func serviceAreas() throws -> [ServiceArea] {
        try rows(
            """
            SELECT service_areas.id AS id, service_areas.version AS version,
                service_areas.body AS body, tariffs.body AS tariff
            FROM service_areas JOIN tariffs ON tariffs.area = service_areas.id
                AND tariffs.version = service_areas.tariff_version
            ORDER BY service_areas.id LIMIT \(ServiceAreaStore.mostAreas)
            """
        ).map(ServiceArea.init)
    }

    func serviceArea(_ id: ServiceAreaID) throws -> ServiceArea? {
        try row(
            """
            SELECT service_areas.id AS id, service_areas.version AS version,
                service_areas.body AS body, tariffs.body AS tariff
            FROM service_areas JOIN tariffs ON tariffs.area = service_areas.id
                AND tariffs.version = service_areas.tariff_version
            WHERE service_areas.id = ?
            """, id
        ).map(ServiceArea.init)
    }

    /// How long a valet there may think about an offer; nil where jobs are assigned at once.
    func offerSeconds(in area: ServiceAreaID) throws -> Int? {
        try row("SELECT offer_seconds FROM service_areas WHERE id = ?", area)?
            .getIfPresent("offer_seconds")
    }

    func serviceAreaVersions() throws -> [ServiceAreaID: Int] {
        let rows = try rows(
            "SELECT id, version FROM service_areas LIMIT \(ServiceAreaStore.mostAreas)")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                (try row.get("id"), try row.get("version"))
            })
    }

    /// Stores the area as its next version, with the tariff if that is new, and tells everybody.
    func keep(_ area: ServiceArea, at now: Date) throws {
        guard let tariffVersion = area.tariff.version else {
            throw StoreError(.other, "a tariff without version")
        }
        let body = String(decoding: try Wire.encode(area.feature), as: UTF8.self)
        try execute(
            "INSERT INTO tariffs (area, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            area.id, tariffVersion,
            String(decoding: try Wire.encode(area.tariff), as: UTF8.self))
        let changed =
            area.version == 1
            ? try execute(
                """
                INSERT INTO service_areas (id, version, tariff_version, body, offer_seconds)
                VALUES (?, ?, ?, ?, ?)
                """, area.id, area.version, tariffVersion, body, area.offerSeconds)
            : try execute(
                """
                UPDATE service_areas
                SET version = ?, tariff_version = ?, body = ?, offer_seconds = ?
                WHERE id = ? AND version = ?
                """, area.version, tariffVersion, body, area.offerSeconds, area.id,
                area.version - 1)
        guard changed == 1 else { throw LostRace() }
        try publish(
            ServiceAreaChanged(area: area.id, feature: area.feature, version: area.version),
            at: now)
    }
}

extension ServiceArea {
    fileprivate init(_ row: Row) throws {
        func decode<T: Decodable>(_ column: String, _ type: T.Type) throws -> T {
            try Wire.decode(type, from: Data(try row.get(column, as: String.self).utf8))
        }
        self.init(
            try row.get("id"), try decode("body", ServiceAreaFeature.self),
            try decode("tariff", Tariff.self), version: try row.get("version"))
    }
}

/// Answers "which area is this point in" without reading a polygon twice.
final class ServiceAreaIndex: Sendable {
    private struct Entry {
        let area: ServiceArea
        let shape: Area
    }

    private let known = Mutex<[ServiceAreaID: Entry]>([:])

    /// The area of a point; of several, the first by name. Refuses with the nearest service point.
    func area(
        at point: Place, field: String, in transaction: Transaction
    ) throws -> ServiceArea {
        let entries = try entries(in: transaction)
        if let found = entries.first(where: { $0.shape.contains(point.coordinate) }) {
            return found.area
        }
        let nearest = entries.min { left, right in
            left.shape.distanceMeters(to: point.coordinate)
                < right.shape.distanceMeters(to: point.coordinate)
        }
        throw OrderError.outsideServiceArea(field: field, nearest: nearest?.area.servicePoint)
    }

    private func entries(in transaction: Transaction) throws -> [Entry] {
        let versions = try transaction.serviceAreaVersions()
        let kept = known.withLock { known in
            known.filter { versions[$0.key] == $0.value.area.version }
        }
        var entries = kept
        for id in versions.keys where kept[id] == nil {
            guard let area = try transaction.serviceArea(id) else { continue }
            entries[id] = Entry(area: area, shape: try Area(area.feature.geometry))
        }
        if entries.count != kept.count { known.withLock { $0 = entries } }
        return entries.values.sorted { $0.area.id.description < $1.area.id.description }
    }
}
