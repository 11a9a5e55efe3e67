import Contracts
import Foundation
import Store
import Support
import Testing

@testable import EventBus

/// Copies of what others own: the newest version counts, and what is deleted stays so.
@Suite(.withoutDatabase) struct ReplicaTests {
    private let replica = Replica<[String]>("colours")
    private let id = PersonID.new()
    private let now = Date(timeIntervalSince1970: 1_767_600_000)

    private func database() throws -> Database {
        try Database(.memory, migrations: [replica.migration])
    }

    private func keep(_ value: String, _ version: Int, in database: Database) async throws -> Bool {
        try await database.write {
            try replica.keep([value], of: id, version: version, at: now, in: $0)
        }
    }

    private func value(in database: Database) async throws -> [String]? {
        try await database.read { try replica.value(of: id, in: $0) }
    }

    @Test func theNewestVersionIsKeptInWhateverOrderTheyCome() async throws {
        let database = try database()
        #expect(try await value(in: database) == nil)
        #expect(try await keep("second", 2, in: database))
        #expect(try await !keep("first", 1, in: database))
        #expect(try await !keep("another second", 2, in: database))
        #expect(try await value(in: database) == ["second"])
        #expect(try await keep("fourth", 4, in: database))
        #expect(try await value(in: database) == ["fourth"])
    }

    @Test(arguments: [true, false])
    func nothingBringsBackWhatIsDeleted(isKnownBefore: Bool) async throws {
        let database = try database()
        if isKnownBefore { _ = try await keep("first", 9, in: database) }
        for _ in 1...2 {
            try await database.write { try replica.forget(id, version: 3, at: now, in: $0) }
        }
        #expect(try await value(in: database) == nil)
        #expect(try await !keep("later", 99, in: database))
        #expect(try await value(in: database) == nil)
    }

    @Test func whatIsDeletedIsKnownAllTheSame() async throws {
        let database = try database()
        func isKnown() async throws -> Bool {
            try await database.read { try replica.isKnown(id, in: $0) }
        }
        #expect(try await !isKnown())
        _ = try await keep("first", 1, in: database)
        #expect(try await isKnown())
        try await database.write { try replica.forget(id, version: 2, at: now, in: $0) }
        #expect(try await isKnown())
    }

    @Test func othersAreNotTouched() async throws {
        let database = try database()
        let other = PersonID.new()
        _ = try await keep("mine", 1, in: database)
        try await database.write { transaction in
            try replica.keep(["theirs"], of: other, version: 1, at: now, in: transaction)
            try replica.forget(other, version: 2, at: now, in: transaction)
        }
        #expect(try await value(in: database) == ["mine"])
    }

    @Test func theVersionsOfAllThatAreNotDeletedAreListed() async throws {
        let database = try database()
        _ = try await keep("third", 3, in: database)
        let other = PersonID.new()
        try await database.write { transaction in
            try replica.keep(["theirs"], of: other, version: 1, at: now, in: transaction)
            try replica.forget(other, version: 2, at: now, in: transaction)
        }
        let versions: [PersonID: Int] = try await database.read {
            try replica.versions(most: 10, in: $0)
        }
        #expect(versions == [id: 3])
    }
}
