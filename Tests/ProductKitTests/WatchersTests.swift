import Contracts
import Foundation
import Geo
import ServiceKit
import Store
import Support
import Testing

@testable import ProductKit

/// Values that wait in the cells of an area.
@Suite struct WatchersTests {
    private struct Wish: Codable, Sendable, Identifiable {
        var id: ParkingAlertID
        var name: String
    }

    private static let most = 2

    private let database: Database
    private let start = Date(timeIntervalSince1970: 1_767_600_000)
    private let alice = PersonID.new()
    private let bob = PersonID.new()
    private let cells = (0..<3).map {
        Cell(containing: Coordinate(latitude: 35 + Double($0), longitude: 14.5))
    }
    /// They pause, and a note on one goes with it.
    private let wishes = Watchers<Wish>(
        "wishes", key: "wish", cells: "wish_cells", others: ["wish_notes"], most: Self.most,
        tooMany: .tooManyParkingAlerts, pause: 300)
    /// They never pause.
    private let hopes = Watchers<Wish>(
        "hopes", key: "hope", cells: "hope_cells", most: 1_000, tooMany: .tooManySavedSearches)

    init() throws {
        database = try Database(
            TestDatabases.location(of: "watchers"),
            migrations: [
                Standings.migration,
                Migration(
                    "wishes-1",
                    wishes.schema + hopes.schema + [
                        "CREATE TABLE wish_notes (wish TEXT NOT NULL PRIMARY KEY)"
                    ]),
            ])
    }

    /// Ids are in the order of the seconds.
    private func wish(_ name: String, at seconds: TimeInterval = 0) -> Wish {
        Wish(id: .new(at: start.addingTimeInterval(seconds)), name: name)
    }

    @discardableResult
    private func added(
        _ name: String, at seconds: TimeInterval = 0, of person: PersonID, in places: [Int] = [0]
    ) async throws -> Wish {
        let wish = wish(name, at: seconds)
        return try await database.write {
            try wishes.add(wish, of: person, in: places.map { cells[$0] }, in: $0)
        }
    }

    private func around(
        _ places: Set<Int>, at seconds: TimeInterval = 0
    ) async throws -> [String] {
        let now = start.addingTimeInterval(seconds)
        return try await database.read { transaction in
            let cells = Set(places.map { self.cells[$0] })
            return try wishes.around(cells, after: "", at: now, in: transaction)
                .found.map(\.value.name)
        }
    }

    private func watched() async throws -> [Bool] {
        try await database.read { transaction in
            try cells.map { try wishes.isWatched($0, in: transaction) }
        }
    }

    private func page(
        of person: PersonID, _ page: PageRequest = PageRequest()
    ) async throws -> Page<Wish> {
        try await database.read { try wishes.page(page, of: person, in: $0) }
    }

    private func notes() async throws -> Int {
        try await database.read { try $0.rows("SELECT wish FROM wish_notes").count }
    }

    private func note(_ wish: Wish) async throws {
        try await database.write {
            _ = try $0.execute("INSERT INTO wish_notes (wish) VALUES (?)", wish.id.description)
        }
    }

