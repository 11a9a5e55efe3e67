import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

@Suite struct RevenueTests {
    private static let path = "/v1/admin/statistics/revenue"

    private func revenue(_ caller: Caller, _ query: String = "") async throws -> RevenueStatistics {
        try await caller.call(.get, "\(Self.path)\(query)", as: .olivia)
            .expect(200, RevenueStatistics.self)
    }

    @Test func nothingIsNothing() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let found = try await revenue(caller)
            #expect(found.currencies.isEmpty && found.hours.isEmpty)
            #expect(found.to == bench.clock.now)
            #expect(found.from == bench.clock.now.addingTimeInterval(-86_400))
        }
    }

    @Test func whatWasPaidGivenAndGivenBackIsSummed() async throws {
        let bench = try Bench()
        let first = try await bench.billed(12_000)
        let payment = try await bench.pay(first.id, tip: 1_001)
        let firstAt = bench.clock.now
        bench.clock.advance(by: 7_200)
        let second = try await bench.billed(5_000, to: .bob)
        _ = try await bench.pay(second.id, by: .bob)
        let secondAt = bench.clock.now
        let declined = try await bench.billed(7_000, to: .alice)
        _ = try? await bench.pay(declined.id, "pm_card_visa_chargeDeclined")
        bench.clock.advance(by: 1)
        try await bench.run { caller in
            try await caller.refund(payment.id, 3_000).expect(201, Refund.self)
            bench.clock.advance(by: 1)
            let found = try await revenue(caller)
            #expect(
                found.currencies == [
                    .init(
                        charged: .hkd(17_000), tips: .hkd(1_001), refunded: .hkd(3_000),
                        payments: 2)
                ])
            func hour(of date: Date) -> Date { TimeSpan.start(ofHour: TimeSpan.hour(of: date)) }
            #expect(
                found.hours == [
                    .init(startsAt: hour(of: firstAt), charged: .hkd(12_000)),
                    .init(startsAt: hour(of: secondAt), charged: .hkd(5_000)),
                ])

            // The beginning is included, the end is not; a refund counts when it is given.
            let (from, to) = (Wire.text(firstAt), Wire.text(secondAt))
            let early = try await revenue(caller, "?from=\(from)&to=\(to)")
            #expect(
                early.currencies == [
                    .init(
                        charged: .hkd(12_000), tips: .hkd(1_001), refunded: .hkd(0), payments: 1)
                ])
            let late = try await revenue(caller, "?from=\(to)")
            #expect(
                late.currencies == [
                    .init(charged: .hkd(5_000), tips: .hkd(0), refunded: .hkd(3_000), payments: 1)
                ])
        }
    }

    @Test func aRefundCountsWholeWhoeverBearsIt() async throws {
        let bench = try Bench()
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 1)
        bill.lines = [
            .of("fee", "Fee", "費用", 4_000),
            .of("ride", "Ride", "順風車", 6_000, payee: .bob, commission: 600),
        ]
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id)
        try await bench.run { caller in
            try await caller.call(
                .post, "/v1/admin/payments/\(payment.id)/refunds",
                RefundBody(line: 1, reason: "a cancelled ride"), as: .olivia
            ).expect(201, Refund.self)
            #expect(try await bench.balances()[.payable] == 0)
            bench.clock.advance(by: 1)
            #expect(
                try await revenue(caller).currencies == [
                    .init(
                        charged: .hkd(10_000), tips: .hkd(0), refunded: .hkd(6_000), payments: 1)
                ])
        }
    }

    @Test func whatCustomersPaidCountsWithItsTax() async throws {
        let bench = try await DocumentTests.bench(pricesIncludeTax: false)
        let payment = try await bench.pay(try await bench.billed(10_000).id, tip: 100)
        try await bench.run { caller in
            bench.clock.advance(by: 1)
            try await caller.refund(payment.id, 1_190).expect(201, Refund.self)
            bench.clock.advance(by: 1)
            #expect(
                try await revenue(caller).currencies == [
                    .init(
                        charged: .hkd(11_900), tips: .hkd(100), refunded: .hkd(1_190), payments: 1)
                ])
        }
    }

    /// Without tax, as in the books; a refund of an earlier payment is told beside what was earned.
    @Test func aPlacesRevenueIsThatOfTheBooks() async throws {
        let bench = try await DocumentTests.bench()
        var bill = Bill.of(.alice, 11_900, version: 1)
        bill.facts.site = Bill.Site(.area, id: "berlin", name: "Berlin")
        bill.lines.append(.of("ride", "Ride", "順風車", 5_000, payee: .bob, commission: 1_190))
        bill.tipped = [TestPerson.victor.id]
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id, tip: 700)
        bench.clock.advance(by: 1)
        try await bench.run { caller in
            let refundedAt = bench.clock.now
            try await caller.refund(payment.id, 2_380).expect(201, Refund.self)
            bench.clock.advance(by: 1)
            let found = try await revenue(caller, "?by=site")
            #expect(found.currencies.map(\.charged) == [.hkd(16_900)])
            #expect(found.currencies.map(\.refunded) == [.hkd(2_380)])
            let rows = try #require(found.rows)
            #expect(rows.map(\.siteName) == [nil, "Berlin"])
            #expect(rows.map(\.revenue) == [.hkd(1_000), .hkd(10_000)])
            // Without 294 of tax.
            #expect(rows.map(\.refunded) == [nil, .hkd(2_086)])
            let zone = try await bench.database.read { try $0.company.timeZone() }
            let books = try await bench.payments.bookDay(
                Day(refundedAt, in: zone).text, in: .english
            ).books.currencies
            let sold = books.flatMap(\.sold)
            #expect(
                rows.map(\.revenue.amount)
                    == sold.map { $0.revenue.amount + $0.commission.amount })
            #expect(rows.map { $0.refunded?.amount ?? 0 } == sold.map(\.refunded.amount))

            let later = try await revenue(caller, "?by=site&from=\(Wire.text(refundedAt))")
            #expect(later.rows?.map(\.siteName) == ["Berlin"])
            #expect(later.rows?.map(\.revenue) == [.hkd(0)])
            #expect(later.rows?.map(\.refunded) == [.hkd(2_086)])
            #expect(try await revenue(caller).rows == nil)
        }
    }

    @Test func moneyForABillThatWasGoneIsNoRevenue() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        // The provider takes the money and nobody hears of it; an operator waives the bill.
        bench.provider.failNext(.answerLost)
        _ = try? await bench.pay(order.id)
        try await bench.override(order, bill: nil)
        bench.clock.advance(by: 3_600)
        for _ in 1...3 {
            await bench.recover()
            bench.clock.advance(by: 3_600)
        }
        let balances = try await bench.balances()
        #expect(balances[.customerCredit] ?? 0 == 0)
        #expect(try await bench.captures(of: order.id) == 1)
        try await bench.run { caller in
            let found = try await revenue(caller)
            #expect(found.currencies.isEmpty && found.hours.isEmpty)
        }
    }

    @Test func whoMayNotAndWhatCanNotBeIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            try await caller.call(.get, Self.path, as: nil).refused(401, "auth.token_missing")
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, Self.path, as: person).refused(403, "auth.role")
            }
            let now = bench.clock.now
            let (later, same) = (Wire.text(now.addingTimeInterval(60)), Wire.text(now))
            let month = Wire.text(now.addingTimeInterval(-31 * 86_400 - 1))
            for (query, field) in [
                ("?from=yesterday", "from"), ("?to=x", "to"), ("?from=\(later)", "from"),
                ("?from=\(same)&to=\(same)", "from"), ("?from=\(month)", "from"),
            ] {
                try await caller.call(.get, Self.path + query, as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
        }
    }
}

