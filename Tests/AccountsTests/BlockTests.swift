import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Accounts

@Suite struct BlockTests {
    private let path = "/v1/me/blocks"

    private func blocks(_ caller: Caller, _ token: String) async throws -> [PersonID] {
        try await caller.call(.get, path, token: token).expect(200, Page<BlockedPerson>.self)
            .items.map(\.person)
    }

    @Test func whoIsBlockedStandsInTheListUntilTheyAreNot() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let other = try await caller.customer("+85261234568")
            let bob = other.customer.id
            for _ in 1...2 {
                let answer = try await caller.call(.put, "\(path)/\(bob)", token: me.accessToken)
                #expect(answer.status == 204)
            }
            let listed = try await caller.call(.get, path, token: me.accessToken)
                .expect(200, Page<BlockedPerson>.self)
            #expect(
                listed.items == [
                    BlockedPerson(person: bob, firstName: "Ottoline", createdAt: bench.clock.now)
                ])
            #expect(try await blocks(caller, other.accessToken) == [])
            for _ in 1...2 {
                let answer = try await caller.call(.delete, "\(path)/\(bob)", token: me.accessToken)
                #expect(answer.status == 204)
            }
            #expect(try await blocks(caller, me.accessToken) == [])
            _ = try await caller.call(.put, "\(path)/\(bob)", token: me.accessToken)
            let told = try await outboxEvents(of: PersonBlocked.self, in: bench.database)
            #expect(told.map(\.isBlocked) == [true, false, true])
            #expect(told.allSatisfy { $0.by == me.customer.id && $0.person == bob })
            #expect(told.map(\.version) == told.map(\.version).sorted())
            #expect(Set(told.map(\.version)).count == 3)
        }
    }

    @Test func peopleVehiclesAndBlocksAreToldAtAnyAge() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let other = try await caller.customer("+85261234568")
            let gone = try await caller.customer("+85261234569")
            _ = try await caller.call(
                .post, "/v1/me/vehicles", VehicleDescription.tesla, token: me.accessToken)
            for blocked in [other, gone] {
                _ = try await caller.call(
                    .put, "\(path)/\(blocked.customer.id)", token: me.accessToken)
            }
            _ = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                token: gone.accessToken)
            let now = bench.clock.now
            let told = try await bench.database.read { transaction in
                try transaction.people.told(after: "", limit: 10, at: now)
                    + transaction.vehicles.told(after: "", limit: 10)
                    + transaction.blocks.told(after: "", limit: 10)
            }.compactMap(\.event)
            let published = try await outboxEvents(of: AccountDeleted.self, in: bench.database)
            #expect(told.compactMap { $0 as? AccountDeleted } == published)
            let people = told.compactMap { $0 as? AccountChanged }.map(\.account.id)
            #expect(Set(people).isSuperset(of: [me.customer.id, other.customer.id]))
            #expect(!people.contains(gone.customer.id))
            #expect(told.compactMap { $0 as? VehicleChanged }.map(\.version) == [1])
            let blocks = told.compactMap { $0 as? PersonBlocked }
            #expect(blocks.map(\.person) == [other.customer.id])
            #expect(blocks.allSatisfy { $0.isBlocked && $0.by == me.customer.id })
        }
    }

    @Test func onesOwnAndStrangersAreRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer()
            try await caller.call(.put, "\(path)/\(me.customer.id)", token: me.accessToken)
                .refused(422, "request.invalid", field: "id")
            try await caller.call(.put, "\(path)/\(PersonID.new())", token: me.accessToken)
                .refused(404, "account.unknown")
            try await caller.call(.put, "\(path)/\(PersonID.new())")
                .refused(401, "auth.token_missing")
        }
    }

    @Test func thereAreAsManyAsAnAccountCanHave() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let (bob, carol) = (
                try await caller.customer("+85261234568").customer.id,
                try await caller.customer("+85261234569").customer.id
            )
            try await bench.fill(blocksOf: me.customer.id, Blocks.most - 1)
            let full = try await caller.call(.put, "\(path)/\(bob)", token: me.accessToken)
            #expect(full.status == 204)
            try await caller.call(.put, "\(path)/\(carol)", token: me.accessToken)
                .refused(409, "account.too_many_blocks")
            #expect(
                try await caller.call(.put, "\(path)/\(bob)", token: me.accessToken).status == 204)
            _ = try await caller.call(.delete, "\(path)/\(bob)", token: me.accessToken)
            #expect(
                try await caller.call(.put, "\(path)/\(carol)", token: me.accessToken).status
                    == 204)
        }
    }

    @Test func pagesGoOnWhereTheLastOneEnded() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            var blocked: [PersonID] = []
            for number in 1...3 {
                let id = try await caller.customer("+8526000000\(number)").customer.id
                _ = try await caller.call(.put, "\(path)/\(id)", token: me.accessToken)
                blocked.insert(id, at: 0)
            }
            let first = try await caller.call(.get, "\(path)?limit=2", token: me.accessToken)
                .expect(200, Page<BlockedPerson>.self)
            let cursor = try #require(first.next)
            let rest = try await caller.call(
                .get, "\(path)?limit=2&after=\(cursor)", token: me.accessToken
            ).expect(200, Page<BlockedPerson>.self)
            #expect(Set((first.items + rest.items).map(\.person)) == Set(blocked))
            #expect(first.items.count == 2)
            #expect(rest.next == nil)
        }
    }

    @Test func whoDeletesTheirAccountIsDropped() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let other = try await caller.customer("+85261234568")
            let bob = other.customer.id
            _ = try await caller.call(.put, "\(path)/\(bob)", token: me.accessToken)
            _ = try await caller.call(
                .put, "\(path)/\(me.customer.id)", token: other.accessToken)
            _ = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                token: other.accessToken)
            #expect(try await blocks(caller, me.accessToken) == [])
            try await caller.call(.put, "\(path)/\(bob)", token: me.accessToken)
                .refused(404, "account.unknown")
            let left = try await bench.database.read {
                try $0.row("SELECT COUNT(*) AS n FROM blocks")?.get("n", as: Int.self)
            }
            #expect(left == 0)
            let told = try await outboxEvents(of: PersonBlocked.self, in: bench.database)
            #expect(told.map(\.by) == [me.customer.id])
        }
    }
}

extension Bench {
    /// As many strangers that somebody has blocked.
    fileprivate func fill(blocksOf blocker: PersonID, _ count: Int) async throws {
        let now = clock.now
        try await database.write { transaction in
            for _ in 0..<count {
                let id = PersonID.new(at: now)
                try transaction.execute(
                    """
                    INSERT INTO people (id, phone, password, version, deleted, body)
                    VALUES (?, ?, '', 1, 1, '{}')
                    """, id, id.description)
                try transaction.execute(
                    "INSERT INTO blocks (id, blocker, blocked, created_at) VALUES (?, ?, ?, ?)",
                    id, blocker, id, now)
            }
        }
    }
}
