import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

struct AlertTests {
    private func alerts(_ caller: Caller, _ query: String = "") async throws -> Page<Alert> {
        try await caller.call(.get, "/v1/admin/alerts\(query)", as: .olivia)
            .expect(200, Page<Alert>.self)
    }

    private func acknowledge(_ caller: Caller, _ id: AlertID) async throws -> Alert {
        try await caller.call(.post, "/v1/admin/alerts/\(id)/acknowledge", as: .olivia)
            .expect(200, Alert.self)
    }

    @Test func anOrderThatStaysTooLongIsAnAlertUntilItGoesOn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            #expect(try await alerts(caller).items.isEmpty)
            bench.clock.advance(by: 2_700)
            for _ in 1...2 { try await bench.parts.answers.announceOverdue() }
            let raised = try #require(try await alerts(caller, "?status=open").items.first)
            #expect(raised.order == order.id)
            #expect(raised.ticket == order.ticket)
            #expect(raised.kind == .overdue)
            #expect(raised.status == .droppingOff)
            #expect(raised.limitSeconds == 2_700)
            #expect(raised.raisedAt == bench.clock.now)
            #expect(raised.resolvedAt == nil)
            #expect(try await alerts(caller).items == [raised])
            bench.clock.advance(by: 60)
            let code = try await bench.stored(order.id).handoverCode
            try await caller.act("collect", order.id, CodeBody(code: code), as: .victor)
            #expect(try await alerts(caller, "?status=open").items.isEmpty)
            let resolved = try #require(try await alerts(caller, "?status=resolved").items.first)
            #expect(resolved.id == raised.id)
            #expect(resolved.resolvedAt == bench.clock.now)
        }
    }

    @Test func anOrderThatCannotBeReadKeepsNoOtherFromItsAlert() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let broken = try await caller.order(in: .parked, of: .alice)
            let sound = try await caller.order(in: .requested, of: .bob)
            try await bench.parts.database.write {
                try $0.execute("UPDATE orders SET body = '{}' WHERE id = ?", broken.id)
            }
            bench.clock.advance(by: 30 * 86_400)
            let watch = OrderWatch(
                answers: bench.parts.answers, logger: bench.parts.environment.logger)
            await watch.look()
            #expect(try await bench.published(OrderOverdue.self).map(\.order.id) == [sound.id])
            let due = try await bench.parts.database.read { [now = bench.clock.now] in
                try $0.orders.overdue(at: now, limit: 10)
            }
            #expect(due.isEmpty, "the broken one waits for its next turn")
        }
    }

    @Test func whatChangesWithinTheStateResolvesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            bench.clock.advance(by: 2_700)
            try await bench.parts.answers.announceOverdue()
            try await bench.match(order.id, .vera)
            #expect(try await alerts(caller, "?status=open").items.count == 1)
            try await caller.act("cancel-recall", order.id, as: .alice)
            #expect(try await alerts(caller, "?status=open").items.isEmpty)
        }
    }

    @Test func anAlertIsAcknowledgedOnceAndThatIsRecorded() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.order(in: .droppingOff)
            bench.clock.advance(by: 2_700)
            try await bench.parts.answers.announceOverdue()
            let raised = try #require(try await alerts(caller).items.first)
            let first = try await acknowledge(caller, raised.id)
            #expect(first.acknowledgedBy == TestPerson.olivia.operatorID)
            #expect(first.acknowledgedAt == bench.clock.now)
            bench.clock.advance(by: 60)
            #expect(try await acknowledge(caller, raised.id) == first)
            #expect(try await alerts(caller, "?status=open").items.isEmpty)
            #expect(try await alerts(caller, "?status=acknowledged").items == [first])
            let acts = try await bench.published(OperatorActed.self)
            #expect(acts.map(\.action) == ["orders.acknowledge-alert"])
            #expect(acts.map(\.subject) == [raised.id.description])
        }
    }

    @Test func onlyOperatorsSeeAlerts() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let path = "/v1/admin/alerts/\(AlertID.new())/acknowledge"
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, "/v1/admin/alerts", as: person)
                    .refused(403, "auth.role")
                try await caller.call(.post, path, as: person).refused(403, "auth.role")
            }
            try await caller.call(.get, "/v1/admin/alerts").refused(401, "auth.token_missing")
            try await caller.call(.post, path, as: .olivia).refused(404, "alert.unknown")
            for (query, field) in [("status=late", "status"), ("after=x", "after")] {
                try await caller.call(.get, "/v1/admin/alerts?\(query)", as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
        }
    }

    @Test func alertsAreGivenPageByPageNewestFirst() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .bob] {
                _ = try await caller.place(as: person)
                bench.clock.advance(by: 300)
                try await bench.parts.answers.announceOverdue()
            }
            let all = try await alerts(caller).items
            #expect(all.map(\.raisedAt) == all.map(\.raisedAt).sorted(by: >))
            let first = try await alerts(caller, "?status=open&limit=1")
            let next = try #require(first.next)
            let second = try await alerts(caller, "?status=open&limit=1&after=\(next)")
            #expect(first.items + second.items == all)
            #expect(second.next == nil)
        }
    }

    @Test func resolvedAlertsAreRemovedInTheEnd() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            _ = try await caller.place(as: .bob)
            bench.clock.advance(by: 300)
            try await bench.parts.answers.announceOverdue()
            try await caller.act("cancel", order.id, as: .alice)
            bench.clock.advance(by: AlertStore.retentionSeconds + 1)
            try await bench.parts.sweep()
            #expect(try await alerts(caller).items.map(\.resolvedAt) == [nil])
        }
    }

    @Test func anOperatorWhoWithdrawsAValetIsRecordedAndAValetIsNot() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await caller.act("withdraw", order.id, as: .victor)
            #expect(try await bench.published(OperatorActed.self).isEmpty)
            try await bench.match(order.id, .vera)
            try await caller.act(
                "withdraw", order.id, ReasonBody(reason: "sent elsewhere"), as: .olivia)
            let act = try #require(try await bench.published(OperatorActed.self).first)
            #expect(act.action == "orders.withdraw")
            #expect(act.subject == order.id.description)
            #expect(act.reason == "sent elsewhere")
            #expect(act.by == TestPerson.olivia.operatorID)
            #expect(act.actedAt == bench.clock.now)
        }
    }
}
