import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store
import Support
import Testing

@Suite struct KnownBlocksTests {
    private let database: Database
    private let alice = PersonID.new()
    private let bob = PersonID.new()
    private let carol = PersonID.new()

    init() throws {
        database = try ServiceEnvironment.test("blocking").database([KnownBlocks.migration])
    }

    private func keep(
        _ by: PersonID, _ person: PersonID, _ version: Int, isBlocked: Bool = true
    ) async throws {
        try await database.write { transaction in
            try transaction.keepBlock(
                PersonBlocked(
                    by: by, person: person, isBlocked: isBlocked, version: version,
                    changedAt: Date(timeIntervalSince1970: 1_767_600_000)))
        }
    }

    private func areBlocked(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        try await database.read { try $0.areBlocked(one, other) }
    }

    private func blocked(around person: PersonID) async throws -> Set<PersonID> {
        try await database.read { try $0.blocked(around: person) }
    }

    @Test func aBlockKeepsBothFromEachOther() async throws {
        try await keep(alice, bob, 1)
        try await keep(carol, alice, 1)
        #expect(try await areBlocked(alice, bob))
        #expect(try await areBlocked(bob, alice))
        #expect(try await !areBlocked(bob, carol))
        #expect(try await blocked(around: alice) == [bob, carol])
        #expect(try await blocked(around: bob) == [alice])
        #expect(try await blocked(around: PersonID.new()) == [])
    }

    @Test func whatComesLateOrTwiceChangesNothing() async throws {
        try await keep(alice, bob, 1)
        try await keep(alice, bob, 3, isBlocked: false)
        try await keep(alice, bob, 1)
        try await keep(alice, bob, 2)
        #expect(try await !areBlocked(alice, bob))
        #expect(try await blocked(around: bob) == [])
        try await keep(alice, bob, 4)
        try await keep(alice, bob, 3, isBlocked: false)
        #expect(try await areBlocked(alice, bob))
    }

    @Test func eachHasABlockOfTheirOwn() async throws {
        try await keep(alice, bob, 1)
        try await keep(bob, alice, 1)
        try await keep(alice, bob, 2, isBlocked: false)
        #expect(try await areBlocked(alice, bob))
        try await keep(bob, alice, 2, isBlocked: false)
        #expect(try await !areBlocked(alice, bob))
    }

    @Test func nothingBringsBackWhoHasDeletedTheirAccount() async throws {
        try await keep(alice, bob, 1)
        try await keep(carol, alice, 1)
        try await keep(bob, carol, 1)
        for _ in 1...2 { try await database.write { try $0.forgetBlocks(of: alice) } }
        try await keep(alice, bob, 2)
        try await keep(carol, alice, 2)
        #expect(try await blocked(around: alice) == [])
        #expect(try await blocked(around: bob) == [carol])
        let left = try await database.read {
            try $0.row("SELECT COUNT(*) AS n FROM blocks")?.get("n", as: Int.self)
        }
        #expect(left == 1)
    }
}
