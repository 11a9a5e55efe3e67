import Contracts
import Foundation
import Support
import Testing

@testable import Payments

@Suite struct EarningsTests {
    private func earnings(
        _ caller: Caller, _ query: String = "", as person: TestPerson = .vera
    ) async throws -> Earnings {
        try await caller.call(.get, "/v1/me/earnings\(query)", as: person)
            .expect(200, Earnings.self)
    }

    @Test func aValetSeesTheirPartOfEachTip() async throws {
        let bench = try Bench()
        let first = try await bench.billed()
        _ = try await bench.pay(first.id, tip: 2_001)
        let firstAt = bench.clock.now
        let second = try await bench.billed(valets: (.vera, nil))
        _ = try await bench.pay(second.id, tip: 500)
        let secondAt = bench.clock.now
        let without = try await bench.billed(valets: (.vera, nil))
        _ = try await bench.pay(without.id)
        bench.clock.advance(by: 1)
        try await bench.run { caller in
            let vera = try await earnings(caller)
            #expect(vera.tips == [.hkd(1_501)])
            #expect(
                vera.items == [
                    .init(bill: second.id, tip: .hkd(500), givenAt: secondAt),
                    .init(bill: first.id, tip: .hkd(1_001), givenAt: firstAt),
                ])
            #expect(try await earnings(caller, as: .victor).tips == [.hkd(1_000)])
        }
    }

    @Test func onlyTheSpanCounts() async throws {
        let bench = try Bench()
        let order = try await bench.billed(valets: (.vera, nil))
        _ = try await bench.pay(order.id, tip: 500)
        let at = bench.clock.now
        bench.clock.advance(by: 8 * 86_400)
        try await bench.run { caller in
            let week = try await earnings(caller)
            #expect(week.tips.isEmpty)
            #expect(week.items.isEmpty)
            #expect(week.to == bench.clock.now)
            let (from, to) = (Wire.text(at), Wire.text(at.addingTimeInterval(1)))
            #expect(try await earnings(caller, "?from=\(from)&to=\(to)").tips == [.hkd(500)])
            #expect(try await earnings(caller, "?from=\(to)").tips.isEmpty)
            let before = Wire.text(at.addingTimeInterval(-60))
            #expect(try await earnings(caller, "?from=\(before)&to=\(from)").tips.isEmpty)
        }
    }

    @Test func aRefundLeavesTheTip() async throws {
        let bench = try Bench()
        let order = try await bench.billed(valets: (.vera, nil))
        let payment = try await bench.pay(order.id, tip: 500)
        bench.clock.advance(by: 1)
        try await bench.run { caller in
            try await caller.refund(payment.id).expect(201, Refund.self)
            #expect(try await earnings(caller).tips == [.hkd(500)])
        }
    }

    @Test func aSpanThatCanNotBeIsRefused() async throws {
        let bench = try Bench()
        let now = bench.clock.now
        let month = Wire.text(now.addingTimeInterval(-32 * 86_400))
        let later = Wire.text(now.addingTimeInterval(1))
        try await bench.run { caller in
            for (query, field) in [
                ("?from=yesterday", "from"), ("?to=1", "to"), ("?from=\(month)", "from"),
                ("?from=\(later)", "from"),
            ] {
                try await caller.call(.get, "/v1/me/earnings\(query)", as: .vera)
                    .refused(422, "request.invalid", field: field)
            }
        }
    }

    @Test func itIsForValetsAlone() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .olivia] {
                try await caller.call(.get, "/v1/me/earnings", as: person)
                    .refused(403, "auth.role")
            }
            try await caller.call(.get, "/v1/me/earnings", as: nil)
                .refused(401, "auth.token_missing")
        }
    }
}
