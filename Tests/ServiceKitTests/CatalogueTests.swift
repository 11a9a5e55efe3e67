import Contracts
import Foundation
import Support
import Testing

@testable import ServiceKit

@Suite(.withoutDatabase) struct CatalogueTests {
    private static func catalogue(_ english: String, _ chinese: String) -> Catalogue {
        Catalogue([.english: Array(english.utf8), .traditionalChinese: Array(chinese.utf8)])
    }

    private let words = Self.catalogue(
        #"""
        { "job": { "title": "New job", "text": "{ticket}: {photos} in {time}." },
          "photos": { "one": "{count} photo", "other": "{count} photos" },
          "value": "{value}", "state": { "open": "open" }, "is": "It is {state}." }
        """#,
        #"""
        { "job": { "title": "新工作", "text": "{ticket}：{time}內{photos}。" },
          "photos": "{count} 張相片", "value": "{value}", "state": { "open": "開放" },
          "is": "狀態：{state}。" }
        """#)

    private func said(_ value: Catalogue.Value, _ language: Language = .english) -> String {
        words.text("value", ["value": value], in: language)
    }

    @Test func aTextIsSaidInEveryLanguageWithItsValues() {
        let text = words.text(
            "job.text",
            ["ticket": .text("K7"), "photos": .text("x"), "time": .minutes(ofSeconds: 61)])
        #expect(text.texts == ["en": "K7: x in 2 minutes.", "zh-Hant": "K7：2 分鐘內x。"])
        let message = words.message(to: .operators, "job", push: .soon)
        #expect(message.title?[.english] == "New job")
        #expect(message.to == .operators && message.push == .soon)
    }

    @Test func theNumberDecidesWhichOfSeveralTextsIsSaid() {
        func photos(_ count: Int, _ language: Language) -> String {
            words.text("photos", ["count": .count(count)], in: language)
        }
        #expect(photos(0, .english) == "0 photos")
        #expect(photos(1, .english) == "1 photo")
        #expect(photos(2, .english) == "2 photos")
        #expect(photos(1, .traditionalChinese) == "1 張相片")
    }

    @Test func languagesDifferInWhatIsOne() throws {
        let french = try #require(Language(rawValue: "fr-CA"))
        #expect(PluralCategory.of(0, in: french) == .one)
        #expect(PluralCategory.of(0, in: .english) == .other)
        #expect(PluralCategory.of(1, in: .traditionalChinese) == .other)
    }

    /// Payments knows the amount, and writes it in each language.
    @Test func whatABillCostsIsFilledInLater() {
        let words = Self.catalogue(
            #"{ "due": { "title": "Please pay", "text": "Please pay {amount}, {name}." } }"#,
            #"{ "due": { "title": "請付款", "text": "{name}，請付 {amount}。" } }"#)
        let due = words.message(
            to: .operators, "due", ["amount": .charge, "name": .text("Ann")], push: .soon)
        let other = words.message(
            to: .operators, "due", ["amount": .text("nothing"), "name": .text("{amount}")])
        #expect((due.namesCharge, other.namesCharge) == (true, false))
        #expect(!Notice.Message(to: .operators).namesCharge)
        let notice = Notice(subject: "K7", cause: BillChanged.self, [due, other])
        let named = notice.naming(Money(amount: 123_456, currency: "HKD"))
        #expect(
            named.messages.first?.text?.texts
                == ["en": "Please pay HK$1,234.56, Ann.", "zh-Hant": "Ann，請付 HK$1,234.56。"])
        #expect(named.messages.first?.push == .soon)
        #expect(named.messages.last == other)
    }

    @Test func anotherTextOfTheCatalogueCanBeAValue() {
        let text = words.text("is", ["state": .words("state.open")])
        #expect(text.texts == ["en": "It is open.", "zh-Hant": "狀態：開放。"])
    }

    @Test func bracesInAValueStayAsTheyAre() {
        let text = words.text(
            "job.text", ["ticket": .text("{photos}"), "photos": .text("x"), "time": .text("t")],
            in: .english)
        #expect(text == "{photos}: x in t.")
    }

    @Test func whatIsMissingIsSeenAndNothingStops() throws {
        #expect(words.text("unknown", in: .english) == "unknown")
        #expect(words.text("value", in: .english) == "…")
        let french = try #require(Language(rawValue: "fr"))
        #expect(words.text("job.title", in: french) == "New job")
    }

    @Test func differencesBetweenLanguagesAreFound() {
        #expect(words.differences == [])
        let other = Self.catalogue(
            #"{ "a": "{x}", "b": "b", "c": "" }"#, #"{ "a": "{y}", "c": "c" }"#)
        #expect(
            Set(other.differences)
                == [
                    "a: the names in braces differ", "zh-Hant: b is missing", "en: c is empty",
                ])
        #expect(Catalogue([.english: Array("{}".utf8)]).differences == ["zh-Hant: no file"])
        let odd = Self.catalogue(#"{ "a": { "other": "x", "few": 1 }, "b": [] }"#, "{")
        #expect(
            Set(odd.differences).isSuperset(of: [
                "en: a.few is no text by number", "en: b is no text", "zh-Hant: no JSON",
            ]))
        #expect(Catalogue.units.differences == [])
    }

    @Test func aSpanIsToldInAUnitThatFitsIt() {
        let spans: [(Int, String, String)] = [
            (30, "1 minute", "1 分鐘"), (3_600, "60 minutes", "60 分鐘"),
            (7_200, "2 hours", "2 小時"), (86_400, "24 hours", "24 小時"),
            (259_200, "3 days", "3 天"),
        ]
        for (seconds, english, chinese) in spans {
            #expect(said(.span(ofSeconds: seconds)) == english)
            #expect(said(.span(ofSeconds: seconds), .traditionalChinese) == chinese)
        }
    }

    @Test func minutesAreRoundedUpAndCounted() {
        for (seconds, english) in [(0, "1 minute"), (60, "1 minute"), (61, "2 minutes")] {
            #expect(said(.minutes(ofSeconds: seconds)) == english)
        }
        #expect(said(.minutes(ofSeconds: 240), .traditionalChinese) == "4 分鐘")
    }

    @Test(arguments: [
        (Money(amount: 12_000, currency: "HKD"), "HK$120.00"),
        (Money(amount: 123_456, currency: "HKD"), "HK$1,234.56"),
        (Money(amount: 500, currency: "JPY"), "¥500"),
        (Money(amount: 5, currency: "USD"), "$0.05"),
        (Money(amount: -250, currency: "EUR"), "-€2.50"),
    ])
    func amountsAreWrittenInTheirCurrency(money: Money, text: String) {
        #expect(said(.money(money)) == text)
    }

    @Test func aCurrencyMayHaveThreeDecimals() {
        #expect(said(.money(Money(amount: 1_500, currency: "KWD"))).hasSuffix("1.500"))
    }

    @Test func chineseAmountsAreWrittenInTheirCurrency() {
        let money = Money(amount: 12_000, currency: "HKD")
        #expect(said(.money(money), .traditionalChinese) == "HK$120.00")
    }

    @Test func timesAreWrittenByTheClocksOfTheirPlace() throws {
        let malta = try #require(TimeZone(identifier: "Europe/Malta"))
        let time = try #require(Wire.date("2026-12-24T17:30:00.000Z"))
        let english = said(.time(time, in: malta))
        #expect(english.contains("24 Dec") && english.hasSuffix("18:30"))
        #expect(!english.contains("2026"))
        #expect(said(.time(time, in: malta, withYear: true)).contains("24 Dec 2026"))
        #expect(said(.time(time, in: malta), .traditionalChinese).contains("12月24日"))
    }
}

@Suite(.withoutDatabase) struct LanguageTests {
    @Test(arguments: ["en", "zh-Hant", "fr-CA", "de-CH-1996", "gsw"])
    func aTagOfAnyLanguageIsKept(tag: String) throws {
        let language = try Wire.decode(Language.self, from: Data("\"\(tag)\"".utf8))
        #expect(language.rawValue == tag)
        #expect(String(decoding: try Wire.encode(language), as: UTF8.self) == "\"\(tag)\"")
        #expect(language.isSpoken == ["en", "zh-Hant"].contains(tag))
    }

    @Test(arguments: ["", "e", "-", "en-", "1n", "en_US", "en US", "toolonglanguage", "ｅｎ"])
    func whatIsNoTagIsNoLanguage(tag: String) {
        #expect(Language(rawValue: tag) == nil)
    }
}
