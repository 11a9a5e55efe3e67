import Contracts
import Foundation
import Testing

@Suite struct RemovableTests {
    /// What is absent stays, what is null goes, and it is written as it was read.
    @Test(arguments: [
        (#"{"seats":2}"#, TripRepeats??.none),
        (#"{"repeats":null,"seats":2}"#, TripRepeats??.some(nil)),
        (
            #"{"repeats":{"exceptions":[],"until":null,"weekdays":["mo"]},"seats":2}"#,
            TripRepeats??.some(TripRepeats(weekdays: [.monday]))
        ),
    ])
    func absentIsNotNull(text: String, repeats: TripRepeats??) throws {
        let change = try Wire.decode(TripChange.self, from: Data(text.utf8))
        #expect(change.repeats == repeats && change.seats == 2)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(change), as: UTF8.self) == text)
    }

    @Test func whatIsNoneOfThemIsRefused() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TripChange.self, from: Data(#"{"repeats":7}"#.utf8))
        }
    }
}
