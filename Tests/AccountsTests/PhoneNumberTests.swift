import Support
import Testing

@testable import Accounts

@Suite(.withoutDatabase) struct PhoneNumberTests {
    @Test(arguments: [
        ("+85251234567", "+85251234567"), (" +852 5123 4567 ", "+85251234567"),
        ("+1 (415) 555-2671", "+14155552671"), ("+44\u{A0}20\u{2011}7946 0958", "+442079460958"),
        ("+49 30 123456", "+4930123456"), ("+7 912 345-67-89", "+79123456789"),
        ("+88612345678", "+88612345678"), ("+29012345", "+29012345"),
        ("+123456789012345", "+123456789012345"),
    ])
    func aNumberIsFreedOfItsPunctuation(text: String, phone: String) {
        #expect(PhoneNumber(text)?.description == phone)
    }

    @Test(arguments: [
        "", "+", "85251234567", "0085251234567", "+8525123", "+1234567890123456", "+85251x34567",
        "+852+5123456", "+05251234567", "+00152512345", "+21012345678", "+99912345678",
        "+80012345678", "+97912345678", "+85412345678", "+8525123４５６７", "+852\n51234567",
        "+852.5123.4567", "tel:+85251234567", "+852\0" + "51234567",
        "+852" + String(repeating: " ", count: 40) + "51234567",
    ])
    func whatIsNoNumberIsRefused(text: String) {
        #expect(PhoneNumber(text) == nil)
    }

    @Test func noCountryCodeIsTheBeginningOfAnother() {
        for code in CountryCode.assigned {
            let shorter = (1..<3).map { String(code).prefix($0) }.filter { $0 != "\(code)" }
            #expect(shorter.allSatisfy { !CountryCode.assigned.contains(Int($0) ?? 0) })
        }
    }
}
