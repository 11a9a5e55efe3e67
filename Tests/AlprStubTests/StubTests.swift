import Testing

@testable import AlprStub

@Test func itIsCalledByItsName() { #expect(App.configuration.commandName == "openvalet-alpr-stub") }
