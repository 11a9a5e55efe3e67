import Contracts
import EventBus
import Foundation
import Geo
import Logging
import Maps
import ServiceKit
import Store

/// Imports vendors from the installation's maps and from operators' files.
///
/// One row has a file and its progress, so that the next process continues if one dies.
struct VendorImports: Sendable {
    /// How often the maps folder is checked; this takes a few system calls.
    static let interval: Duration = .seconds(2)
    /// Rows per transaction and per turn of work.
    private static let batch = 200
    private static let turn = 5_000
    static let mostRefused = 1_000
    static let mostListed = 20
    /// The kind of work that continues an import.
    static let work = "import-vendors"

    private static let maps = FollowedMaps("vendor_maps")
    static let migration = Migration(
        "vendor-imports-1", maps.statement,
        """
        CREATE TABLE vendor_imports (
            id TEXT NOT NULL PRIMARY KEY,
            is_running BIGINT NOT NULL,
            body TEXT NOT NULL,
            file BYTEA)
        """,
        "CREATE INDEX vendor_imports_running ON vendor_imports (id) WHERE is_running = 1")

    let vendors: VendorUseCases
    let logger: Logger

    private var database: Database { vendors.database }
    private var clock: ServiceClock { vendors.clock }

    // MARK: Files

    func begin(_ data: Data, name: String, by person: PersonID) async throws -> VendorImport {
        let name = try Check.text(name, "name", 1...100)
        // A large file takes seconds to read.
        try await database.read(Self.requireNoneRunning)
        let file = try VendorFile(data)
        let now = clock.now
        let begun = VendorImport(
            id: .new(at: now), name: name, rows: file.count, startedAt: now)
        return try await database.write { transaction in
            try transaction.record("places.import-vendors", name, by: person, at: now)
            try Self.requireNoneRunning(transaction)
            try transaction.execute(
                "INSERT INTO vendor_imports (id, is_running, body, file) VALUES (?, 1, ?, ?)",
                begun.id, Wire.json(begun), data)
            try transaction.schedule(Self.work, begun.id, at: now)
            return begun
        }
    }

    private static func requireNoneRunning(_ transaction: Transaction) throws {
        let running = try transaction.row(
            "SELECT id FROM vendor_imports WHERE is_running = 1 LIMIT 1")
        guard running == nil else { throw Refusal.vendorImportRunning }
    }

    func list() async throws -> Page<VendorImport> {
        Page(
            items: try await database.read { transaction in
                try transaction.rows(
                    "SELECT body FROM vendor_imports ORDER BY id DESC LIMIT ?", Self.mostListed
                ).map { row in
                    var known: VendorImport = try row.json()
                    known.refused = []
                    return known
                }
            })
    }

    func one(_ id: VendorImportID) async throws -> VendorImport {
        let row = try await database.read {
            try $0.row("SELECT body FROM vendor_imports WHERE id = ?", id)
        }
        guard let known: VendorImport = try row?.json() else { throw Refusal.vendorImportUnknown }
        return known
    }

    /// Handles one turn and schedules the next.
    func goOn(with id: VendorImportID) async throws {
        let row = try await database.read {
            try $0.row(
                "SELECT body, file FROM vendor_imports WHERE id = ? AND is_running = 1", id)
        }
        guard let row, let data: Data = try row.getIfPresent("file") else { return }
        var known: VendorImport = try row.json()
        let file = try VendorFile(data)
        let end = min(known.done + Self.turn, file.count)
        while known.done < end {
            let part = file.rows(known.done..<min(known.done + Self.batch, end))
            let before = known
            known = try await take(part, of: before)
        }
        let (last, now) = (known, clock.now)
        try await database.write { transaction in
            guard last.done == file.count else {
                return try transaction.schedule(Self.work, id, at: now)
            }
            var ended = last
            ended.status = Open(.done)
            try transaction.execute(
                "UPDATE vendor_imports SET is_running = 0, body = ?, file = NULL WHERE id = ?",
                Wire.json(ended), id)
        }
    }

