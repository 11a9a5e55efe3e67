import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Access tokens live for minutes after an account has ended or was suspended.
@Suite struct StandingTests {
    private func delete(_ person: TestPerson, _ bench: Bench) async throws {
        try await bench.hear(
            AccountDeleted(
                account: person.id, role: person.role, version: 9, deletedAt: bench.clock.now))
    }

    @Test func whoDeletedTheAccountPaysAndKeepsNothing() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await delete(.alice, bench)
        try await bench.run { caller in
            try await caller.pay(bill.id).refused(401, "auth.token_invalid")
            try await caller.call(
                .post, "/v1/me/payment-methods", PaymentTokenBody(token: "pm_card_visa"),
                as: .alice
            ).refused(401, "auth.token_invalid")
            try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .alice)
                .refused(401, "auth.token_invalid")
            try await caller.call(
                .post, "/v1/me/payout-account", PayoutAccountBody(account: "acct_1"), as: .alice
            ).refused(401, "auth.token_invalid")
        }
        #expect(try await bench.captures(of: bill.id) == 0)
        #expect(try await bench.payments.data(of: TestPerson.alice.id).paymentMethods.isEmpty)
    }

    @Test func whatTheProviderKeepsOfADeletedAccountIsForgottenOnceMore() async throws {
        let bench = try Bench()
        bench.provider.afterKeeping {
            try await delete(.alice, bench)
            await bench.recover()
        }
        try await bench.run { caller in
            _ = try await caller.call(
                .post, "/v1/me/payment-methods", PaymentTokenBody(token: "pm_card_visa"),
                as: .alice
            ).refused(401, "auth.token_invalid")
        }
        #expect(bench.provider.chores == [.forget(TestPerson.alice.id)])
        await bench.recover()
        let forgotten = Array(repeating: Chore.forget(TestPerson.alice.id), count: 2)
        #expect(bench.provider.chores == forgotten)
    }

    @Test func anOperatorWhoIsGoneRefundsNothing() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        let payment = try await bench.pay(bill.id)
        try await delete(.olivia, bench)
        try await bench.run { caller in
            _ = try await caller.call(
                .post, "/v1/admin/payments/\(payment.id)/refunds",
                RefundBody(reason: "out of spite"), as: .olivia
            ).refused(401, "auth.token_invalid")
        }
        #expect(try await bench.acted().isEmpty)
    }

    @Test func aSuspendedValetPaysWhatTheyOweAsACustomer() async throws {
        let bench = try Bench()
        let account = TestPerson.boris.account(createdAt: bench.clock.now)
        try await bench.hear(AccountChanged(account: account, suspended: true, version: 2))
        try await bench.run { caller in
            _ = try await caller.call(
                .post, "/v1/me/payment-methods", PaymentTokenBody(token: "pm_card_visa"),
                as: .boris
            ).expect(201, PaymentMethod.self)
        }
    }

    @Test func aSuspendedValetIsPaidOutWhenTheyMayWorkAgain() async throws {
        let bench = try Bench()
        let account = TestPerson.victor.account(createdAt: bench.clock.now)
        func payOut(_ status: Int, _ code: String, field: String? = nil) async throws {
            try await bench.run { caller in
                _ = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .victor)
                    .refused(status, code, field: field)
            }
        }
        try await bench.hear(AccountChanged(account: account, suspended: true, version: 2))
        try await bench.hear(AccountChanged(account: account, suspended: false, version: 1))
        try await payOut(403, "account.suspended")
        try await bench.hear(AccountChanged(account: account, suspended: false, version: 3))
        try await payOut(422, "payout.too_large", field: "amount")
    }
}
