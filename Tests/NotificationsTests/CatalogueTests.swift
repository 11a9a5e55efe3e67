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
        let silent = Set(Notice.silent.map { $0.type })
        #expect(silent.count == Notice.silent.count)
        let told = Set(Notice.table.map(\.event))
        #expect(told.isDisjoint(with: silent))
        #expect(told.union(silent) == Set(allEvents.map { $0.type }))
    }

    /// The table alone tells nobody: each of its events has to be heard.
    @Test func everyEventOfTheTableIsHeard() throws {
        let heard = notificationReactions(try Bench().notifications).types
        #expect(Set(Notice.table.map(\.event)).isSubset(of: heard))
        let unheard = Notice.silent.map { $0.type }.filter { heard.contains($0) }
        #expect(
            Set(unheard) == [
                AccountDeleted.type, CodeRequested.type, OperatorActed.type, SessionsEnded.type,
            ],
            "these are heard for what they do, not for what they tell")
    }

    @Test func chineseTextsAreChinese() {
        for message in Message.all {
            let text = message.traditionalChinese
            let isChinese = text.text.unicodeScalars.contains { $0.properties.isIdeographic }
            #expect(isChinese, "\(text.text)")
            #expect(text.text != message.english.text)
        }
        for status in OrderStatus.allCases {
            #expect(status.words(.traditionalChinese) != status.words(.english))
        }
    }

    @Test func aSpanIsToldInAUnitThatFitsIt() {
        let spans: [(Int, String, String)] = [
            (30, "1 minute", "1 分鐘"), (3_600, "60 minutes", "60 分鐘"),
            (7_200, "2 hours", "2 小時"), (86_400, "24 hours", "24 小時"),
            (259_200, "3 days", "3 天"),
        ]
        for (seconds, english, chinese) in spans {
            #expect(Phrase.Value.span(ofSeconds: seconds).words(.english) == english)
            #expect(Phrase.Value.span(ofSeconds: seconds).words(.traditionalChinese) == chinese)
        }
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
