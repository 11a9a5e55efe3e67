import Contracts
import EventBus
import Foundation
import ServiceLifecycle
import Support
import Testing

@testable import Payments

@Suite struct RecoveryTests {
    @Test func aLostAnswerIsAskedForAndNeverChargedAnew() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.answerLost)
        try await bench.run { caller in
            let problem = try await caller.pay(order.id, key: "k")
                .refused(503, "payment.provider_unavailable")
            #expect(problem.retryAfterSeconds != nil)
            let payment = try await caller.pay(order.id, key: "k")
                .expect(200, PaymentAnswer.self).payment
            #expect(payment.status == .succeeded)
        }
        #expect(try await bench.captures(of: order.id) == 1)
        #expect(try await bench.succeeded().count == 1)
    }

    @Test func aLostAnswerIsFoundByARequestWithoutTheKey() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.answerLost)
        try await bench.run { caller in
            try await caller.pay(order.id).refused(503, "payment.provider_unavailable")
            try await caller.pay(order.id).refused(409, "payment.already_paid")
        }
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func aLostRequestMakesWayForTheNext() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.requestLost)
        try await bench.run { caller in
            try await caller.pay(order.id).refused(503, "payment.provider_unavailable")
            try await caller.pay(order.id).expect(200, PaymentAnswer.self)
        }
        #expect(try await bench.captures(of: order.id) == 1)
        #expect(try await bench.declined().map(\.payment.declineReason) == ["not_processed"])
    }

    @Test func theProviderIsAwayForLonger() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.fail { .requestLost }
        try await bench.run { caller in
            for _ in 0..<3 {
                try await caller.pay(order.id).refused(503, "payment.provider_unavailable")
            }
            await bench.recover()
            bench.provider.fail { .none }
            try await caller.pay(order.id).expect(200, PaymentAnswer.self)
        }
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func afterACrashBetweenChargeAndAnswerThePaymentIsFound() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.crashAfter)
        await #expect(throws: FaultyProvider.Crash.self) { try await bench.pay(order.id) }
        bench.clock.advance(by: PaymentUseCases.hold)
        await bench.recover()
        #expect(try await bench.succeeded().count == 1)
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func afterACrashBeforeTheChargeTheBillIsDueAgain() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.crashBefore)
        await #expect(throws: FaultyProvider.Crash.self) { try await bench.pay(order.id) }
        // Another process may still be at it.
        await #expect(throws: Refusal.paymentInProgress) { try await bench.pay(order.id) }
        await bench.recover()
        #expect(try await bench.declined().isEmpty)
        bench.clock.advance(by: PaymentUseCases.hold)
        await bench.recover()
        #expect(try await bench.declined().map(\.payment.declineReason) == ["not_processed"])
        #expect(try await bench.pay(order.id).status == .succeeded)
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func whoeverDiedBeforeTheChargeIsFollowedByTheirRepeat() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.crashBefore)
        await #expect(throws: FaultyProvider.Crash.self) { try await bench.pay(order.id, key: "k") }
        #expect(try await bench.pay(order.id, key: "k").status == .succeeded)
        #expect(try await bench.pay(order.id, key: "k").status == .succeeded)
        #expect(try await bench.captures(of: order.id) == 1)
        #expect(try await bench.declined().isEmpty)
    }

    @Test func aChargeThatArrivesAfterItWasGivenUpTakesNothing() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.crashBefore)
        await #expect(throws: FaultyProvider.Crash.self) { try await bench.pay(order.id) }
        let late = try #require(try await bench.lastAttempt())
        bench.clock.advance(by: PaymentUseCases.hold)
        await bench.recover()
        let outcome = try await bench.provider.charge(
            Charge(
                id: late.payment.id, bill: order.id, payer: late.payer,
                amount: late.payment.amount, reference: late.reference))
        #expect(outcome == .cancelled("not_processed"))
        #expect(try await bench.captures(of: order.id) == 0)
    }

    @Test func aStepThatNobodyTakesExpires() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        _ = try await bench.pay(order.id, "pm_card_authenticationRequired")
        await bench.recover()
        #expect(try await bench.declined().isEmpty)
        bench.clock.advance(by: PaymentUseCases.actionLimit)
        await bench.recover()
        #expect(try await bench.declined().map(\.payment.declineReason) == ["expired"])
        #expect(try await bench.pay(order.id).status == .succeeded)
    }

    @Test func attemptsThatStayOpenKeepNoRefundFromItsTurn() async throws {
        let bench = try Bench()
        let paid = try await bench.pay(try await bench.billed().id)
        // More than the queue takes at a time; the last can't even be read.
        for _ in 0..<110 {
            _ = try await bench.pay(
                try await bench.billed().id, "pm_card_authenticationRequired")
        }
        _ = try await bench.database.write {
            try $0.execute(
                "UPDATE payments SET body = '{}' WHERE id = (SELECT MAX(id) FROM payments)")
        }
        bench.provider.failNext(.answerLost)
        await #expect(throws: Refusal.paymentProviderUnavailable.because(Refund.willBeMade)) {
            try await bench.payments.refund(
                paid.id, RefundBody(reason: "late"), by: TestPerson.olivia.id, key: nil)
        }
        bench.clock.advance(by: PaymentUseCases.hold)
        await bench.recover()
        #expect(try await bench.refunded().count == 1)
    }

    @Test func theStubRemembersAcrossARestart() async throws {
        let folder = try TestFolder("payments")
        let before = try Bench(folder: folder.path)
        let order = try await before.billed()
        before.provider.failNext(.crashAfter)
        await #expect(throws: FaultyProvider.Crash.self) { try await before.pay(order.id) }
        try await before.database.close()

        let after = try Bench(folder: folder.path, clock: before.clock)
        after.clock.advance(by: PaymentUseCases.hold)
        await after.recover()
        #expect(try await after.succeeded().count == 1)
        #expect(try await after.captures(of: order.id) == 1)
        await #expect(throws: Refusal.alreadyPaid) { try await after.pay(order.id) }
        try await after.database.close()
    }

    @Test func theServiceFindsOutByItself() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.crashAfter)
        await #expect(throws: FaultyProvider.Crash.self) { try await bench.pay(order.id) }
        bench.clock.advance(by: PaymentUseCases.hold)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await PaymentWork.queue(bench.payments).run() }
            let isFound = try await eventually { try await bench.succeeded().count == 1 }
            #expect(isFound)
            group.cancelAll()
        }
        #expect(try await bench.captures(of: order.id) == 1)
    }
}
