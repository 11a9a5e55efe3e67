import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

let vendorTable = DocumentTable<VendorRecord>("vendors")

extension Transaction {
    var vendors: VendorStore { VendorStore(transaction: self) }
}

/// Vendors in SQL, with the sources that identify them in imports.
struct VendorStore {
    static let migration = Migration(
        "vendors-1",
        """
        CREATE TABLE vendors (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            latitude DOUBLE PRECISION NOT NULL,
            longitude DOUBLE PRECISION NOT NULL,
            kind TEXT NOT NULL,
            words TEXT NOT NULL,
            is_shown BIGINT NOT NULL,
            is_removed BIGINT NOT NULL,
            duplicate_of TEXT,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX vendors_of_duplicate ON vendors (duplicate_of) WHERE duplicate_of IS NOT NULL",
        "CREATE INDEX vendors_by_place ON vendors (latitude, longitude) WHERE is_shown = 1",
        """
        CREATE TABLE vendor_sources (
            source TEXT NOT NULL,
            map TEXT NOT NULL,
            version TEXT NOT NULL,
            vendor TEXT NOT NULL,
            PRIMARY KEY (source, map))
        """,
        "CREATE INDEX vendor_sources_of_map ON vendor_sources (map, version)",
        """
        CREATE TABLE saved_vendors (
            person TEXT NOT NULL,
            vendor TEXT NOT NULL,
            saved_at BIGINT NOT NULL,
            PRIMARY KEY (person, vendor))
        """,
        """
        CREATE TABLE vendor_suggestions (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT,
            vendor TEXT NOT NULL,
            status TEXT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX vendor_suggestions_by_status ON vendor_suggestions (status, id)",
        "CREATE INDEX vendor_suggestions_of_person ON vendor_suggestions (person, status)")

    let transaction: Transaction

    /// Throws if the vendor never existed or was removed.
    func require(_ id: VendorID) throws -> VendorRecord {
        guard let vendor = try vendorTable.value(of: id, in: transaction), !vendor.isRemoved else {
            throw Refusal.vendorUnknown
        }
        return vendor
    }

    func all(_ ids: [VendorID]) throws -> [VendorRecord] {
        guard !ids.isEmpty else { return [] }
        return try transaction.rows(
            "SELECT body FROM vendors WHERE id IN (\(transaction.marks(ids.count)))", arguments: ids
        ).map { try $0.json() }
    }

    /// Visible vendors in the boxes, nearest first by distance on a plane around the point.
    func keys(
        in boxes: [BoundingBox], around point: Coordinate, kinds: Set<VendorKind>, words: String?,
        most: Int
    ) throws -> [KnownVendors.Key] {
        var conditions = Conditions("is_shown = 1")
        conditions.require(in: boxes)
        if !kinds.isEmpty {
            conditions.require(
                "kind IN (\(transaction.marks(kinds.count)))",
                arguments: kinds.map(\.rawValue).sorted())
        }
        conditions.require(words: words, in: "words")
        let scale = cos(point.latitude * .pi / 180)
        let order: [(any SQLConvertible)?] = [
            point.latitude, point.latitude, point.longitude, scale, point.longitude, scale,
        ]
        return try transaction.rows(
            """
            SELECT id, version FROM vendors \(conditions.where)
            ORDER BY (latitude - ?) * (latitude - ?)
                + (longitude - ?) * ? * (longitude - ?) * ?, id LIMIT ?
            """, arguments: conditions.arguments + order + [most]
        ).map { KnownVendors.Key(id: try $0.get("id"), version: try $0.get("version")) }
    }

    /// All except removed ones, newest first.
    func all(kind: VendorKind?, words: String?, _ page: PageRequest) throws -> [VendorRecord] {
        var conditions = Conditions("is_removed = 0 AND id < ?", try page.below(VendorID.self))
        conditions.require("kind = ?", ifPresent: kind?.rawValue)
        conditions.require(words: words, in: "words")
        return try transaction.rows(
            "SELECT body FROM vendors \(conditions.where) ORDER BY id DESC LIMIT ?",
            arguments: conditions.arguments + [page.rows]
        ).map { try $0.json() }
    }

    /// Names and places of visible vendors, in order of their ids.
    func namedPlaces(
        after id: VendorID?, _ most: Int
    ) throws -> [VendorDuplicates.NamedPlace] {
        struct Named: Decodable {
            struct Body: Decodable { let name: String }
            let body: Body
        }
        return try transaction.rows(
            """
            SELECT id, latitude, longitude, body FROM vendors
            WHERE is_shown = 1 AND id > ? ORDER BY id LIMIT ?
            """, id?.description ?? "", most
        ).map { row in
            VendorDuplicates.NamedPlace(
                id: try row.get("id"),
                position: Coordinate(
                    latitude: try row.get("latitude"), longitude: try row.get("longitude")),
                name: try row.json(as: Named.self).body.name)
        }
    }

    // MARK: Sources

    func find(importedAs source: String) throws -> VendorRecord? {
        let row = try transaction.row(
            "SELECT vendor FROM vendor_sources WHERE source = ? ORDER BY map LIMIT 1", source)
        return try row.flatMap { try vendorTable.value(of: try $0.get("vendor"), in: transaction) }
    }

    /// `map` and `version` are those of the vendor's map; empty for a file.
    func keep(source: String, of vendor: VendorID, map: String, version: String) throws {
        try transaction.execute(
            """
            INSERT INTO vendor_sources (source, map, version, vendor) VALUES (?, ?, ?, ?)
            ON CONFLICT (source, map) DO UPDATE SET
                version = excluded.version, vendor = excluded.vendor
            """, source, map, version, vendor)
    }

    /// Drops up to `most` sources of a map's other versions, or of a map that no longer exists, with their vendors;
    /// false if none were left. Vendors also on another map, confirmed by a person or marked as removed stay.
    func retire(from map: String, version: String?, most: Int) throws -> Bool {
        let gone = try transaction.rows(
            """
            SELECT source, vendor FROM vendor_sources WHERE map = ? AND version <> ?
            ORDER BY source LIMIT ?
            """, map, version ?? "", most)
        for row in gone {
            let source: String = try row.get("source")
            try transaction.execute(
                "DELETE FROM vendor_sources WHERE source = ? AND map = ?", source, map)
            guard try find(importedAs: source) == nil,
                let vendor = try vendorTable.value(of: try row.get("vendor"), in: transaction)
            else { continue }
            if vendor.isRemoved || vendor.confirmedBy != nil {
                try keep(source: source, of: vendor.id, map: "", version: "")
            } else {
                try erase(vendor.id)
            }
        }
        return !gone.isEmpty
    }

    /// Shows vendors again that were hidden as duplicates of this one.
    func showDuplicates(of vendor: VendorID) throws {
        let duplicates: [VendorRecord] = try transaction.rows(
            "SELECT body FROM vendors WHERE duplicate_of = ?", vendor
        ).map { try $0.json() }
        for var duplicate in duplicates {
            duplicate.duplicateOf = nil
            duplicate.version.advance()
            try vendorTable.update(&duplicate, in: transaction)
        }
    }

    private func erase(_ vendor: VendorID) throws {
        try showDuplicates(of: vendor)
        for table in ["saved_vendors", "vendor_suggestions"] {
            try transaction.execute("DELETE FROM \(table) WHERE vendor = ?", vendor)
        }
        try transaction.execute("DELETE FROM vendors WHERE id = ?", vendor)
    }
}

typealias KnownVendors = KnownVersions<VendorID, VendorRecord>
