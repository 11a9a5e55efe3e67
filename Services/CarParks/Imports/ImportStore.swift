import Contracts
import EventBus
import Foundation
import Geo
import Maps
import ServiceKit
import Store

/// Car parks as they were imported, in SQL. The next import compares with this, to tell its own changes from an
/// operator's.
struct ImportStore {
    /// `map` and `version` are empty for an operator's import.
    static let migration = Migration(
        "imports-1",
        """
        CREATE TABLE imports (
            source TEXT NOT NULL,
            map TEXT NOT NULL,
            version TEXT NOT NULL,
            car_park TEXT NOT NULL,
            is_gone BIGINT NOT NULL,
            was_open BIGINT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (source, map))
        """,
        "CREATE INDEX imports_of_map ON imports (map, version)",
        "CREATE INDEX imports_of_car_park ON imports (car_park)",
        "CREATE INDEX imports_gone ON imports (map) WHERE is_gone = 1",
        maps.statement)

    static let maps = FollowedMaps("imported_maps")

    let transaction: Transaction
}

/// One version of a map; empty for an operator's import.
struct ImportedMap: Sendable, Hashable {
    static let none = ImportedMap(name: "", version: "")

    let name, version: String
}

struct ImportRow: Sendable {
    let source: String
    let map: ImportedMap
    let carPark: CarParkID
    /// It is no longer on its map, and stays only while it is in use.
    let isGone: Bool
    /// Whether it was open until then.
    let wasOpen: Bool
    let body: CarParkBody

    fileprivate init(_ row: Row) throws {
        source = try row.get("source")
        map = ImportedMap(name: try row.get("map"), version: try row.get("version"))
        carPark = try row.get("car_park")
        isGone = try row.get("is_gone", as: Int.self) == 1
        wasOpen = try row.get("was_open", as: Int.self) == 1
        body = try row.json()
    }
}

extension Transaction {
    var imports: ImportStore { ImportStore(transaction: self) }
}

extension ImportStore {
    fileprivate func list(of source: String) throws -> [ImportRow] {
        try transaction.rows("SELECT * FROM imports WHERE source = ? ORDER BY map", source)
            .map(ImportRow.init)
    }

    func carPark(of source: String) throws -> CarParkID? {
        try list(of: source).first?.carPark
    }

    fileprivate func keep(
        _ feature: CarParkFeature, _ map: ImportedMap, as carPark: CarParkID
    ) throws {
        try transaction.execute(
            """
            INSERT INTO imports (source, map, version, car_park, is_gone, was_open, body)
            VALUES (?, ?, ?, ?, 0, 1, ?)
            ON CONFLICT (source, map) DO UPDATE SET
                version = excluded.version, car_park = excluded.car_park, is_gone = 0,
                body = excluded.body
            """, feature.source, map.name, map.version, carPark, Wire.json(feature.body))
    }

    // MARK: One by one

    enum ImportOutcome: Sendable { case added, changed, unchanged }

    /// Throws for an invalid feature before anything is written.
    func take(
        _ feature: CarParkFeature, of map: ImportedMap, _ seed: CarParkSeed?, at now: Date
    ) throws -> ImportOutcome {
        let rows = try list(of: feature.source)
        guard let known = rows.first(where: { $0.map.name == map.name }) ?? rows.first else {
            // A car park of ours, from our own export.
            if let id = CarParkID(feature.source), try transaction.carParks.find(id) != nil {
                try keep(feature, map, as: id)
                return .unchanged
            }
            let body = try seed?.applied(to: feature.body) ?? feature.body
            let record = try CarParkRecord(id: .new(at: now), body, .anyText)
            try transaction.carParks.keep(record, at: now)
            for product in seed?.products ?? [] {
                try transaction.carParks.keep(
                    ParkingProduct(
                        id: .new(at: now), try CarParkRules.checked(product), version: 1),
                    of: record.id)
            }
            try keep(feature, map, as: record.id)
            return .added
        }
        var outcome = ImportOutcome.unchanged
        // A car park that an operator has removed is not added again.
        if var carPark = try transaction.carParks.find(known.carPark) {
            let merged = try feature.body.merged(into: carPark.body, since: known.body)
            if merged != carPark.body || known.isGone {
                try carPark.change(to: merged, .anyText)
                if known.isGone { carPark.isOpen = known.wasOpen }
                try transaction.carParks.keep(carPark, at: now)
                outcome = .changed
            }
        }
        try keep(feature, map, as: known.carPark)
        return outcome
    }

    /// Keeps a car park unchanged whose feature is still on the map but is now invalid.
    func renew(_ source: String, of map: ImportedMap) throws {
        try transaction.execute(
            "UPDATE imports SET version = ? WHERE source = ? AND map = ?", map.version, source,
            map.name)
    }

    // MARK: Maps

    /// The car parks that are missing from this version of the map; all of them for a removed map, which has no
    /// version.
    func gone(from map: String, version: String?, after source: String, most: Int) throws
        -> [ImportRow]
    {
        try transaction.rows(
            """
            SELECT * FROM imports WHERE map = ? AND version <> ? AND source > ?
            ORDER BY source LIMIT ?
            """, map, version ?? "", source, most
        ).map(ImportRow.init)
    }

    /// Car parks to remove as soon as they are not in use.
    func gone(most: Int) throws -> [ImportRow] {
        try transaction.rows("SELECT * FROM imports WHERE is_gone = 1 ORDER BY map LIMIT ?", most)
            .map(ImportRow.init)
    }

    /// Removes a car park that is not on any map, or closes it while it is in use.
    func retire(_ gone: ImportRow, at now: Date) throws {
        let isElsewhere = try list(of: gone.source).contains { $0.map.name != gone.map.name }
        if !isElsewhere, var carPark = try transaction.carParks.find(gone.carPark) {
            guard try !transaction.carParks.isInUse(carPark.id) else {
                return try close(&carPark, gone, at: now)
            }
            try transaction.carParks.remove(carPark, at: now)
        }
        try transaction.execute(
            "DELETE FROM imports WHERE source = ? AND map = ?", gone.source, gone.map.name)
    }

    private func close(_ carPark: inout CarParkRecord, _ gone: ImportRow, at now: Date) throws {
        guard !gone.isGone else { return }
        try transaction.execute(
            "UPDATE imports SET is_gone = 1, was_open = ? WHERE source = ? AND map = ?",
            carPark.isOpen ? 1 : 0, gone.source, gone.map.name)
        guard carPark.isOpen else { return }
        carPark.isOpen = false
        carPark.version += 1
        try transaction.carParks.keep(carPark, at: now)
    }
}

extension CarParkBody {
    /// `current` with the fields that changed since the last import, except those that an operator has changed.
    func merged(into current: CarParkBody, since last: CarParkBody) throws -> CarParkBody {
        let (new, old) = (try Self.fields(self), try Self.fields(last))
        var fields = try Self.fields(current)
        for name in Set(new.keys).union(old.keys)
        where new[name] != old[name] && fields[name] == old[name] {
            fields[name] = new[name]
        }
        return try CarParkRules.checked(JSONValue.object(fields).decoded(), .anyText)
    }

    private static func fields(_ body: CarParkBody) throws -> [String: JSONValue] {
        try JSONValue(of: body).decoded()
    }
}
