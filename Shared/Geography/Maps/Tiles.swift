import Foundation
import Gzipping
import Store
import Threads

/// The address of a tile: `x` from the west, `y` from the north, 2^zoom of each (Web Mercator, EPSG:3857).
public struct TileAddress: Sendable, Hashable {
    /// The deepest zoom level of our maps' tiles; clients enlarge these for deeper levels.
    public static let mostZoom = 14

    public let zoom, x, y: Int

    /// Nil if there is no such tile.
    public init?(zoom: Int, x: Int, y: Int) {
        guard (0...Self.mostZoom).contains(zoom) else { return nil }
        let side = 0..<(1 << zoom)
        guard side.contains(x), side.contains(y) else { return nil }
        (self.zoom, self.x, self.y) = (zoom, x, y)
    }

    /// MBTiles counts rows from the south (github.com/mapbox/mbtiles-spec 1.3).
    var row: Int { (1 << zoom) - 1 - y }
}

/// A Mapbox vector tile, gzipped.
public struct Tile: Sendable, Hashable {
    public let bytes: Data
    /// The version of its map.
    public let version: String
}

/// The tiles of all maps. It finds maps that are added while it is in use.
public actor TileBook {
    /// Bytes before compression.
    private static let largestTile = 8 * 1_024 * 1_024

    private let executor = BlockingExecutor(label: "maps.tiles")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private var cache: OpenMapCache<SQLiteFile>

    public init(_ folder: MapFolder) {
        cache = OpenMapCache(folder) { try SQLiteFile(path: $0.tiles) }
    }

    /// The installed maps, sorted by name.
    public func maps() -> [(version: String, facts: MapFacts)] {
        cache.current().map { ($0.map.version, $0.facts) }
    }

    /// Nil outside all maps. Joins the tiles of overlapping maps.
    public func tile(_ address: TileAddress) throws -> Tile? {
        let tiles = try cache.current().compactMap { entry in
            try bytes(of: address, in: entry.book).map {
                Tile(bytes: $0, version: entry.map.version)
            }
        }
        guard tiles.count > 1 else { return tiles.first }
        let plain = tiles.compactMap { Gzip.expanded($0.bytes, most: Self.largestTile) }
        guard let joined = VectorTiles.joined(plain), let bytes = Gzip.compressed(joined) else {
            return tiles.first
        }
        return Tile(bytes: bytes, version: tiles.map(\.version).joined(separator: "-"))
    }

    private func bytes(of address: TileAddress, in file: SQLiteFile) throws -> Data? {
        try file.read { transaction in
            try transaction.row(
                """
                SELECT tile_data FROM tiles
                WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                """, address.zoom, address.x, address.row)?.get("tile_data")
        }
    }

    /// The number of tiles in a file. Throws if it isn't a file of tiles.
    public static func count(_ path: String) throws -> Int {
        try SQLiteFile(path: path).read { transaction in
            try transaction.row("SELECT COUNT(*) AS count FROM tiles")?.get("count") ?? 0
        }
    }
}
