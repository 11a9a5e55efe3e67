import Contracts
import Foundation
import Support
import Testing

@testable import Payments

@Suite struct PayTests {
    @Test(arguments: [
        ("pm_card_visa", "visa", "4242"), ("pm_card_mastercard", "mastercard", "4444"),
    ])
    func aCardPaysTheBill(token: String, brand: String, last4: String) async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let payment = try await bench.run { caller in
            try await caller.pay(order.id, token).expect(200, PaymentAnswer.self).payment
        }
        #expect(payment.bill == order.id)
        #expect(payment.order == order.id.as(OrderID.self))
        #expect(payment.amount == .hkd(12_000))
        #expect(payment.refunded == .hkd(0))
        #expect(payment.status == .succeeded)
        #expect(payment.brand == brand)
        #expect(payment.last4 == last4)
        #expect(payment.createdAt == bench.clock.now)
        let events = try await bench.succeeded()
        #expect(
            events == [
                PaymentSucceeded(
                    payment: payment, product: .made, payer: TestPerson.alice.id,
                    paidAt: bench.clock.now)
            ])
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func aDeclinedCardIsTriedAgainWithAnother() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            let problem = try await caller.pay(order.id, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            #expect(problem.detail == "card_declined")
            #expect(try await bench.declined().count == 1)
            #expect(try await bench.declined().first?.payment.declineReason == "card_declined")
            try await caller.pay(order.id).expect(200, PaymentAnswer.self)
        }
        #expect(try await bench.captures(of: order.id) == 1)
        #expect(try await bench.balances()[.customerReceivable] == 0)
    }

    @Test func aFurtherStepIsAskedForAndThenPays() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let token = "pm_card_authenticationRequired"
        try await bench.run { caller in
            let first = try await caller.pay(order.id, token).expect(200, PaymentAnswer.self)
            #expect(first.payment.status == .requiresAction)
            #expect(first.payment.clientSecret?.isEmpty == false)
            #expect(try await bench.succeeded().isEmpty)
            let second = try await caller.pay(order.id, token).expect(200, PaymentAnswer.self)
            #expect(second.payment.id == first.payment.id)
            #expect(second.payment.status == .succeeded)
            #expect(second.payment.clientSecret == nil)
        }
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func anotherCardTakesThePlaceOfOneThatWantsAFurtherStep() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            let first = try await caller.pay(order.id, "pm_card_authenticationRequired")
                .expect(200, PaymentAnswer.self).payment
            bench.clock.advance(by: 1)
            let second = try await caller.pay(order.id).expect(200, PaymentAnswer.self).payment
            #expect(second.id != first.id)
            #expect(second.status == .succeeded)
            let entries = try await caller.entries().items.compactMap(\.payment)
            #expect(entries.map(\.status.known) == [.succeeded, .declined])
            #expect(entries.last?.declineReason == "superseded")
        }
        // The customer chose it: nobody has to be told.
        #expect(try await bench.declined().isEmpty)
        #expect(try await bench.captures(of: order.id) == 1)
    }

    @Test func aStepForAnAmountThatIsNoLongerDueDoesNotPay() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let token = "pm_card_authenticationRequired"
        let first = try await bench.pay(order.id, token)
        try await bench.override(order, bill: 5_000)
        let second = try await bench.pay(order.id, token)
        #expect(second.id != first.id)
        #expect(second.status == .requiresAction)
        #expect(try await bench.pay(order.id, token).amount == .hkd(5_000))
    }

    @Test func aSavedMethodPays() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            let method = try await caller.call(
                .post, "/v1/me/payment-methods", PaymentTokenBody(token: "pm_card_mastercard"),
                as: .alice
            ).expect(201, PaymentMethod.self)
            let payment = try await caller.call(
                .post, "/v1/orders/\(order.id)/pay", PayBody(paymentMethodId: method.id),
                as: .alice
            ).expect(200, PaymentAnswer.self).payment
            #expect(payment.last4 == "4444")
        }
    }

    @Test func whatWasPaidIsPaidAlsoWithoutTheMethodThatPaidIt() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let methods = "/v1/me/payment-methods"
            let method = try await caller.call(
                .post, methods, PaymentTokenBody(token: "pm_card_visa"), as: .alice
            ).expect(201, PaymentMethod.self)
            let (path, body) = ("/v1/bills/\(bill.id)/pay", PayBody(paymentMethodId: method.id))
            let first = try await caller.call(.post, path, body, as: .alice, key: "k")
            try first.expect(200, PaymentAnswer.self)
            _ = try await caller.call(.delete, "\(methods)/\(method.id)", as: .alice)
            // As a product asks, and the payer under another key.
            let asked = BillPayment(
                payer: TestPerson.alice.id, paymentMethodId: method.id, token: nil)
            try await caller.internally(
                .post, "/internal/bills/\(bill.id)/pay", Wire.json(asked)
            ).refused(409, "payment.already_paid")
            try await caller.call(.post, path, body, as: .alice, key: "new")
                .refused(409, "payment.already_paid")
            let again = try await caller.call(.post, path, body, as: .alice, key: "k")
            #expect(again.data == first.data)
        }
    }

    @Test func paidOnceIsPaid() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            try await caller.pay(order.id).expect(200, PaymentAnswer.self)
            try await caller.pay(order.id).refused(409, "payment.already_paid")
            try await caller.pay(order.id, key: "new").refused(409, "payment.already_paid")
        }
    }

    @Test func theSameKeyGetsTheSameAnswer() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            let first = try await caller.pay(order.id, key: "k1")
            bench.clock.advance(by: 60)
            let second = try await caller.pay(order.id, key: "k1")
            #expect(first.status == 200)
            #expect(first.data == second.data)
            try await caller.pay(order.id, "pm_card_mastercard", key: "k1")
                .refused(422, "idempotency.key_reused")
        }
        #expect(try await bench.succeeded().count == 1)
    }

    @Test func theSameKeyGetsTheSameRefusal() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            for _ in 0..<2 {
                try await caller.pay(order.id, "pm_card_visa_chargeDeclined", key: "k1")
                    .refused(402, "payment.declined")
            }
        }
        #expect(try await bench.declined().count == 1)
    }

    @Test(arguments: [nil, "one-key"])
    func ofManyAtOnceOnlyOneIsCaptured(key: String?) async throws {
        let bench = try Bench(patience: .init(bill: .zero, settled: patience))
        let order = try await bench.billed()
        let statuses = try await bench.run { caller in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await caller.pay(order.id, key: key).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(statuses.count { $0 == 200 } == (key == nil ? 1 : 20))
        #expect(statuses.count { $0 == 409 } == (key == nil ? 19 : 0))
        #expect(try await bench.captures(of: order.id) == 1)
        #expect(try await bench.succeeded().count == 1)
    }

    @Test func someoneElsesOrderIsUnknown() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            try await caller.pay(order.id, as: .bob).refused(404, "payment.bill_unknown")
            try await caller.pay(.new()).refused(404, "payment.bill_unknown")
            try await caller.pay(order.id, as: .victor).refused(403, "auth.role")
            try await caller.pay(order.id, as: .olivia).refused(403, "auth.role")
            try await caller.pay(order.id, as: nil).refused(401, "auth.token_missing")
        }
        #expect(try await bench.captures(of: order.id) == 0)
    }

    @Test func beforeTheBillNothingIsDue() async throws {
        let bench = try Bench()
        let order = Bill.of(.alice, nil, version: 1)
        try await bench.hear(order)
        try await bench.run { caller in
            try await caller.pay(order.id).refused(409, "payment.not_due")
            try await caller.pay(order.id, as: .bob).refused(404, "payment.bill_unknown")
        }
    }

    @Test func aBillOnItsWayIsWaitedFor() async throws {
        let bench = try Bench(patience: .init(bill: patience, settled: .zero))
        let order = Bill.of(.alice, 12_000, version: 8)
        let payment = try await bench.run { caller in
            async let answer = caller.pay(order.id)
            try await bench.hear(order)
            return try await answer.expect(200, PaymentAnswer.self).payment
        }
        #expect(payment.status == .succeeded)
    }

    @Test func exactlyOneSourceIsNeeded() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            for body in [PayBody(), PayBody(paymentMethodId: .new(), token: "pm_card_visa")] {
                try await caller.call(.post, "/v1/orders/\(order.id)/pay", body, as: .alice)
                    .refused(422, "request.invalid", field: "paymentMethodId")
            }
            let path = "/v1/orders/\(order.id)/pay"
            try await caller.call(
                .post, path, PayBody(paymentMethodId: .new()), as: .alice
            ).refused(404, "payment.method_unknown", field: "paymentMethodId")
            try await caller.call(.post, path, raw: #"{"token": 5}"#, as: .alice)
                .refused(400, "request.malformed", field: "token")
            try await caller.call(.post, path, raw: #"{"paymentMethodId": "7"}"#, as: .alice)
                .refused(400, "request.malformed", field: "paymentMethodId")
            try await caller.call(.post, path, raw: "{", as: .alice).refused(
                400, "request.malformed")
            try await caller.call(.post, "/v1/orders/7/pay", raw: "{}", as: .alice)
                .refused(404, "request.not_found")
        }
    }

    @Test func anUnknownTokenChangesNothing() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            try await caller.pay(order.id, "pm_card_unknown")
                .refused(422, "payment.token_unknown", field: "token")
            let long = String(repeating: "a", count: 256)
            for token in ["", "pm card visa", "pm_card_visa\u{0}", long] {
                try await caller.pay(order.id, token)
                    .refused(422, "request.invalid", field: "token")
            }
            #expect(try await caller.entries().items.isEmpty)
        }
        #expect(try await bench.declined().isEmpty)
    }

    @Test(arguments: [
        "4242424242424242", "4242 4242 4242 4242", "4242-4242-4242-4242", "tok_4242424242424242",
        "４２４２４２４２４２４２４２４２", "378282246310005",
    ])
    func aCardNumberIsRefusedAndStoredNowhere(number: String) async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            for key in [nil, "a-key"] {
                let problem = try await caller.pay(order.id, number, key: key)
                    .refused(422, "payment.card_number_refused", field: "token")
                #expect(problem.detail == nil)
                try await caller.call(
                    .post, "/v1/me/payment-methods", PaymentTokenBody(token: number), as: .alice,
                    key: key
                ).refused(422, "payment.card_number_refused", field: "token")
            }
        }
        let rows = try await bench.database.read { transaction in
            try ["payments", "payment_methods", "idempotency", "outbox", "stub_charges"].map {
                try transaction.row("SELECT COUNT(*) AS n FROM \($0)")?.get("n", as: Int.self)
            }
        }
        #expect(rows == [0, 0, 0, 0, 0])
    }

    @Test(.withoutDatabase) func aTokenIsNotPrinted() throws {
        #expect(!"\(try PaymentToken("pm_card_visa"))".contains("visa"))
        #expect(!"\(PaymentSource.token(try PaymentToken("pm_card_visa")))".contains("visa"))
    }
}
