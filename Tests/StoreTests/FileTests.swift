import Foundation
import Support
import Testing

@testable import Store

@Suite struct FileTests {
    @Test func aReadChangesNothing() async throws {
        try await withFile { path in
            let database = try Database(.file(path), migrations: [schema])
            let refused = try await kind {
                try await database.read { try $0.execute("INSERT INTO things (id) VALUES ('a')") }
            }
            #expect(refused == .other)
            #expect(try await database.ids() == [])
        }
    }

    @Test func aFileAndItsFolderAreMadeAndSurvive() async throws {
        try await withFile { path in
            let first = try Database(.file(path), migrations: [schema])
            try await first.add("a")
            try await first.close()
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            let attributes = try FileManager.default.attributesOfItem(atPath: folder)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            let second = try Database(.file(path), migrations: [schema])
            #expect(try await second.ids() == ["a"])
        }
    }

    @Test func whatWasCommittedSurvivesWithoutAClose() async throws {
        try await withFile { path in
            let first = try Database(.file(path), migrations: [schema])
            try await first.add("a")
            let copy = path + ".copy"
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            let second = try Database(.file(copy), migrations: [schema])
            #expect(try await second.ids() == ["a"])
        }
    }

    @Test func closingFoldsTheLogIntoTheFile() async throws {
        try await withFile { path in
            let database = try Database(.file(path), migrations: [schema])
            try await database.add("a")
            try await database.close()
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
            #expect((log?[.size] as? Int ?? 0) == 0)
        }
    }

    @Test func eachCommitIsForcedToTheDisk() async throws {
        try await withFile { path in
            let database = try Database(.file(path), migrations: [schema])
            let row = try await database.write { transaction in
                try transaction.row(
                    """
                    SELECT s.synchronous AS synchronous, j.journal_mode AS mode
                    FROM pragma_synchronous s, pragma_journal_mode j
                    """)
            }
            #expect(try row?.get("synchronous") == 2)
            #expect(try row?.get("mode") == "wal")
        }
    }

    @Test func readersDoNotWaitForTheWriter() async throws {
        try await withFile { path in
            let database = try Database(.file(path), migrations: [schema])
            try await database.add("a")
            let ids = try await database.whileHeld { try await database.ids() }
            #expect(ids == ["a"])
        }
    }

