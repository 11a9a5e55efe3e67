import Store

/// Records in SQL which version of each map a service has imported.
public struct FollowedMaps: Sendable {
    private let table: String

    public init(_ table: String) { self.table = table }

    public var statement: String {
        "CREATE TABLE \(table) (map TEXT NOT NULL PRIMARY KEY, version TEXT NOT NULL)"
    }

    /// Imports maps that were added or changed, and removes data of maps that no longer exist, by the map's name.
    /// Throws if a map can't be read; the next call tries again.
    public func follow(
        _ folder: MapFolder, in database: Database, take: (InstalledMap) async throws -> Void,
        drop: (_ map: String) async throws -> Void
    ) async throws {
        guard let names = try folder.names() else { return }
        let known: [String: String] = try await database.read { transaction in
            try transaction.rows("SELECT map, version FROM \(table)").reduce(into: [:]) {
                $0[try $1.get("map")] = try $1.get("version", as: String.self)
            }
        }
        for map in folder.maps() where known[map.name] != map.version {
            try await take(map)
            try await database.write { transaction in
                try transaction.execute(
                    """
                    INSERT INTO \(table) (map, version) VALUES (?, ?)
                    ON CONFLICT (map) DO UPDATE SET version = excluded.version
                    """, map.name, map.version)
            }
        }
        for name in known.keys.sorted() where !names.contains(name) {
            try await drop(name)
            try await database.write { transaction in
                try transaction.execute("DELETE FROM \(table) WHERE map = ?", name)
            }
        }
    }
}
