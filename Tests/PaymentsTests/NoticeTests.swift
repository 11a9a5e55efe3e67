import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// What people are told about their money.
@Suite struct NoticeTests {
    private func told(_ bench: Bench, _ cause: any Event.Type) async throws -> [Notice.Message] {
        try await outboxEvents(of: NoticeIssued.self, in: bench.database).map(\.notice)
            .filter { $0.cause == cause.type }.flatMap(\.messages)
    }

    @Test func aPaymentItsTipAndARefundAreToldToWhomTheyConcern() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        let payment = try await bench.pay(bill.id, tip: 1_000)
        let paid = try #require(try await told(bench, PaymentSucceeded.self).first)
        #expect(paid.to == .person(TestPerson.alice.id) && paid.push == .receipt)
        #expect(paid.text?[.english] == "We received HK$130.00 for K7-42. Thank you.")
        #expect(paid.text?[.traditionalChinese] == "已收到 K7-42 的付款 HK$130.00，多謝。")
        let tips = try await told(bench, TipGiven.self)
        #expect(
            tips.map(\.to) == [.person(TestPerson.victor.id), .person(TestPerson.vera.id)])
        #expect(tips.allSatisfy { $0.push == .receipt })
        #expect(tips.first?.text?[.english] == "You got HK$5.00 for K7-42, with thanks.")
        _ = try await bench.payments.refund(
            payment.id, RefundBody(amount: 500, reason: "a scratch"),
            by: TestPerson.olivia.id, key: nil)
        let refund = try #require(try await told(bench, PaymentRefunded.self).first)
        #expect(refund.text?[.english] == "We’ve refunded HK$5.00 for K7-42.")
        let notices = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
        #expect(notices.allSatisfy { $0.key == bill.id.description && $0.notice.state == nil })
    }

    @Test func aRefundThatItsProductAnnouncesIsNotToldAgain() async throws {
        let bench = try Bench()
        var bill = try await bench.billed()
        _ = try await bench.pay(bill.id)
        bill.version += 1
        bill.returns = [true, nil].map { isAnnounced in
            Bill.Return(
                id: .new(), amount: Money(amount: 500, currency: bill.currency),
                reason: "cancelled", isAnnounced: isAnnounced)
        }
        try await bench.hear(bill)
        await PaymentWork.queue(bench.payments).round()
        #expect(try await bench.refunded().count == 2)
        // Apps refresh for both.
        let messages = try await told(bench, PaymentRefunded.self)
        #expect(messages.count == 2)
        let texts = messages.compactMap { $0.text?[.english] }
        #expect(texts == ["We’ve refunded HK$5.00 for K7-42."])
    }

    /// The bill is not published, for example because nobody has to pay the fine yet.
    @Test func whatABillCostsIsToldWithTaxOnTop() async throws {
        let bench = try await DocumentTests.bench(pricesIncludeTax: false)
        let message = Notice.Message(
            to: .person(TestPerson.alice.id), title: .of("Please pay", "請付款"),
            text: .of("{charge} is due.", "應付 {charge}。"), push: .soon)
        let notice = Notice(subject: "K7", cause: BillChanged.self, [message])
        let event = BillNoticeIssued(notice, of: .of(.alice, 12_000, version: 1))
        let id = EventID.new()
        for _ in 1...2 { try await bench.hear(event, id: id) }
        let told = try await told(bench, BillChanged.self)
        #expect(told.map { $0.text?[.english] } == ["HK$142.80 is due."])
        #expect(told.map { $0.text?[.traditionalChinese] } == ["應付 HK$142.80。"])
        #expect(told.map(\.push) == [.soon])
        #expect(try await bench.database.read { try $0.bills.find(event.bill.id) } == nil)
    }

    @Test func aCardThatIsDeclinedIsToldToItsOwner() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        _ = try? await bench.pay(bill.id, "pm_card_visa_chargeDeclined")
        let declined = try #require(try await told(bench, PaymentDeclined.self).first)
        #expect(declined.title?[.english] == "Payment declined" && declined.push == .soon)
    }

    @Test(.withoutDatabase) func everyLanguageSaysTheSame() {
        #expect(PaymentNotices.words.differences == [])
        #expect(PaymentNotices.words.text("your-bill", in: .traditionalChinese) == "您的帳單")
    }
}
