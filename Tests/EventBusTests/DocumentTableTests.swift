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
        var version = 1
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
        let moved = Parcel(id: one.id, version: 2, shelf: nil, label: "sent")
        try await database.write { try parcels.update(moved, readAt: 1, in: $0) }
        #expect(try await stored(one.id, in: database) == moved)
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
        let first = Parcel(id: parcel.id, version: 2, label: "first")
        try await database.write { try parcels.update(first, readAt: 1, in: $0) }
        let refused = [
            (Parcel(id: parcel.id, version: 2, label: "second"), 1), (Parcel(version: 2), 1),
        ]
        try await database.write { transaction in
            for (parcel, version) in refused {
                #expect(throws: LostRace.self) {
                    try parcels.update(parcel, readAt: version, in: transaction)
                }
            }
        }
        #expect(try await stored(parcel.id, in: database) == first)
    }
}
