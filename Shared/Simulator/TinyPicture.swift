import Foundation

/// A photo of a simulated vehicle: a small PNG of it on a street (W3C PNG, third edition).
enum TinyPicture {
    private static let (width, height) = (64, 48)

    /// A vehicle in one shade of grey, with a comment for the stub of the plate recogniser.
    static func png(shade: UInt8, comment: String) -> Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Bit depth 8, greyscale, the only compression and filter methods, no interlacing.
        data += chunk("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 0, 0, 0, 0])
        data += chunk("tEXt", Data("Comment\0\(comment)".utf8))
        let rows = (0..<height).map { y in [0] + (0..<width).map { self.shade(shade, $0, y) } }
        data += chunk("IDAT", stored([UInt8](rows.joined())))
        return data + chunk("IEND", Data())
    }

    /// The shade of a pixel: wheels, windows, roof and body, the road and the wall behind.
    private static func shade(_ vehicle: UInt8, _ x: Int, _ y: Int) -> UInt8 {
        let isWheel = [18, 46].contains { (x - $0) * (x - $0) + (y - 36) * (y - 36) < 26 }
        switch (x, y) {
        case _ where isWheel: return 24
        case (20..<31, 17..<24), (33..<43, 17..<24): return 205
        case (17..<46, 14..<25), (6..<58, 24..<37): return vehicle
        default: return y < 37 ? 226 : 120
        }
    }

    private static func chunk(_ type: String, _ content: Data) -> Data {
        let named = Data(type.utf8) + content
        return bytes(UInt32(content.count)) + named + bytes(crc32(named))
    }

    /// A zlib stream (RFC 1950) with one uncompressed block (RFC 1951, 3.2.4).
    private static func stored(_ content: [UInt8]) -> Data {
        let length = UInt16(content.count)
        var data = Data([0x78, 0x01, 0x01])
        data += [UInt8(length & 0xFF), UInt8(length >> 8)]
        data += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
        data += content
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return data + bytes(b << 16 | a)
    }

    /// CRC-32 of PNG's annex D.
    static func crc32(_ data: Data) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func bytes(_ number: UInt32) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
    }
}
