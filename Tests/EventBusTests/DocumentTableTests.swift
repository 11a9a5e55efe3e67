import Contracts
import Foundation
import Store
import Support
import Testing

@testable import EventBus

/// Rows that are written whole, and only as they were read.
@Suite struct DocumentTableTests {
    private struct Parcel: Document, Equatable {
        var id: PersonID = .new()
        var version = Version()
        var shelf: Int?
        var label = "fragile"

        var columns: KeyValuePairs<String, (any SQLConvertible)?> { ["shelf": shelf] }
    }

    private let parcels = DocumentTable<Parcel>("parcels")

    private func database() throws -> Database {
        try Database(
            TestDatabases.location(of: "parcels"),
            migrations: [
                Migration(
                    "parcels-1",
                    """
                    CREATE TABLE parcels (
                        id TEXT NOT NULL PRIMARY KEY,
                        shelf BIGINT UNIQUE,
                        version BIGINT NOT NULL,
                        body TEXT NOT NULL)
                    """)
            ])
    }

    private func stored(_ id: PersonID, in database: Database) async throws -> Parcel? {
        try await database.read { try parcels.value(of: id, in: $0) }
    }

    @Test func whatIsInsertedIsFoundByItsIdAndItsColumns() async throws {
        let database = try database()
        let parcel = Parcel(shelf: 7)
        #expect(try await stored(parcel.id, in: database) == nil)
        try await database.write { try parcels.insert(parcel, in: $0) }
        #expect(try await stored(parcel.id, in: database) == parcel)
        let found = try await database.read {
            try $0.row("SELECT id FROM parcels WHERE shelf = 7")?.get("id", as: PersonID.self)
        }
        #expect(found == parcel.id)
        await #expect(throws: StoreError.self) {
            try await database.write { try parcels.insert(Parcel(shelf: 7), in: $0) }
        }
    }

    @Test func anUpdateWritesBodyAndColumnsOfThatRowAlone() async throws {
        let database = try database()
        let (one, other) = (Parcel(shelf: 1), Parcel(shelf: 2))
        try await database.write {
            try parcels.insert(one, in: $0)
            try parcels.insert(other, in: $0)
        }
        let moved = try await database.write {
            var moved = try #require(try parcels.value(of: one.id, in: $0))
            (moved.shelf, moved.label) = (nil, "sent")
            moved.version.advance()
            try parcels.update(&moved, in: $0)
            return moved
        }
        #expect(try await stored(one.id, in: database) == moved)
        #expect(moved.version.number == 2 && !moved.version.isChanged)
        #expect(try await stored(other.id, in: database) == other)
        let shelves = try await database.read {
            try $0.rows("SELECT shelf FROM parcels WHERE shelf IS NOT NULL").map {
                try $0.get("shelf", as: Int.self)
            }
        }
        #expect(shelves == [2])
    }

    @Test func whatSomebodyElseHasWrittenOrNobodyHasIsNotOverwritten() async throws {
        let database = try database()
        let parcel = Parcel()
        try await database.write { try parcels.insert(parcel, in: $0) }
        let read = try #require(try await stored(parcel.id, in: database))
        let first = try await database.write {
            var first = read
            first.label = "first"
            first.version.advance()
            try parcels.update(&first, in: $0)
            return first
        }
        for late in [read, Parcel()] {
            try await database.write { transaction in
                var late = late
                late.label = "second"
                #expect(throws: LostRace.self) { try parcels.update(&late, in: transaction) }
            }
        }
        #expect(try await stored(parcel.id, in: database) == first)
    }

    @Test func whatWasWrittenIsWrittenAgain() async throws {
        let database = try database()
        var parcel = Parcel()
        #expect(!parcel.version.isChanged)
        parcel = try await database.write { [parcel] in
            var parcel = parcel
            try parcels.insert(parcel, in: $0)
            parcel.label = "sent"
            try parcels.update(&parcel, in: $0)
            #expect(parcel.version.number == 1)
            parcel.version.advance()
            parcel.version.advance()
            #expect(parcel.version.isChanged)
            try parcels.update(&parcel, in: $0)
            return parcel
        }
        #expect(parcel.version.number == 3)
        #expect(try await stored(parcel.id, in: database) == parcel)
    }

    @Test func aVersionIsItsNumberAloneInJSON() throws {
        var version = try JSONDecoder().decode(Version.self, from: Data("7".utf8))
        #expect(version.number == 7 && !version.isChanged)
        version.advance()
        #expect(String(decoding: try JSONEncoder().encode(version), as: UTF8.self) == "8")
    }
}
