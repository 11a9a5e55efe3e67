import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Support
import Testing

@testable import Payments

/// Payments of the past, with which a demo begins.
@Suite struct PastPaymentTests {
    private let bill = Bill.of(12_000, version: 8)

    private func draft(_ paidAt: Date, tip: Int? = nil) -> PastPayment {
        PastPayment(
            payer: bill.payer, token: "pm_card_visa", tip: tip, paidAt: paidAt)
    }

    /// The product has told nobody of the bill: it is asked.
    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        let server = PretendServer(try .having(tippable))
        try await server.serve { url in try await body(try Bench(biller: url)) }
    }

    private var tippable: Bill {
        var bill = bill
        bill.tipped = [TestPerson.victor.id]
        return bill
    }

    @Test func theBooksAndTheProviderSayWhenItWas() async throws {
        try await withBench { bench in
            let now = bench.clock.now
            let paidAt = now.addingTimeInterval(-86_400)
            let payment = try await bench.payments.pay(bill.id, as: draft(paidAt, tip: 900))
            #expect(payment.status == .succeeded)
            #expect(payment.createdAt == paidAt)
            let told = try #require(try await bench.succeeded().last)
            #expect(told.paidAt == paidAt && told.payment == payment)
            #expect(try await bench.tips().map(\.amount) == [.hkd(900)])
            #expect(try await bench.unbalancedEntries().isEmpty)
            #expect(try await bench.balances().values.reduce(0, +) == 0)
            let span = TimeSpan(
                from: paidAt.addingTimeInterval(-60), to: paidAt.addingTimeInterval(60))
            let revenue = try await bench.payments.revenue(in: span)
            #expect(
                revenue.currencies == [
                    .init(
                        charged: .hkd(12_000), tips: .hkd(900), refunded: .hkd(0), payments: 1)
                ])
            let today = TimeSpan(from: now.addingTimeInterval(-60), to: now)
            #expect(try await bench.payments.revenue(in: today).currencies.isEmpty)
            // The provider's books of that day and ours are the same.
            let run = try await bench.payments.reconcile(
                Day(paidAt), by: TestPerson.olivia.id, key: nil)
            #expect(run.differences.isEmpty)
        }
    }

    @Test func itIsPaidOnceHoweverOftenItIsHandedIn() async throws {
        try await withBench { bench in
            let paidAt = bench.clock.now.addingTimeInterval(-3_600)
            _ = try await bench.payments.pay(bill.id, as: draft(paidAt))
            await #expect(throws: Refusal.alreadyPaid) {
                _ = try await bench.payments.pay(bill.id, as: draft(paidAt))
            }
            #expect(try await bench.captures(of: bill.id) == 1)
            #expect(try await bench.succeeded().count == 1)
        }
    }

    @Test func whatCanNotHaveBeenIsRefused() async throws {
        try await withBench { bench in
            let now = bench.clock.now
            await #expect {
                _ = try await bench.payments.pay(bill.id, as: draft(now.addingTimeInterval(1)))
            } throws: { Refusal.invalid ~= $0 }
            await #expect(throws: Refusal.tipInvalid) {
                _ = try await bench.payments.pay(bill.id, as: draft(now, tip: 0))
            }
            var other = draft(now)
            other.payer = TestPerson.bob.id
            await #expect(throws: Refusal.billUnknown) {
                _ = try await bench.payments.pay(bill.id, as: other)
            }
            let captures = try await bench.captures(of: bill.id)
            #expect(captures == 0)
        }
    }

    /// Without the setting there is no such path, for whomever.
    @Test(arguments: [false, true]) func onlyADemoHasAPast(isDemo: Bool) async throws {
        try await withBench { bench in
            let service = try ServiceEnvironment.test("openvalet", clock: bench.clock)
            let token = try await service.serviceTokens.token(for: "payments")
            let person = try await TestPerson.olivia.bearer(at: bench.clock.now)
            let config = PaymentsConfig(stripe: nil, takesHistory: isDemo)
            let router = try paymentRouter(bench.payments, bench.environment, config)
            let body = try Wire.encode(draft(bench.clock.now))
            try await Application(router: router).test(.router) { client in
                func status(_ bearer: String) async throws -> Int {
                    try await client.execute(
                        uri: "/internal/bills/\(bill.id)/past-payment", method: .post,
                        headers: [.authorization: bearer, .contentType: "application/json"],
                        body: ByteBuffer(bytes: body)
                    ).status.code
                }
                let (byPerson, byService) = (
                    try await status(person), try await status("Bearer \(token)")
                )
                #expect(byPerson == 401)
                #expect(byService == (isDemo ? 200 : 404))
            }
            let captures = try await bench.captures(of: bill.id)
            #expect(captures == (isDemo ? 1 : 0))
        }
    }

    @Test(.withoutDatabase) func whoMovesMoneyTakesNoPast() throws {
        func config(_ provider: String) throws -> PaymentsConfig {
            try PaymentsConfig(
                ConfigValues(
                    [
                        "OPENVALET_PAYMENTS_PROVIDER": provider,
                        "OPENVALET_PAYMENTS_STRIPE_KEY": "sk_test_1",
                        "OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET": "whsec_1",
                        "OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY": "pk_test_1",
                        "OPENVALET_PAYMENTS_HISTORY": "yes",
                    ], keys: PaymentsConfig.keys))
        }
        #expect(try config("stub").takesHistory)
        #expect(throws: ConfigError.self) { try config("stripe") }
    }
}
