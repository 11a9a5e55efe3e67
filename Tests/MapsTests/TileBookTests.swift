import Contracts
import Foundation
import Gzipping
import Store
import Support
import Testing

@testable import Maps

/// Tiles of maps that lie side by side, written here.
@Suite struct TileBookTests {
    private let folder: TestFolder
    private var maps: MapFolder { MapFolder(folder.path) }
    private let address = TileAddress(zoom: 1, x: 0, y: 0)

    init() throws { folder = try TestFolder("tiles") }

    /// A length and a field's number before some bytes, all of them short.
    private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(content.count)] + content
    }

    private func layer(_ name: String, _ tags: [(key: String, value: String)]) -> [UInt8] {
        let features = tags.indices.flatMap { index in
            field(2, [0x18, 1] + field(2, [UInt8(index), UInt8(index)]))
        }
        return field(
            3,
            [0x78, 2] + field(1, Array(name.utf8)) + features
                + tags.flatMap { field(3, Array($0.key.utf8)) }
                + tags.flatMap { field(4, field(1, Array($0.value.utf8))) } + [0x28, 0x80, 0x20])
    }

    private func add(_ name: String, _ tile: [UInt8]) throws {
        let path = "\(maps.madeFolder)/\(name)-1"
        let facts = MapFacts(
            name: name, bounds: .init(south: 0, west: 0, north: 1, east: 1), extractedAt: nil,
            addedAt: Date(), counts: .init())
        try folder.write(
            String(decoding: try Wire.encode(facts), as: UTF8.self),
            to: ".made/\(name)-1/map.json")
        let padded = tile + field(9, Array(repeating: 0, count: 100))
        let bytes = try #require(Gzip.compressed(Data(padded)))
        try SQLiteFile.make("\(path)/tiles.mbtiles") { transaction in
            try transaction.execute(
                """
                CREATE TABLE tiles (
                    zoom_level integer, tile_column integer, tile_row integer, tile_data blob)
                """)
            try transaction.execute("INSERT INTO tiles VALUES (1, 0, 1, ?)", bytes)
        }
        try maps.point(name, to: "\(name)-1")
    }

    @Test func whereMapsOverlapTheirTilesAreJoined() async throws {
        let address = try #require(address)
        try add(
            "east",
            layer("roads", [("name", "East Road"), ("kind", "street")]) + layer("water", []))
        try add(
            "west",
            layer("roads", [("kind", "lane"), ("name", "West Lane")])
                + layer("parks", [("name", "Green")]))
        let book = TileBook(maps)
        let tile = try #require(try await book.tile(address))
        #expect(tile.version == "east-1-west-1")
        let plain = try #require(Gzip.expanded(tile.bytes, most: 10_000))
        #expect(plain.ranges(of: Data("roads".utf8)).count == 1, "a layer is there once")
        let features = try VectorTile(gzipped: tile.bytes).features
        #expect(
            features == [
                "roads": [
                    ["name": "East Road"], ["kind": "street"], ["kind": "lane"],
                    ["name": "West Lane"],
                ], "water": [], "parks": [["name": "Green"]],
            ])
        #expect(Gzip.expanded(tile.bytes, most: plain.count - 1) == nil)
    }

    @Test func oneThatCantBeReadIsNotThereAndTheOthersAre() async throws {
        let address = try #require(address)
        try add("east", layer("roads", [("name", "East Road")]))
        try folder.write("{", to: ".made/broken-1/map.json")
        try maps.point("broken", to: "broken-1")
        // Links that lead elsewhere are none of ours.
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/other", withDestinationPath: "/etc")
        let book = TileBook(maps)
        #expect(try await book.tile(address)?.version == "east-1")
        #expect(await book.maps().map(\.version) == ["east-1"])
        #expect(try await book.tile(#require(TileAddress(zoom: 1, x: 1, y: 0))) == nil)
    }

    @Test(arguments: [[0xFF], [0x1A, 0x05, 0x00], [0x1A, 0x01, 0x0B], [0x1A, 0x02, 0x12, 0x7F]])
    func whatIsNoTileIsNotJoined(bytes: [UInt8]) {
        #expect(VectorTiles.joined([Data(bytes), Data(bytes)]) == nil)
    }

    @Test(arguments: [(-1, 0, 0), (15, 0, 0), (0, 1, 0), (2, 4, 0), (2, 0, 4), (2, -1, 0)])
    func squaresThatAreNotThereHaveNoAddress(zoom: Int, x: Int, y: Int) {
        #expect(TileAddress(zoom: zoom, x: x, y: y) == nil)
    }
}
