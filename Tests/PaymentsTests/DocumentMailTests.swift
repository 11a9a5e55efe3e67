import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Receipts by e-mail.
@Suite struct DocumentMailTests {
    private func confirm(_ bench: Bench, version: Int = 1) async throws {
        let account = TestPerson.alice.account(createdAt: bench.clock.now)
        let sealed = try bench.environment.sealer.seal("alice@example.org")
        try await bench.hear(
            AccountChanged(
                account: account, suspended: false, version: version, sealedEmail: sealed))
    }

    private func paid(_ bench: Bench, _ caller: Caller) async throws -> DocumentEntry {
        let bill = try await bench.billed()
        _ = try await bench.pay(bill.id)
        let page = try await caller.call(.get, "/v1/me/documents", as: .alice)
            .expect(200, Page<DocumentEntry>.self)
        return try #require(page.items.first)
    }

    private func mails(_ bench: Bench) async throws -> [MailRequested] {
        await PaymentWork.queue(bench.payments).round()
        return try await bench.published(MailRequested.self)
    }

    private func want(_ byEmail: Bool, _ caller: Caller) async throws -> ReceiptSettings {
        try await caller.call(
            .put, "/v1/me/receipt-settings", ReceiptSettingsBody(byEmail: byEmail), as: .alice
        ).expect(200, ReceiptSettings.self)
    }

    @Test func whoWantsThemGetsEachReceiptOnce() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let path = "/v1/me/receipt-settings"
            let before = try await caller.call(.get, path, as: .alice)
                .expect(200, ReceiptSettings.self)
            #expect(before == ReceiptSettings(byEmail: false, hasEmail: false))
            try await confirm(bench)
            let after = try await want(true, caller)
            #expect(after == ReceiptSettings(byEmail: true, hasEmail: true))
            let document = try await paid(bench, caller)
            _ = try await mails(bench)
            let mail = try #require(try await mails(bench).first)
            #expect(try await mails(bench).count == 1)
            #expect(mail.id == document.id.as(MessageID.self))
            #expect(mail.person == TestPerson.alice.id)
            #expect(mail.sealedAddress == nil)
            #expect(mail.subject == "Receipt \(document.number)")
            #expect(mail.text.contains("Total paid: HK$120.00"))
            #expect(mail.html.contains("<h1>Receipt \(document.number)</h1>"))
            // Nobody who has changed their mind.
            _ = try await want(false, caller)
            _ = try await paid(bench, caller)
            #expect(try await mails(bench).count == 1)
        }
    }

    @Test func withoutAnAddressOrAWishNothingIsSent() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            _ = try await want(true, caller)
            _ = try await paid(bench, caller)
            #expect(try await mails(bench).isEmpty)
            _ = try await want(false, caller)
            try await confirm(bench)
            _ = try await paid(bench, caller)
            #expect(try await mails(bench).isEmpty)
        }
    }

    @Test func aDocumentIsSentOnRequest() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let document = try await paid(bench, caller)
            let path = "/v1/documents/\(document.id)/mail"
            let own = DocumentMailBody()
            try await caller.call(.post, path, own, as: .alice)
                .refused(422, "document.address_missing", field: "email")
            try await confirm(bench)
            for _ in 0..<2 {
                let answer = try await caller.call(.post, path, own, as: .alice, key: "once")
                #expect(answer.status == 204)
            }
            #expect(try await mails(bench).count == 1)
            let other = DocumentMailBody(email: "Office@Example.org")
            #expect(try await caller.call(.post, path, other, as: .olivia).status == 204)
            let sent = try #require(try await mails(bench).last)
            let address = try bench.environment.sealer.open(
                String.self, from: try #require(sent.sealedAddress))
            #expect(address == "office@example.org")
            for wrong in ["", "office", "a@b", "a@example.org\r\nBcc: b@example.org", "a b@c.org"] {
                try await caller.call(.post, path, DocumentMailBody(email: wrong), as: .alice)
                    .refused(422, "request.invalid", field: "email")
            }
            try await caller.call(.post, path, own, as: .bob).refused(404, "document.unknown")
            #expect(try await mails(bench).count == 2)
        }
    }

    @Test func thereIsALimitForADay() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let document = try await paid(bench, caller)
            try await confirm(bench)
            let path = "/v1/documents/\(document.id)/mail"
            for _ in 0..<DocumentMailStore.mostPerDay {
                let answer = try await caller.call(.post, path, DocumentMailBody(), as: .alice)
                #expect(answer.status == 204)
            }
            try await caller.call(.post, path, DocumentMailBody(), as: .alice)
                .refused(429, "document.too_many_mails")
            #expect(try await mails(bench).count == DocumentMailStore.mostPerDay)
            bench.clock.advance(by: 86_400)
            let answer = try await caller.call(.post, path, DocumentMailBody(), as: .alice)
            #expect(answer.status == 204)
        }
    }

    @Test func thePageIsInThePayersLanguageUnlessAnotherIsNamed() async throws {
        let bench = try Bench()
        try await bench.hear(
            AccountChanged(
                account: TestPerson.alice.account(
                    language: .traditionalChinese, createdAt: bench.clock.now),
                suspended: false, version: 1))
        try await bench.run { caller in
            let document = try await paid(bench, caller)
            func page(_ query: String, as person: TestPerson = .alice) async throws -> Answer {
                try await caller.call(
                    .get, "/v1/documents/\(document.id)\(query)", as: person,
                    headers: [.accept: "text/html"])
            }
            #expect(try await page("").text.contains("收據 \(document.number)"))
            #expect(try await page("?language=en").text.contains("Receipt \(document.number)"))
            #expect(try await page("", as: .olivia).text.contains(document.number))
            try await page("", as: .bob).refused(404, "document.unknown")
            let data = try await caller.call(.get, "/v1/documents/\(document.id)", as: .alice)
                .expect(200, PaymentDocument.self)
            #expect(data.number == document.number)
        }
    }
}
