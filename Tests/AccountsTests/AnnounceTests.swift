import Contracts
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Accounts

/// Accounts of an earlier release, which services need once more.
@Suite struct AnnounceTests {
    /// As an upgrade does.
    private func upgrade(_ bench: Bench) async throws {
        try await bench.database.write { transaction in
            try transaction.execute("DROP TABLE announcements")
            for statement in announcementMigration.statements { try transaction.execute(statement) }
        }
    }

    private func announced(_ bench: Bench) async throws -> [AccountChanged] {
        try await outboxEvents(of: AccountChanged.self, in: bench.database)
    }

    @Test func eachAccountIsAnnouncedOnceWithItsSealedAddress() async throws {
        let bench = try await Bench()
        let (confirmed, other) = try await bench.run { caller -> (PersonID, PersonID) in
            let one = try await caller.customer("+85261234567")
            let other = try await caller.customer("+85261234568")
            try await caller.set(email: "ada@example.org", token: one.accessToken)
                .expect(200, Account.self)
            return (one.customer.id, other.customer.id)
        }
        // The earlier release sealed no addresses.
        try await bench.database.write { transaction in
            let row = try transaction.row("SELECT body FROM people WHERE id = ?", confirmed)
            let body = try #require(try row?.get("body", as: String.self))
            var fields = try #require(
                try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            #expect(fields.removeValue(forKey: "sealedEmail") != nil)
            let old = try JSONSerialization.data(withJSONObject: fields)
            try transaction.execute(
                "UPDATE people SET body = ? WHERE id = ?", String(decoding: old, as: UTF8.self),
                confirmed)
        }
        try await upgrade(bench)
        let before = try await announced(bench)
        for _ in 0..<2 { try await bench.accounts.announceEarlier(atOnce: 1) }
        let after = try await announced(bench)
        let new = Array(after.dropFirst(before.count))
        #expect(Set(new.map(\.account.id)) == [confirmed, other])
        #expect(new.count == 2)
        for event in new {
            let last = before.last { $0.account.id == event.account.id }
            #expect(event.version == (last?.version ?? 0) + 1)
            #expect(event.account == last?.account)
            let isConfirmed = event.account.id == confirmed
            #expect((event.sealedEmail != nil) == isConfirmed)
            if let sealed = event.sealedEmail {
                let address = try bench.environment.sealer.open(String.self, from: sealed)
                #expect(address == "ada@example.org")
            }
        }
    }

    @Test func whoIsGoneIsNotAnnounced() async throws {
        let bench = try await Bench()
        let person = try await bench.run { try await $0.customer() }
        try await upgrade(bench)
        try await bench.run { caller in
            let left = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                token: person.accessToken)
            #expect(left.status == 202)
        }
        let before = try await announced(bench).count
        try await bench.accounts.announceEarlier()
        #expect(try await announced(bench).count == before)
        let waiting = try await bench.database.read {
            try $0.row("SELECT COUNT(*) AS n FROM announcements")?.get("n", as: Int.self)
        }
        #expect(waiting == 0)
    }
}