@Suite struct PaymentProviderTests {
    @Test func theStubSaysWhichCardsItKnows() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let found = try await caller.call(.get, "/v1/payment-provider", as: nil)
                .expect(200, PaymentProviderInfo.self)
            #expect(found.provider == .stub)
            let outcomes = Dictionary(
                uniqueKeysWithValues: found.testMethods.map { ($0.token, $0.outcome) })
            #expect(
                outcomes == [
                    "pm_card_visa": .succeeds, "pm_card_mastercard": .succeeds,
                    "pm_card_visa_chargeDeclined": .declined,
                    "pm_card_visa_chargeDeclinedInsufficientFunds": .declined,
                    "pm_card_authenticationRequired": .requiresAction,
                ])
            for method in found.testMethods {
                #expect(method.last4.count == 4)
                let order = try await bench.billed()
                let answer = try await caller.pay(order.id, method.token)
                switch method.outcome {
                case .succeeds, .requiresAction: #expect(answer.status == 200)
                case .declined: #expect(answer.status == 402)
                }
            }
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [("sk_live_1", 0), ("rk_live_1", 0), ("sk_test_1", 5), ("rk_test_1", 5)])
    func stripeHasTestCardsInItsTestModeOnly(key: String, count: Int) throws {
        let stripe = PaymentsConfig.Stripe(
            url: URL(string: "http://127.0.0.1:1")!, key: key, webhookSecret: "whsec")
        let info = PaymentProviderInfo(PaymentsConfig(stripe: stripe))
        #expect(info.provider == .stripe)
        #expect(info.testMethods.count == count)
    }
}