    private func take(
        _ rows: [(line: Int, row: VendorFile.Row)], of known: VendorImport
    ) async throws -> VendorImport {
        let completed = await complete(rows)
        let (now, source) = (clock.now, "file:\(known.name)")
        return try await database.write { transaction in
            var next = known
            next.done += rows.count
            for (line, row) in completed {
                switch row {
                case .leftOut: next.unchanged += 1
                case .refused(let field, let detail):
                    next.refusedCount += 1
                    guard next.refused.count < Self.mostRefused else { continue }
                    next.refused.append(.init(line: line, field: field, detail: detail))
                case .vendor(let vendor):
                    switch try transaction.vendors.take(
                        vendor, as: "\(source)/\(vendor.source)", from: source, at: now)
                    {
                    case .added: next.added += 1
                    case .changed: next.changed += 1
                    case .unchanged: next.unchanged += 1
                    }
                }
            }
            // A turn only counts from where it began, so a repeated turn counts once.
            let row = try transaction.row(
                "SELECT body FROM vendor_imports WHERE id = ?", known.id)
            guard let stored: VendorImport = try row?.json(), stored.done == known.done else {
                throw LostRace()
            }
            try transaction.execute(
                "UPDATE vendor_imports SET body = ? WHERE id = ?", Wire.json(next), known.id)
            return next
        }
    }

    /// Adds the map's addresses and time zones.
    private func complete(
        _ rows: [(line: Int, row: VendorFile.Row)]
    ) async -> [(line: Int, row: VendorFile.Row)] {
        var completed = rows
        // Many rows may be at one place, whose address is looked up once.
        var addresses: [Coordinate: String?] = [:]
        for (index, row) in rows.enumerated() {
            guard case .vendor(let vendor) = row.row else { continue }
            var body = vendor.body
            if body.address == nil, let known = addresses[body.position] {
                body.address = known
                body = vendors.zoned(body)
            } else {
                body = await vendors.completed(body)
                if vendor.body.address == nil {
                    addresses.updateValue(body.address, forKey: body.position)
                }
            }
            completed[index].row = .vendor(FileVendor(source: vendor.source, body: body))
        }
        return completed
    }

    // MARK: Maps

    /// Imports added and changed vendors of maps, and removes those that are on no map any more.
    func follow(_ folder: MapFolder) async throws {
        try await Self.maps.follow(folder, in: database, take: take) {
            try await retire(from: $0, version: nil)
        }
    }

    private func take(_ map: InstalledMap) async throws {
        guard FileManager.default.fileExists(atPath: map.vendors) else { return }
        let file = try Data(contentsOf: URL(filePath: map.vendors), options: .mappedIfSafe)
        var lines = file.split(separator: UInt8(ascii: "\n"))[...]
        var counts = (added: 0, changed: 0)
        while !lines.isEmpty {
            let rows = lines.prefix(Self.batch).map { line in
                (
                    line: 0,
                    row: (try? Wire.decode(JSONValue.self, from: line)).map(VendorFile.Row.init)
                        ?? .leftOut
                )
            }
            lines = lines.dropFirst(Self.batch)
            let (completed, now) = (await complete(rows), clock.now)
            let done = try await database.write { transaction in
                var done = (added: 0, changed: 0)
                for case .vendor(let vendor) in completed.map(\.row) {
                    switch try transaction.vendors.take(
                        vendor, as: "osm:\(vendor.source)", from: "osm", of: map, at: now)
                    {
                    case .added: done.added += 1
                    case .changed: done.changed += 1
                    case .unchanged: break
                    }
                }
                return done
            }
            counts.added += done.added
            counts.changed += done.changed
        }
        try await retire(from: map.name, version: map.version)
        logger.notice(
            "imported the vendors of a map",
            metadata: [
                "map": "\(map.name)", "added": "\(counts.added)", "changed": "\(counts.changed)",
            ])
    }

    private func retire(from map: String, version: String?) async throws {
        while try await database.write({
            try $0.vendors.retire(from: map, version: version, most: Self.batch)
        }) {}
    }
}

extension VendorStore {
    fileprivate enum ImportOutcome { case added, changed, unchanged }

    /// Updates the vendor imported from the same source, or adds a new one.
    fileprivate func take(
        _ vendor: FileVendor, as source: String, from origin: String, of map: InstalledMap? = nil,
        at now: Date
    ) throws -> ImportOutcome {
        let outcome: ImportOutcome
        let kept: VendorID
        if var known = try find(importedAs: source) {
            kept = known.id
            outcome =
                try known.change(to: vendor.body, by: .imported(origin), at: now)
                ? .changed : .unchanged
            if outcome == .changed { try vendorTable.update(&known, in: transaction) }
        } else {
            let new = VendorRecord(
                id: .new(at: now), vendor.body, source: .imported(origin), at: now)
            try vendorTable.insert(new, in: transaction)
            (kept, outcome) = (new.id, .added)
        }
        try keep(source: source, of: kept, map: map?.name ?? "", version: map?.version ?? "")
        return outcome
    }
}
