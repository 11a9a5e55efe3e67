import Foundation
import Pictures
import Support
import Testing

@Suite struct QRCodeTests {
    @Test(arguments: [
        "B7K-42Q", "https://openvalet.example/?a=1&b=2", "泊車票",
        String(repeating: "x", count: 2_331),
    ])
    func aScannerReadsWhatItSays(_ text: String) throws {
        let code = try QRCode(text)
        let read = try QRScanner.text(
            ofPath: code.path, size: code.size + 2 * QRCode.quietZone)
        #expect(read == text)
    }

    @Test(arguments: ["", String(repeating: "x", count: 2_332)])
    func whatDoesNotFitIsRefused(_ text: String) {
        #expect(throws: QRCode.Unfit.self) { try QRCode(text) }
    }
}
