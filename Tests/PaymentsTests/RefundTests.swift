import Contracts
import Foundation
import Support
import Testing

@testable import Payments

@Suite struct RefundTests {
    private func paid(_ bench: Bench, _ amount: Int = 12_000) async throws -> Payment {
        let order = try await bench.billed(amount)
        return try await bench.pay(order.id)
    }

    @Test func withoutAnAmountAllThatIsLeftGoesBack() async throws {
        let bench = try Bench()
        let payment = try await paid(bench)
        try await bench.run { caller in
            let part = try await caller.refund(payment.id, 2_000).expect(201, Refund.self)
            #expect(part.amount == .hkd(2_000))
            #expect(part.payment == payment.id)
            #expect(part.order == payment.order)
            #expect(part.reason == "a scratch")
            let rest = try await caller.refund(payment.id).expect(201, Refund.self)
            #expect(rest.amount == .hkd(10_000))
            try await caller.refund(payment.id)
                .refused(422, "payment.refund_too_large", field: "amount")
        }
        let events = try await bench.refunded()
        #expect(events.map(\.refund.amount.amount) == [2_000, 10_000])
        #expect(events.allSatisfy { $0.by == TestPerson.olivia.id })
        #expect(events.allSatisfy { $0.payer == TestPerson.alice.id })
        #expect(try await bench.balances()[.providerClearing] == 0)
    }

    @Test func neverMoreThanIsLeft() async throws {
        let bench = try Bench()
        let payment = try await paid(bench)
        try await bench.run { caller in
            let problem = try await caller.refund(payment.id, 12_001)
                .refused(422, "payment.refund_too_large", field: "amount")
            #expect(problem.detail == "Left: 12000 HKD.")
            for amount in [0, -1, .max, .min] {
                try await caller.refund(payment.id, amount)
                    .refused(422, "request.invalid", field: "amount")
            }
        }
        #expect(try await bench.refunded().isEmpty)
    }

    @Test func togetherTheyDoNotExceedTheCharge() async throws {
        let bench = try Bench(patience: .init())
        let payment = try await paid(bench, 10_000)
        let statuses = try await bench.run { caller in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask { try await caller.refund(payment.id, 3_000).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(statuses.count { $0 == 201 } == 3)
        #expect(statuses.count { $0 == 422 } == 7)
        #expect(try await bench.balances()[.refunds] == 9_000)
    }

    @Test func theSameKeyGivesBackOnce() async throws {
        let bench = try Bench()
        let payment = try await paid(bench)
        try await bench.run { caller in
            let first = try await caller.refund(payment.id, 100, key: "k")
            let second = try await caller.refund(payment.id, 100, key: "k")
            #expect(first.status == 201)
            #expect(first.data == second.data)
            try await caller.refund(payment.id, 200, key: "k")
                .refused(422, "idempotency.key_reused")
        }
        #expect(try await bench.refunded().count == 1)
    }

    @Test func onlyWhatSucceededIsRefunded() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let waiting = try await bench.pay(order.id, "pm_card_authenticationRequired")
        try await bench.run { caller in
            try await caller.refund(waiting.id).refused(409, "payment.not_refundable")
            try await caller.refund(.new()).refused(404, "payment.unknown")
            try await caller.refund(waiting.id, as: .alice).refused(403, "auth.role")
            try await caller.refund(waiting.id, as: .victor).refused(403, "auth.role")
            try await caller.refund(waiting.id, as: nil).refused(401, "auth.token_missing")
        }
    }

    @Test func aReasonIsNeeded() async throws {
        let bench = try Bench()
        let payment = try await paid(bench)
        let path = "/v1/admin/payments/\(payment.id)/refunds"
        try await bench.run { caller in
            for reason in ["", "  ", String(repeating: "x", count: 501)] {
                try await caller.call(.post, path, RefundBody(reason: reason), as: .olivia)
                    .refused(422, "request.invalid", field: "reason")
            }
            try await caller.call(.post, path, raw: "{}", as: .olivia)
                .refused(400, "request.malformed", field: "reason")
            let half = try await caller.call(
                .post, path, raw: #"{"reason": "x", "amount": 1.5}"#, as: .olivia)
            #expect(half.status == 400)
        }
        #expect(try await bench.refunded().isEmpty)
    }

    @Test func aRefundWhoseAnswerWasLostIsFinishedOnce() async throws {
        for fault in [FaultyProvider.Fault.requestLost, .answerLost] {
            let bench = try Bench()
            let payment = try await paid(bench)
            bench.provider.failNext(fault)
            try await bench.run { caller in
                let problem = try await caller.refund(payment.id, 1_000, key: "k")
                    .refused(503, "payment.provider_unavailable")
                #expect(problem.retryAfterSeconds != nil)
                #expect(problem.detail?.contains("same Idempotency-Key") == true)
                try await caller.refund(payment.id, 11_001)
                    .refused(422, "payment.refund_too_large", field: "amount")
                try await caller.refund(payment.id, 1_000, key: "k").expect(201, Refund.self)
            }
            #expect(try await bench.refunded().count == 1)
            #expect(try await bench.balances()[.refunds] == 1_000)
        }
    }

    @Test func aRefundThatTakesItsTimeIsNotToBeRepeatedWithoutItsKey() async throws {
        let bench = try Bench()
        let payment = try await paid(bench)
        try await bench.run { caller in
            bench.provider.refunds(.pending)
            let problem = try await caller.refund(payment.id, 1_000, key: "k")
                .refused(409, "payment.in_progress")
            #expect(problem.detail?.contains("same Idempotency-Key") == true)
            bench.provider.refunds(nil)
            try await caller.refund(payment.id, 1_000, key: "k").expect(201, Refund.self)
        }
        #expect(try await bench.refunded().count == 1)
    }

    @Test func aRefundAfterACrashIsFinishedByItself() async throws {
        for fault in [FaultyProvider.Fault.crashBefore, .crashAfter] {
            let bench = try Bench()
            let payment = try await paid(bench)
            bench.provider.failNext(fault)
            await #expect(throws: FaultyProvider.Crash.self) {
                _ = try await bench.payments.refund(
                    payment.id, RefundBody(amount: 1_000, reason: "a scratch"),
                    by: TestPerson.olivia.id, key: nil)
            }
            bench.clock.advance(by: PaymentUseCases.hold)
            await bench.recover()
            #expect(try await bench.refunded().count == 1)
            #expect(try await bench.balances()[.refunds] == 1_000)
        }
    }
}
