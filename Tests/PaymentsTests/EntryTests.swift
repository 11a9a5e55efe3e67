import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Payments

@Suite struct PaymentMethodTests {
    private func save(
        _ caller: Caller, _ token: String = "pm_card_visa", as person: TestPerson? = .alice,
        key: String? = nil
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/me/payment-methods", PaymentTokenBody(token: token), as: person, key: key)
    }

    private func list(
        _ caller: Caller, _ query: String = "", as person: TestPerson = .alice
    ) async throws -> Page<PaymentMethod> {
        try await caller.call(.get, "/v1/me/payment-methods\(query)", as: person)
            .expect(200, Page<PaymentMethod>.self)
    }

    @Test func methodsAreKeptListedAndRemoved() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let visa = try await save(caller).expect(201, PaymentMethod.self)
            bench.clock.advance(by: 1)
            let master = try await save(caller, "pm_card_mastercard")
                .expect(201, PaymentMethod.self)
            #expect(visa.brand == "visa")
            #expect(visa.last4 == "4242")
            #expect(try await list(caller).items == [master, visa])
            #expect(try await list(caller, as: .bob).items.isEmpty)
            let first = try await list(caller, "?limit=1")
            #expect(first.items == [master])
            let next = try #require(first.next)
            #expect(try await list(caller, "?limit=1&after=\(next)").items == [visa])
            let gone = try await caller.call(
                .delete, "/v1/me/payment-methods/\(visa.id)", as: .alice)
            #expect(gone.status == 204)
            #expect(try await list(caller).items == [master])
        }
    }

    @Test func someoneElsesMethodIsUnknown() async throws {
        let bench = try Bench()
        let order = try await bench.billed(to: .bob)
        try await bench.run { caller in
            let visa = try await save(caller).expect(201, PaymentMethod.self)
            try await caller.call(.delete, "/v1/me/payment-methods/\(visa.id)", as: .bob)
                .refused(404, "payment.method_unknown", field: "paymentMethodId")
            try await caller.call(
                .post, "/v1/orders/\(order.id)/pay", PayBody(paymentMethodId: visa.id), as: .bob
            ).refused(404, "payment.method_unknown", field: "paymentMethodId")
            #expect(try await list(caller).items == [visa])
        }
    }

    @Test func aRepeatUnderTheSameKeyKeepsOne() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await save(caller, key: "k")
            // The provider need not be there for it.
            bench.provider.failNext(.requestLost)
            #expect(try await save(caller, key: "k").data == first.data)
            #expect(try await list(caller).items.count == 1)
        }
    }

    @Test func thereIsALimit() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for _ in 0..<PaymentUseCases.mostMethods { _ = try await save(caller) }
            // The provider is not asked: it would keep the card.
            bench.provider.failNext(.requestLost)
            try await save(caller).refused(422, "payment.too_many_methods")
        }
    }

    @Test func badInputIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            try await save(caller, "pm_card_unknown")
                .refused(422, "payment.token_unknown", field: "token")
            try await save(caller, as: .victor).refused(403, "auth.role")
            try await save(caller, as: nil).refused(401, "auth.token_missing")
            try await caller.call(.post, "/v1/me/payment-methods", raw: "{}", as: .alice)
                .refused(400, "request.malformed", field: "token")
            try await caller.call(.delete, "/v1/me/payment-methods/x", as: .alice)
                .refused(404, "request.not_found")
            try await caller.call(.get, "/v1/me/payment-methods?after=x", as: .alice)
                .refused(422, "request.invalid", field: "after")
            try await caller.call(.get, "/v1/me/payment-methods?limit=0", as: .alice)
                .refused(422, "request.invalid", field: "limit")
        }
    }
}

@Suite struct PaymentListTests {
    @Test func paymentsAndRefundsAreListedNewestFirst() async throws {
        let bench = try Bench()
        let mine = try await bench.billed()
        let theirs = try await bench.billed(to: .bob)
        try await bench.run { caller in
            let payment = try await caller.pay(mine.id).expect(200, PaymentAnswer.self).payment
            bench.clock.advance(by: 1)
            try await caller.pay(theirs.id, as: .bob).expect(200, PaymentAnswer.self)
            bench.clock.advance(by: 1)
            let refund = try await caller.refund(payment.id, 500).expect(201, Refund.self)
            let entries = try await caller.entries()
            #expect(entries.items.map(\.kind) == [.refund, .payment])
            #expect(entries.items.first?.refund == refund)
            #expect(entries.items.last?.payment?.refunded == .hkd(500))
            #expect(try await caller.entries(as: .bob).items.count == 1)
            #expect(
                try await caller.entries(as: .olivia).items.map(\.kind)
                    == [.refund, .payment, .payment])
        }
    }

    @Test func pagesFollowEachOther() async throws {
        let bench = try Bench()
        var ids: [PaymentID] = []
        for _ in 0..<5 {
            let order = try await bench.billed()
            ids.append(try await bench.pay(order.id).id)
        }
        let expected = Array(ids.reversed())
        try await bench.run { caller in
            for person in [TestPerson.alice, .olivia] {
                var (found, after): ([PaymentID], String?) = ([], nil)
                repeat {
                    let page = try await caller.entries(
                        "?limit=2" + (after.map { "&after=\($0)" } ?? ""), as: person)
                    found += page.items.compactMap(\.payment?.id)
                    after = page.next
                } while after != nil
                #expect(found == expected)
            }
        }
    }

    @Test func badInputIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            try await caller.call(.get, "/v1/payments", as: .victor).refused(403, "auth.role")
            try await caller.call(.get, "/v1/payments", as: nil)
                .refused(401, "auth.token_missing")
            try await caller.call(.get, "/v1/payments?after=x", as: .alice)
                .refused(422, "request.invalid", field: "after")
        }
    }
}
