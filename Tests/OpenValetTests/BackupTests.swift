import Foundation
import Maps
import Store
import Support
import Testing

@testable import OpenValet

struct BackupTests {
    private let place: TestFolder
    private var data: String { "\(place.path)/data" }
    private var copy: String { "\(place.path)/copy" }
    private var restored: String { "\(place.path)/restored" }

    private static let schema = Migration(
        "1", "CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY)")

    init() throws {
        place = try TestFolder(
            "backup",
            [
                "data/service-secret": "secret", "data/up.lock": "", "data/bus-checkpoint": "now",
                "data/redis/redis.pid": "1", "data/router/valhalla.json": "{}",
                "data/maps/.made/malta-1/map.json": "{}",
                "data/redis/appendonlydir/appendonly.aof.manifest": "log",
                "data/blobs/plates/a/b.jpg": "picture",
            ])
        chmod("\(data)/service-secret", 0o600)
        try MapFolder("\(data)/maps").point("malta", to: "malta-1")
    }

    private func database(_ name: String, in folder: String) throws -> Database {
        try Database(.file("\(folder)/\(name).sqlite"), migrations: [Self.schema])
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    private func things(_ database: Database) async throws -> Int {
        try await database.read { try $0.row("SELECT COUNT(*) AS n FROM things")?.get("n") ?? 0 }
    }

    @Test func whatIsRestoredIsWhatWasThereAtOneMoment() async throws {
        let (orders, payments) = (
            try database("orders", in: data), try database("payments", in: data)
        )
        // Each number is first in the one, then in the other.
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                for database in [orders, payments] {
                    try await database.write { [number] in
                        try $0.execute("INSERT INTO things (id) VALUES (?)", number)
                    }
                }
            }
        }
        #expect(try await eventually { try await things(payments) > 20 })
        try Backup.copy(data, to: copy)
        writer.cancel()
        try await writer.value
        try Backup.restore(copy, to: restored)

        let counts = (
            try await things(try database("orders", in: restored)),
            try await things(try database("payments", in: restored))
        )
        #expect(counts.1 > 20)
        #expect([0, 1].contains(counts.0 - counts.1), "\(counts)")
        for (file, text) in [
            ("blobs/plates/a/b.jpg", "picture"), ("maps/malta/map.json", "{}"),
            ("redis/appendonlydir/appendonly.aof.manifest", "log"),
        ] {
            #expect(try String(contentsOfFile: "\(restored)/\(file)", encoding: .utf8) == text)
        }
        #expect(MapFolder("\(restored)/maps").maps().map(\.version) == ["malta-1"])
        #expect(try mode(restored) == 0o700)
        #expect(try mode("\(restored)/service-secret") == 0o600)
        #expect(try mode("\(restored)/orders.sqlite") == 0o600)
        for name in ["up.lock", "bus-checkpoint", "redis/redis.pid", "router"] {
            #expect(!FileManager.default.fileExists(atPath: "\(restored)/\(name)"))
        }
    }

    @Test func nothingIsOverwritten() throws {
        try Backup.copy(data, to: copy)
        #expect(throws: ToolError.self) { try Backup.copy(data, to: copy) }
        #expect(throws: ToolError.self) { try Backup.restore(copy, to: data) }
        #expect(try String(contentsOfFile: "\(data)/bus-checkpoint", encoding: .utf8) == "now")
    }

    @Test func aFolderThatIsNoneOfOursIsRefused() {
        #expect(throws: ToolError.self) { try Backup.copy("\(place.path)/none", to: copy) }
        #expect(throws: ToolError.self) { try Backup.restore("\(data)/blobs", to: restored) }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }
}
