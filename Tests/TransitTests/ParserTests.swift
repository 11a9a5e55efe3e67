import Testing
@testable import Transit
@Suite struct ParserTests { @Test func x() { #expect(ServiceDay("20261231") != nil) } }
