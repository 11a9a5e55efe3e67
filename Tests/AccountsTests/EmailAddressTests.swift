import Support
import Testing

@testable import Accounts

@Suite(.withoutDatabase) struct EmailAddressTests {
    @Test(arguments: [
        ("ada@example.org", "ada@example.org"),
        (" Ada.Wong+car@Example.ORG ", "ada.wong+car@example.org"),
        ("o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"),
        ("a@xn--fiqs8s.hk", "a@xn--fiqs8s.hk"), ("7_8-9@3com.com", "7_8-9@3com.com"),
    ])
    func anAddressIsKeptInLowerCase(text: String, kept: String) {
        #expect(EmailAddress(text)?.description == kept)
    }

    @Test(arguments: [
        "", "ada", "@example.org", "ada@", "ada@example", "ada@@example.org", "a@b@example.org",
        ".ada@example.org", "ada.@example.org", "a..da@example.org", "ada@-example.org",
        "ada@example-.org", "ada@.org", "ada@example..org", "ada@127.0.0.1", "ada@[127.0.0.1]",
        "ada wong@example.org", "\"ada\"@example.org",
        "ada@example.org\r\nRCPT TO:<eve@example.org>",
        "ada@exa\nmple.org", "阿達@example.org", "ada@例子.hk", "<ada@example.org>",
        "ada,eve@example.org",
    ])
    func whatIsNone(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func theLimitsAreThoseOfTheRFC() {
        let label = String(repeating: "b", count: 63)
        let name = String(repeating: "a", count: 64)
        #expect(EmailAddress("\(name)@example.org") != nil)
        #expect(EmailAddress("a\(name)@example.org") == nil)
        #expect(EmailAddress("a@\(label).org") != nil)
        #expect(EmailAddress("a@b\(label).org") == nil)
        let domain = "\(label).\(label)."
        let rest = 254 - 65 - domain.count
        #expect(EmailAddress("\(name)@\(domain)\(String(repeating: "c", count: rest))") != nil)
        #expect(EmailAddress("\(name)@\(domain)\(String(repeating: "c", count: rest + 1))") == nil)
    }
}
