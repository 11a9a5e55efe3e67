import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Ratings

@Suite struct ForgettingTests {
    private func deleted(_ person: TestPerson, _ bench: Bench) -> AccountDeleted {
        AccountDeleted(
            account: person.id, role: person.role, version: 7, deletedAt: bench.clock.now)
    }

    @Test func wordsGoAndStarsStay() async throws {
        let bench = try Bench()
        let (first, second) = (try await bench.finished(), try await bench.finished())
        try await bench.run { caller in
            _ = try await caller.rate(first.id, 2, "slow", as: .alice).expect(200, Rating.self)
            _ = try await caller.rate(second.id, 5, "swift", as: .alice).expect(200, Rating.self)
            _ = try await caller.rate(first.id, 4, "friendly", as: .victor)
                .expect(200, Rating.self)
            let id = EventID.new()
            for _ in 0..<2 { try await bench.hear(deleted(.alice, bench), id: id) }
            try await bench.hear(deleted(.alice, bench))
            #expect(try await caller.summary(of: .victor) == RatingSummary(average: 3.5, count: 2))
            #expect(try await caller.summary(of: .alice) == RatingSummary(average: 4, count: 1))
            for person in [TestPerson.alice, .victor] {
                #expect(try await caller.comments(of: person, as: .bob).items.isEmpty)
            }
        }
        let words = try await bench.database.read { transaction in
            try transaction.rows("SELECT comment FROM ratings WHERE comment IS NOT NULL").count
        }
        #expect(words == 0)
    }

    @Test func othersWordsStay() async throws {
        let bench = try Bench()
        let order = try await bench.finished(returnedBy: .vera)
        try await bench.run { caller in
            _ = try await caller.rate(order.id, 5, "of victor", as: .victor)
                .expect(200, Rating.self)
            _ = try await caller.rate(order.id, 5, "of vera", as: .vera).expect(200, Rating.self)
            try await bench.hear(deleted(.victor, bench))
            #expect(try await caller.comments(of: .alice).items.map(\.comment) == ["of vera"])
        }
    }

    @Test func aSuspendedValetRatesNobody() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        let account = TestPerson.victor.account(createdAt: bench.clock.now)
        try await bench.hear(AccountChanged(account: account, suspended: true, version: 2))
        try await bench.run { caller in
            try await caller.rate(order.id, 1, "revenge", as: .victor)
                .refused(403, "account.suspended")
            #expect(try await caller.summary(of: .alice).count == 0)
        }
    }

    @Test func whoIsDeletedSaysNothingMoreAndNobodyWritesOfThem() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.hear(deleted(.alice, bench))
        // Their orders may still be heard of.
        try await bench.hear(OrderFinished(order: order))
        try await bench.run { caller in
            try await caller.rate(order.id, 5, "late", as: .alice)
                .refused(401, "auth.token_invalid")
            let rating = try await caller.rate(order.id, 3, "of the deleted", as: .victor)
                .expect(200, Rating.self)
            #expect(rating.stars == 3)
            #expect(rating.comment == nil)
            #expect(try await caller.summary(of: .victor).count == 0)
        }
    }

    @Test func anExportHasWhatWasSaidInBothDirections() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            _ = try await caller.rate(order.id, 5, "swift", as: .alice).expect(200, Rating.self)
            _ = try await caller.rate(order.id, 4, "friendly", as: .victor)
                .expect(200, Rating.self)
            let path = "/internal/people/\(TestPerson.alice.id)"
            let answer = try await caller.internally(path)
            #expect(answer.status == 200)
            let held = try #require(
                JSONSerialization.jsonObject(with: answer.data) as? [String: Any])
            let given = try #require(held["given"] as? [[String: Any]])
            let received = try #require(held["received"] as? [[String: Any]])
            #expect(given.map { $0["comment"] as? String } == ["swift"])
            #expect(received.map { $0["comment"] as? String } == ["friendly"])
            #expect(!(String(describing: received).contains(TestPerson.victor.id.description)))
            #expect((held["summary"] as? [String: Any])?["count"] as? Int == 1)
            let bob = try await caller.internally("/internal/people/\(TestPerson.bob.id)")
            #expect(bob.status == 200)
            try await caller.call(.get, path, as: .alice).refused(401, "auth.token_invalid")
            try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            try await caller.internally("/internal/people/x").refused(404, "request.not_found")
        }
    }
}