    @Test func manyWritersAndReadersAtOnceLoseNothing() async throws {
        try await withFile { path in
            let database = try Database(.file(path), migrations: [schema])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<50 {
                    group.addTask {
                        for number in 0..<20 {
                            try await database.add("\(writer)-\(number)")
                            _ = try await database.read { try $0.row("SELECT 1 FROM things") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await database.close()
            let again = try Database(.file(path), migrations: [schema])
            #expect(try await again.ids().count == 1_000)
        }
    }

    @Test func aPathThatCannotBeOpenedIsAnError() {
        #expect(throws: (any Error).self) {
            try Database(.file("/dev/null/things.sqlite"), migrations: [])
        }
    }
}

@Suite struct MigrationTests {
    let next = Migration("things-2", "ALTER TABLE things ADD COLUMN colour TEXT")

    @Test func eachIsAppliedOnce() async throws {
        try await withFile { path in
            try await Database(.file(path), migrations: [schema]).close()
            for _ in 0..<2 {
                let database = try Database(.file(path), migrations: [schema, next])
                _ = try await database.read { try $0.rows("SELECT colour FROM things") }
                try await database.close()
            }
        }
    }

    @Test func oneThatCameBeforeOthersIsAppliedLate() async throws {
        try await withFile { path in
            try await Database(.file(path), migrations: [schema]).close()
            let shared = Migration("shared-1", "CREATE TABLE shared (id TEXT)")
            let database = try Database(.file(path), migrations: [shared, schema])
            #expect(try await database.read { try $0.rows("SELECT id FROM shared") }.isEmpty)
        }
    }

    @Test func aDatabaseOfANewerVersionIsRefused() async throws {
        try await withFile { path in
            try await Database(.file(path), migrations: [schema, next]).close()
            let error = #expect(throws: StoreError.self) {
                try Database(.file(path), migrations: [schema])
            }
            #expect(error?.message == "the database is of a newer version: things-2")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func aDatabaseWithAdditionsOfANewerReleaseIsOpened(_ engine: TestEngine) async throws {
        let addition = Migration.addition(
            "things-3", "ALTER TABLE things ADD COLUMN weight BIGINT NOT NULL DEFAULT 1")
        try await withFile { path in
            // In memory a database ends when it is closed.
            let location: Database.Location =
                engine == .sqlite ? .file(path) : try engine.newLocation()
            // Forward, back, and forward again.
            for (id, known) in [
                ("a", [schema, addition]), ("b", [schema]), ("c", [schema, addition]),
            ] {
                let database = try Database(location, migrations: known)
                try await database.add(id)
                try await database.close()
            }
            let database = try Database(location, migrations: [schema, addition])
            let weights = try await database.read { transaction in
                try transaction.rows("SELECT weight FROM things WHERE weight = 1").count
            }
            #expect(weights == 3)
            try await database.close()
        }
    }

    @Test(arguments: [
        "CREATE TABLE new (id TEXT)", "INSERT INTO things (id) SELECT id FROM parts",
        "UPDATE things SET size = 1", "create index things_by_size\n on things (size)",
        "ALTER TABLE things ADD COLUMN colour TEXT",
        "ALTER TABLE things ADD COLUMN weight BIGINT NOT NULL DEFAULT 0",
    ])
    func anAdditionMayDoThis(_ statement: String) throws {
        _ = try Database(.memory, migrations: [schema, .addition("more", statement)])
    }

    @Test func anAdditionMayMakeATableWithAUniqueIndex() throws {
        let addition = Migration.addition(
            "more", "CREATE TABLE new (id TEXT)", "CREATE UNIQUE INDEX new_ids ON new (id)")
        _ = try Database(.memory, migrations: [schema, addition])
    }

    @Test(arguments: [
        "DROP TABLE labels", "DROP INDEX things_by_size", "DELETE FROM things",
        "ALTER TABLE things RENAME TO objects", "ALTER TABLE things DROP COLUMN size",
        "ALTER TABLE things RENAME COLUMN size TO width",
        "ALTER TABLE things ADD COLUMN weight BIGINT NOT NULL",
        "ALTER TABLE things ADD COLUMN weight BIGINT CHECK (weight > 0)",
        "ALTER TABLE things ALTER COLUMN size SET NOT NULL",
        "CREATE UNIQUE INDEX things_by_size ON things (size)",
        "CREATE TABLE new (id TEXT); DROP TABLE labels",
        "CREATE TRIGGER no BEFORE INSERT ON things BEGIN SELECT RAISE(ABORT, 'no'); END",
    ])
    func anAdditionThatDoesMoreIsRefused(_ statement: String) throws {
        let error = #expect(throws: StoreError.self) {
            try Database(.memory, migrations: [schema, .addition("more", statement)])
        }
        #expect(error?.message == "more does more than add")
    }

    @Test func oneThatFailsLeavesNothingBehind() async throws {
        try await withFile { path in
            let broken = Migration(
                "broken", "CREATE TABLE half (id TEXT)", "CREATE TABLE half (id TEXT)")
            #expect(throws: StoreError.self) {
                try Database(.file(path), migrations: [schema, broken])
            }
            let mended = Migration("broken", "CREATE TABLE half (id TEXT)")
            let database = try Database(.file(path), migrations: [schema, mended])
            #expect(try await database.ids() == [])
        }
    }

    @Test func twoOfOneNameAreRefused() {
        #expect(throws: StoreError.self) {
            try Database(.memory, migrations: [schema, schema])
        }
    }
}
