import Contracts
import Foundation
import Support
import Testing

@testable import Notifications

@Suite struct CatalogueTests {
    private func placeholders(_ text: Message.Text) -> [String] {
        (text.title + text.text).matches(of: /\{([a-z]+)\}/).map { String($0.1) }.sorted()
    }

    @Test func bothLanguagesSayTheSame() {
        #expect(Message.all.count >= 30)
        for message in Message.all {
            #expect(
                placeholders(message.english) == placeholders(message.traditionalChinese),
                "\(message.english.text)")
            #expect(!message.english.text.isEmpty)
            #expect(message.english.title.isEmpty == message.traditionalChinese.title.isEmpty)
        }
        #expect(Set(Message.all).count == Message.all.count)
    }

    @Test func theTableNamesOnlyMessagesOfTheCatalogueAndEachEventOnce() {
        let used = Notice.table.flatMap(\.messages.values)
        #expect(Set(used).isSubset(of: Set(Message.all)))
        let rows = Notice.table.map { "\($0.event) \($0.variant ?? "")" }
        #expect(Set(rows).count == rows.count)
    }

    @Test func everyEventOfTheBusIsInTheTableOrDeliberatelyNot() {
        let silent: Set<String> = [
            VehicleChanged.type, CodeRequested.type, ServiceAreaChanged.type,
            AvailabilityChanged.type, PositionRecorded.type, ValetMatched.type, NoValetFound.type,
            NotificationCreated.type,
        ]
        let told = Set(Notice.table.map(\.event))
        #expect(told.isDisjoint(with: silent))
        #expect(told.union(silent) == Set(allEvents.map { $0.type }))
    }

    @Test(arguments: [
        (Money(amount: 12_000, currency: "HKD"), "HK$120.00"),
        (Money(amount: 123_456, currency: "HKD"), "HK$1,234.56"),
        (Money(amount: 500, currency: "JPY"), "¥500"),
        (Money(amount: 5, currency: "USD"), "$0.05"),
        (Money(amount: -250, currency: "EUR"), "-€2.50"),
    ])
    func amountsAreWrittenInTheirCurrency(money: Money, text: String) {
        #expect(money.words(.english) == text)
    }

    @Test func aCurrencyMayHaveThreeDecimals() {
        #expect(Money(amount: 1_500, currency: "KWD").words(.english).hasSuffix("1.500"))
    }

    @Test func chineseAmountsAreWrittenInTheirCurrency() {
        #expect(Money(amount: 12_000, currency: "HKD").words(.traditionalChinese) == "HK$120.00")
    }

    @Test func minutesAreRoundedUpAndCounted() {
        #expect(Phrase.Value.minutes(ofSeconds: 0).words(.english) == "1 minute")
        #expect(Phrase.Value.minutes(ofSeconds: 60).words(.english) == "1 minute")
        #expect(Phrase.Value.minutes(ofSeconds: 61).words(.english) == "2 minutes")
        #expect(Phrase.Value.minutes(ofSeconds: 240).words(.traditionalChinese) == "4 分鐘")
    }

    @Test func bracesInAValueStayAsTheyAre() {
        let message = Message(.init("{a}", "{a} and {b}"), zhHant: .init("{a}", "{a}{b}"))
        let phrase = Phrase(message: message, values: ["a": .text("{b}"), "b": .text("x")])
        #expect(phrase.text(.english) == "{b} and x")
        #expect(phrase.title(.english) == "{b}")
    }
}
