import Foundation
import Support
import Testing

@testable import Accounts

@Suite(.withoutDatabase) struct TOTPTests {
    private let totp = TOTP(secret: Data("12345678901234567890".utf8))

    /// RFC 6238, appendix B, for SHA-1: its last six digits.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
        (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func theCodesAreThoseOfTheStandard(seconds: Int, code: String) {
        let step = TOTP.step(at: Date(timeIntervalSince1970: Double(seconds)))
        #expect(totp.code(ofStep: step) == code)
    }

    @Test func aClockMayBeOneStepApart() {
        let now = Date(timeIntervalSince1970: 1_111_111_111)
        let step = TOTP.step(at: now)
        for apart in -1...1 {
            #expect(totp.step(of: totp.code(ofStep: step + apart), at: now) == step + apart)
        }
        for apart in [-2, 2] {
            #expect(totp.step(of: totp.code(ofStep: step + apart), at: now) == nil)
        }
        #expect(totp.step(of: "", at: now) == nil)
        #expect(totp.step(of: totp.code(ofStep: step) + "0", at: now) == nil)
    }

    @Test func theSecretIsWrittenInBase32() {
        #expect(totp.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        // RFC 4648, section 10.
        #expect(TOTP(secret: Data("f".utf8)).text == "MY")
        #expect(TOTP(secret: Data("foob".utf8)).text == "MZXW6YQ")
        #expect(TOTP.new() != TOTP.new())
    }

    @Test func theAddressHasAllThatAnAppNeeds() {
        #expect(
            totp.uri(of: "+85261234567")
                == "otpauth://totp/OpenValet:%2B85261234567?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=OpenValet&algorithm=SHA1&digits=6&period=30")
    }
}
