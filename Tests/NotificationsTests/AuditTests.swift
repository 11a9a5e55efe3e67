import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Notifications

@Suite struct AuditTests {
    private func acted(
        _ bench: Bench, by operatorID: OperatorID = TestPerson.olivia.operatorID,
        _ action: String = "orders.override",
        on subject: String = "s", reason: String? = nil
    ) -> OperatorActed {
        OperatorActed(
            by: operatorID, action: action, subject: subject, reason: reason,
            actedAt: bench.clock.now)
    }

    private func hear(_ bench: Bench, _ events: OperatorActed...) async throws {
        for event in events {
            bench.clock.advance(by: 1)
            try await bench.hear(event, id: .new(at: bench.clock.now))
        }
    }

    private func list(_ caller: Caller, _ query: String = "") async throws -> Page<AuditEntry> {
        try await caller.call(.get, "/v1/admin/audit\(query)", as: .olivia)
            .expect(200, Page<AuditEntry>.self)
    }

    @Test func whatOperatorsDoIsListedNewestFirst() async throws {
        let bench = try Bench()
        let events = (1...5).map { acted(bench, on: "\($0)", reason: "because \($0)") }
        for event in events { try await hear(bench, event) }
        try await bench.run { caller in
            var (found, after): ([AuditEntry], String?) = ([], nil)
            repeat {
                let page = try await list(caller, "?limit=2" + (after.map { "&after=\($0)" } ?? ""))
                found += page.items
                after = page.next
            } while after != nil
            #expect(found.map(\.subject) == ["5", "4", "3", "2", "1"])
            let newest = try #require(found.first)
            #expect(newest.by == TestPerson.olivia.operatorID)
            #expect(newest.action == "orders.override")
            #expect(newest.reason == "because 5")
            #expect(newest.actedAt == events[4].actedAt)
        }
        // Nobody is told: it is looked up.
        #expect(try await bench.feed(.operators).isEmpty)
    }

    @Test func anEventThatArrivesTwiceIsOneLineAndNothingChangesIt() async throws {
        let bench = try Bench()
        let id = EventID.new()
        try await bench.hear(acted(bench, reason: "first"), id: id)
        try await bench.hear(acted(bench, reason: "first"), id: id)
        let forged = AuditEntry(id: id, acted(bench, reason: "forged"))
        try await bench.database.write { try $0.audit.insert(forged) }
        try await bench.run { caller in
            let items = try await list(caller).items
            #expect(items.map(\.reason) == ["first"])
        }
    }

    @Test func linesAreFoundByOperatorActionAndSubject() async throws {
        let bench = try Bench()
        let (olivia, other) = (TestPerson.olivia.operatorID, OperatorID.new())
        try await hear(
            bench, acted(bench, by: olivia, "orders.override", on: "a"),
            acted(bench, by: other, "orders.override", on: "b"),
            acted(bench, by: olivia, "payments.refund", on: "b"))
        let wanted = [
            "?operator=\(olivia)": ["payments.refund b", "orders.override a"],
            "?action=orders.override": ["orders.override b", "orders.override a"],
            "?subject=b": ["payments.refund b", "orders.override b"],
            "?operator=\(olivia)&action=payments.refund&subject=b": ["payments.refund b"],
            "?operator=\(other)&action=payments.refund": [],
        ]
        try await bench.run { caller in
            for (query, lines) in wanted {
                let found = try await list(caller, query).items.map { "\($0.action) \($0.subject)" }
                #expect(found == lines, "\(query)")
            }
        }
    }

    @Test func theLogIsForOperatorsAndBadQueriesAreRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, "/v1/admin/audit", as: person)
                    .refused(403, "auth.role")
            }
            try await caller.call(.get, "/v1/admin/audit", as: nil)
                .refused(401, "auth.token_missing")
            let long = String(repeating: "x", count: 101)
            for (query, field) in [
                ("after=x", "after"), ("limit=0", "limit"), ("operator=olivia", "operator"),
                ("action=", "action"), ("action=\(long)", "action"), ("subject=\(long)", "subject"),
                ("subject=%07", "subject"),
            ] {
                try await caller.call(.get, "/v1/admin/audit?\(query)", as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
        }
    }

    @Test func linesAreKeptForYears() async throws {
        let bench = try Bench()
        try await hear(bench, acted(bench, on: "old"))
        bench.clock.advance(by: 6 * 365 * 86_400)
        try await bench.notifications.sweep()
        try await bench.run { caller in
            let items = try await list(caller).items
            #expect(items.count == 1)
        }
        bench.clock.advance(by: 365 * 86_400)
        try await bench.notifications.sweep()
        try await bench.run { caller in
            let items = try await list(caller).items
            #expect(items.isEmpty)
        }
    }
}