    /// Databases that exist were made with this text.
    @Test func theSchemaIsThatOfExistingDatabases() {
        #expect(
            wishes.schema == [
                """
                CREATE TABLE wishes (
                    id TEXT NOT NULL PRIMARY KEY,
                    person TEXT NOT NULL,
                    told_at BIGINT NOT NULL,
                    body TEXT NOT NULL)
                """,
                "CREATE INDEX wishes_of_person ON wishes (person, id)",
                """
                CREATE TABLE wish_cells (
                    cell TEXT NOT NULL,
                    wish TEXT NOT NULL,
                    PRIMARY KEY (cell, wish))
                """,
                "CREATE INDEX wish_cells_of_wish ON wish_cells (wish)",
            ])
        #expect(
            hopes.schema.first == """
                CREATE TABLE hopes (
                    id TEXT NOT NULL PRIMARY KEY,
                    person TEXT NOT NULL,
                    body TEXT NOT NULL)
                """)
    }

    @Test func aPersonSeesTheirOwnNewestFirst() async throws {
        try await added("old", at: 1, of: alice)
        try await added("other", at: 2, of: bob)
        try await added("new", at: 3, of: alice)
        #expect(try await page(of: alice).items.map(\.name) == ["new", "old"])
        let first = try await page(of: alice, PageRequest(limit: 1))
        #expect(first.items.map(\.name) == ["new"])
        let rest = try await page(of: alice, PageRequest(after: first.next, limit: 1))
        #expect(rest.items.map(\.name) == ["old"])
        #expect(rest.next == nil)
    }

    @Test func beyondThePersonsLimitNothingIsAdded() async throws {
        let first = try await added("1", of: alice)
        try await added("2", at: 1, of: alice)
        await #expect {
            try await added("3", at: 2, of: alice, in: [1])
        } throws: { error in
            Refusal.tooManyParkingAlerts ~= error
                && (error as? Refusal)?.problem.detail == "The limit is \(Self.most)."
        }
        #expect(try await watched() == [true, false, false])
        try await added("1", of: bob)
        try await database.write { try wishes.remove(first.id, of: alice, in: $0) }
        try await added("3", at: 2, of: alice)
        #expect(try await page(of: alice).items.map(\.name) == ["3", "2"])
    }

    @Test func aDeletedAccountAddsNothing() async throws {
        let deleted = AccountDeleted(
            account: alice, role: .customer, version: 2, deletedAt: start)
        try await database.write { try $0.keepStanding(deleted) }
        await #expect {
            try await added("late", of: alice)
        } throws: {
            Refusal.tokenInvalid ~= $0
        }
        #expect(try await watched() == [false, false, false])
    }

    @Test func onlyItsOwnerRemovesAValueWithItsCellsAndNotes() async throws {
        let wish = try await added("mine", of: alice, in: [0, 1])
        let other = try await added("other", at: 1, of: alice, in: [1])
        try await note(wish)
        try await note(other)
        try await database.write { try wishes.remove(wish.id, of: bob, in: $0) }
        #expect(try await around([0, 1]) == ["mine", "other"])
        #expect(try await notes() == 2)
        for _ in 1...2 {
            try await database.write { try wishes.remove(wish.id, of: alice, in: $0) }
            #expect(try await around([0, 1]) == ["other"])
            #expect(try await watched() == [false, true, false])
            #expect(try await notes() == 1)
        }
    }

    @Test func everythingOfAPersonIsForgottenAndNothingOfOthers() async throws {
        try await note(try await added("1", of: alice, in: [0, 1]))
        try await note(try await added("2", at: 1, of: alice, in: [2]))
        try await note(try await added("3", at: 2, of: bob, in: [1]))
        try await database.write { try wishes.forget(alice, in: $0) }
        #expect(try await page(of: alice).items.isEmpty)
        #expect(try await around([0, 1, 2]) == ["3"])
        #expect(try await watched() == [false, true, false])
        #expect(try await notes() == 1)
    }

    @Test func whatIsInSeveralOfTheCellsIsFoundOnceInTheOrderOfItsId() async throws {
        try await added("late", at: 3, of: alice, in: [1])
        try await added("early", at: 1, of: bob, in: [0, 1])
        try await added("elsewhere", at: 2, of: alice, in: [2])
        #expect(try await around([0, 1]) == ["early", "late"])
        #expect(try await around([0]) == ["early"])
        #expect(try await around([2]) == ["elsewhere"])
        let people = try await database.read {
            try wishes.around(Set(cells), after: "", at: start, in: $0).found.map(\.person)
        }
        #expect(people == [bob, alice, alice])
    }

    @Test func whatPausesIsNotFoundUntilThePauseIsOver() async throws {
        let wish = try await added("told", of: alice)
        try await added("awake", at: 1, of: bob)
        try await database.write {
            try wishes.startPause(of: wish.id, at: start, in: $0)
        }
        #expect(try await around([0], at: 299) == ["awake"])
        #expect(try await around([0], at: 300) == ["told", "awake"])
        #expect(try await page(of: alice).items.count == 1)
        #expect(try await watched() == [true, false, false])
    }

    @Test func batchesContinueAfterTheLastId() async throws {
        let batch = Watchers<Wish>.batch
        let all = (0...batch).map { wish("\($0)", at: Double($0)) }
        let places = Set(cells.prefix(2))
        func next(after id: String) async throws -> (names: [String], last: String?) {
            try await database.read {
                let (found, last) = try hopes.around(places, after: id, at: start, in: $0)
                return (found.map(\.value.name), last)
            }
        }
        try await database.write { transaction in
            for hope in all {
                _ = try hopes.add(hope, of: alice, in: Array(places), in: transaction)
            }
        }
        let first = try await next(after: "")
        #expect(first.names == (0..<batch).map(String.init))
        #expect(first.last == all[batch - 1].id.description)
        let second = try await next(after: try #require(first.last))
        #expect(second.names == ["\(batch)"])
        #expect(second.last == nil)
        #expect(try await next(after: all[batch].id.description).names.isEmpty)
    }
}
