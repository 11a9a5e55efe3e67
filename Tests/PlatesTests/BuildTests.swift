import Testing

@testable import Plates

@Test func itsSettingsHaveMeanings() {
    #expect(PlatesConfig.keys.allSatisfy { !$0.meaning.isEmpty })
}
