import Answers
import Contracts
import Foundation
import HTTPTypes
import Support
import Testing

@testable import Payments

@Suite struct ReceiptTests {
    private func finished(_ bench: Bench, plate: String = "AB 1234") async throws -> OrderSnapshot {
        bench.clock.advance(by: 1)
        var order = OrderSnapshot.of(.alice, .waitingForPayment, version: 8)
        order.vehicle = OrderVehicle(
            id: nil, plate: plate, make: "Tesla", model: "Model 3", colour: "white")
        order.collectedAt = bench.clock.now.addingTimeInterval(-3_600)
        order.returnedAt = bench.clock.now
        order.dropOffValet = TestPerson.victor.valet
        let lines: [Quote.Line] = [
            .init(kind: .base, amount: .hkd(8_000)), .init(kind: .time, amount: .hkd(4_000)),
        ]
        try await bench.hear(
            VehicleReturned(
                order: order, valet: TestPerson.victor.valet,
                bill: Quote(durationSeconds: 3_600, charge: .hkd(12_000), lines: lines)))
        return order
    }

    private func receipt(
        _ caller: Caller, _ order: OrderID, _ query: String = "", accept: String? = nil,
        as person: TestPerson? = .alice
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        headers[.accept] = accept
        return try await caller.send(
            "/v1/orders/\(order)/receipt\(query)", .get, nil, as: person, key: nil,
            headers: headers)
    }

    @Test func itSaysWhatWasPaidForWhat() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        let payment = try await bench.pay(order.id, tip: 1_000)
        try await bench.run { caller in
            _ = try await caller.refund(payment.id, 500)
            for person in [TestPerson.alice, .olivia] {
                let found = try await receipt(caller, order.id, as: person)
                    .expect(200, Receipt.self)
                #expect(found.order == order.id)
                #expect(found.ticket == order.ticket)
                #expect(found.language == .english)
                #expect(found.vehicle?.plate == "AB 1234")
                #expect(found.collectedAt == order.collectedAt)
                #expect(found.returnedAt == order.returnedAt)
                #expect(found.lines.map(\.kind) == [.base, .time])
                #expect(found.charge == .hkd(12_000))
                #expect(found.tip == .hkd(1_000))
                #expect(found.paid == .hkd(13_000))
                #expect(found.refunded == .hkd(500))
                #expect(found.last4 == "4242")
                #expect(found.paidAt == payment.createdAt)
            }
        }
    }

    @Test func aPageIsInTheCustomersLanguageUnlessAnotherIsNamed() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        _ = try await bench.pay(order.id, tip: 1_000)
        let account = TestPerson.alice.account(
            language: .traditionalChinese, createdAt: bench.clock.now)
        try await bench.hear(AccountChanged(account: account, suspended: false, version: 2))
        try await bench.hear(
            AccountChanged(
                account: TestPerson.alice.account(createdAt: bench.clock.now), suspended: false,
                version: 1))
        try await bench.run { caller in
            let page = try await receipt(caller, order.id, accept: "text/html")
            #expect(page.status == 200)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            for text in ["收據", "代客泊車服務", "小費", "130.00", "lang=\"zh-Hant\"", "@media print"] {
                #expect(page.text.contains(text), "\(text)")
            }
            let english = try await receipt(
                caller, order.id, "?language=en", accept: "text/html,application/xhtml+xml;q=0.9")
            for text in ["Receipt", "Valet service", "Parking time", "Tip", "Total paid", "4242"] {
                #expect(english.text.contains(text), "\(text)")
            }
            #expect(!english.text.contains("收據"))
            #expect(
                try await receipt(caller, order.id).expect(200, Receipt.self).language
                    == .traditionalChinese)
            for accept in ["application/json", "*/*", "text/html;q=0.1, application/json"] {
                _ = try await receipt(caller, order.id, accept: accept)
                    .expect(200, Receipt.self)
            }
        }
    }

    @Test func whatPeopleWroteCanNotBecomeAPage() async throws {
        let bench = try Bench()
        let order = try await finished(bench, plate: #"<script>"&'{{title}}</script>"#)
        _ = try await bench.pay(order.id)
        try await bench.run { caller in
            let page = try await receipt(caller, order.id, accept: "text/html").text
            #expect(!page.contains("<script"))
            #expect(page.contains("&lt;script&gt;"))
            #expect(page.contains("{{title}}"))
        }
    }

    @Test func beforeThereIsAnythingThereIsNone() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        try await bench.run { caller in
            try await receipt(caller, order.id).refused(409, "payment.receipt_not_ready")
            try await receipt(caller, .new()).refused(404, "payment.order_unknown")
            try await bench.override(order, bill: nil)
            try await receipt(caller, order.id).refused(409, "payment.receipt_not_ready")
        }
    }

    @Test func othersAreRefused() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        _ = try await bench.pay(order.id)
        try await bench.run { caller in
            try await receipt(caller, order.id, as: .bob).refused(404, "payment.order_unknown")
            try await receipt(caller, order.id, as: .victor).refused(403, "auth.role")
            try await receipt(caller, order.id, as: nil).refused(401, "auth.token_missing")
            try await receipt(caller, order.id, "?language=fr")
                .refused(422, "request.invalid", field: "language")
        }
    }

    @Test func aFreeReturnAndAFeeHaveTheirReceipts() async throws {
        let bench = try Bench()
        var returned = OrderSnapshot.of(.alice, .finished, version: 8)
        returned.returnedAt = bench.clock.now
        let free = returned
        try await bench.hear(VehicleReturned.of(free, 0))
        let absent = OrderSnapshot.of(.alice, .cancelled, version: 3)
        try await bench.hear(
            OrderCancelled(
                order: absent, cause: .customerAbsent, valet: nil, fee: .hkd(10_000)))
        _ = try await bench.pay(absent.id)
        try await bench.run { caller in
            let nothing = try await receipt(caller, free.id).expect(200, Receipt.self)
            #expect(nothing.paid == .hkd(0))
            #expect(nothing.paidAt == nil)
            let fee = try await receipt(caller, absent.id).expect(200, Receipt.self)
            #expect(fee.lines == [.init(kind: .noShow, amount: .hkd(10_000))])
        }
    }

    @Test func theLinesAreThoseThatWerePaid() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        _ = try await bench.pay(order.id)
        try await bench.override(order, bill: 5)
        try await bench.run { caller in
            let found = try await receipt(caller, order.id).expect(200, Receipt.self)
            #expect(found.lines.map(\.amount.amount) == [8_000, 4_000])
            #expect(found.charge == .hkd(12_000))
        }
    }
}
