import Contracts
import Foundation
import Support
import Testing

@Suite(.withoutDatabase) struct WireTests {
    @Test(arguments: [
        "2027-04-25T20:54:33.293Z", "2028-01-23T08:11:55.403Z", "2026-01-05T08:00:00.000Z",
        "2026-12-31T23:59:59.999Z", "1970-01-01T00:00:00.001Z",
    ])
    func aTimeThatIsReadIsWrittenAsItWas(text: String) throws {
        #expect(Wire.text(try #require(Wire.date(text))) == text)
    }

    @Test func noTimeDriftsHoweverOftenItIsReadAndWritten() throws {
        for step in 0..<2_000 {
            let text = Wire.text(Date(timeIntervalSince1970: 1_767_600_000 + Double(step) * 1.0137))
            #expect(Wire.text(try #require(Wire.date(text))) == text)
        }
    }
}
