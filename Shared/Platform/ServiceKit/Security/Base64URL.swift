import Foundation

extension Data {
    /// RFC 4648 §5, without padding.
    public var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// RFC 4648 §5, with or without padding; nil for anything else.
    public init?(base64URL text: some StringProtocol) {
        let base64 = String(text.reversed().drop { $0 == "=" }.reversed())
        guard base64.utf8.allSatisfy(Self.isBase64URL) else { return nil }
        let padded =
            base64.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
            + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        self.init(base64Encoded: padded)
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
