import Answers
import Contracts
import Foundation
import HTTPTypes
import Support
import Testing

@testable import Payments

@Suite struct ReceiptTests {
    /// As the valet's orders tell their bills.
    private func finished(_ bench: Bench, plate: String = "AB 1234") async throws -> Bill {
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 8)
        bill.lines = [
            .of("base", "Valet service", "代客泊車服務", 8_000),
            .of("time", "Parking time", "泊車時間", 4_000),
        ]
        bill.tipped = [TestPerson.victor.id]
        let (from, until) = (bench.clock.now.addingTimeInterval(-3_600), bench.clock.now)
        bill.facts.from = from
        bill.facts.until = until
        bill.facts.details = [
            .init(label: .of("Vehicle", "車輛"), value: plate, isPersonal: true)
        ]
        bill.facts.fields = [
            .init("order", .text(bill.id.description)), .init("ticket", .text("K7-42")),
            .init(
                "vehicle",
                .object([
                    "id": .null, "plate": .text(plate), "make": .text("Tesla"),
                    "model": .text("Model 3"), "colour": .text("white"),
                ]), isPersonal: true),
            .init("collectedAt", .text(Wire.text(from))),
            .init("returnedAt", .text(Wire.text(until))),
            // What payments says itself can't be replaced.
            .init("paid", .text("nothing")),
        ]
        try await bench.hear(bill)
        return bill
    }

    private func receipt(
        _ caller: Caller, _ order: BillID, _ query: String = "", accept: String? = nil,
        as person: TestPerson? = .alice
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        headers[.accept] = accept
        return try await caller.call(
            .get, "/v1/orders/\(order)/receipt\(query)", as: person, headers: headers)
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
                #expect(found.order == order.id.as(OrderID.self))
                #expect(found.ticket == "K7-42")
                #expect(found.language == .english)
                #expect(found.vehicle?.plate == "AB 1234")
                #expect(found.collectedAt == order.facts.from)
                #expect(found.returnedAt == order.facts.until)
                #expect(found.lines.map(\.kind.known) == [.base, .time])
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

    @Test func aCompanyThatIsNotSetUpYieldsAPlainReceipt() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        _ = try await bench.pay(order.id)
        try await bench.run { caller in
            let page = try await receipt(caller, order.id, accept: "text/html").text
            #expect(!page.contains("class=\"seller\""))
            #expect(!page.contains("class=\"taxes\""))
            #expect(!page.contains("<img"))
            #expect(!page.contains("number "))
            #expect(!page.contains("<dd></dd>"))
            #expect(!page.contains("<p></p>"))
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
            try await receipt(caller, .new()).refused(404, "payment.bill_unknown")
            try await bench.override(order, bill: nil)
            try await receipt(caller, order.id).refused(409, "payment.receipt_not_ready")
        }
    }

    @Test func othersAreRefused() async throws {
        let bench = try Bench()
        let order = try await finished(bench)
        _ = try await bench.pay(order.id)
        try await bench.run { caller in
            try await receipt(caller, order.id, as: .bob).refused(404, "payment.bill_unknown")
            try await receipt(caller, order.id, as: .victor).refused(403, "auth.role")
            try await receipt(caller, order.id, as: nil).refused(401, "auth.token_missing")
            try await receipt(caller, order.id, "?language=fr")
                .refused(422, "request.invalid", field: "language")
        }
    }

    @Test func whatWasFreeHasItsReceipt() async throws {
        let bench = try Bench()
        let free = Bill.of(0, version: 8)
        try await bench.hear(free)
        try await bench.run { caller in
            let path = "/v1/bills/\(free.id)/receipt"
            let nothing = try await caller.call(.get, path, as: .alice)
                .expect(200, BillReceipt.self)
            #expect(nothing.paid == .hkd(0))
            #expect(nothing.paidAt == nil)
            #expect(nothing.reference == "K7-42")
            #expect(nothing.title == "Something")
        }
    }

    /// To Swift `<` and the accent are one character, to a browser they are a tag's beginning and an accent.
    @Test func whatLooksLikeAnotherCharacterIsEscapedToo() async throws {
        let bench = try Bench()
        let accent = "\u{301}"
        let bill = try await finished(
            bench, plate: "<\(accent)img src=x onerror=\"\(accent)a()\">\(accent)")
        _ = try await bench.pay(bill.id)
        try await bench.run { caller in
            let page = try await receipt(caller, bill.id, accept: "text/html").text
            let tags = page.unicodeScalars.split(separator: "<").dropFirst().compactMap(\.first)
            #expect(tags.allSatisfy { $0.isASCII })
            #expect(page.unicodeScalars.contains("\u{301}"))
            #expect(page.hasPrefix("<!doctype html>"))
        }
    }

    @Test func whoIsGoneIsNotOnItAnyMore() async throws {
        let bench = try Bench()
        let bill = try await finished(bench)
        _ = try await bench.pay(bill.id)
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 5,
                deletedAt: bench.clock.now))
        await bench.recover()
        try await bench.run { caller in
            let found = try await receipt(caller, bill.id, as: .olivia).expect(200, Receipt.self)
            #expect(found.vehicle == nil)
            #expect(found.ticket == "K7-42")
            let page = try await receipt(caller, bill.id, accept: "text/html", as: .olivia).text
            #expect(!page.contains("AB 1234"))
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
