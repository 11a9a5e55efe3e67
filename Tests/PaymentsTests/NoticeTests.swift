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
