import Foundation
import Pictures
import Support
import Testing

@Suite struct PictureTests {
    @Test(arguments: [
        (TestPicture.jpeg(), PictureType.jpeg), (TestPicture.progressiveJPEG, .jpeg),
        (TestPicture.jpegWithMetadata, .jpeg), (TestPicture.pngWithMetadata, .png),
        (TestPicture.webpWithMetadata, .webp), (TestPicture.losslessWebP, .webp),
        (TestPicture.lossyWebP, .webp),
    ])
    func typeAndSizeAreToldByTheContent(_ data: Data, _ type: PictureType) throws {
        let picture = try Picture(data)
        #expect(picture.type == type)
        #expect(picture.width == 8)
        #expect(picture.height == 6)
    }

    @Test(arguments: [
        TestPicture.jpegWithMetadata, TestPicture.pngWithMetadata, TestPicture.webpWithMetadata,
    ])
    func metadataGoesAndOrientationStays(_ data: Data) throws {
        let before = try Picture(data)
        #expect(before.orientation == 6)
        let clean = before.withoutMetadata()
        let after = try Picture(clean)
        #expect(after.type == before.type)
        #expect(after.width == 8)
        #expect(after.orientation == 6)
        #expect(after.comment == nil)
        let secrets = TestPicture.secrets.filter { data.range(of: Data($0.utf8)) != nil }
        #expect(secrets.contains("SecretCamera"), "the test has something to look for")
        for secret in TestPicture.secrets + ["plate="] {
            #expect(clean.range(of: Data(secret.utf8)) == nil, "\(secret) is still there")
        }
    }

    /// The coordinates themselves, as rational numbers of either byte order.
    @Test(arguments: [
        TestPicture.jpegWithMetadata, TestPicture.pngWithMetadata, TestPicture.webpWithMetadata,
    ])
    func thePlaceIsGone(_ data: Data) throws {
        let clean = try Picture(data).withoutMetadata()
        // 22 degrees, 16 minutes.
        let big = Data([0, 0, 0, 22, 0, 0, 0, 1, 0, 0, 0, 16])
        let little = Data([22, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0])
        #expect(data.range(of: big) != nil || data.range(of: little) != nil)
        #expect(clean.range(of: big) == nil)
        #expect(clean.range(of: little) == nil)
    }

    @Test func strippingTwiceChangesNothing() throws {
        for data in [
            TestPicture.jpegWithMetadata, TestPicture.pngWithMetadata,
            TestPicture.webpWithMetadata, TestPicture.progressiveJPEG, TestPicture.losslessWebP,
        ] {
            let once = try Picture(data).withoutMetadata()
            #expect(try Picture(once).withoutMetadata() == once)
            #expect(once.count <= data.count)
        }
    }

    @Test func whatFollowsAPicturesEndGoes() throws {
        let extra = Data("a second picture with its own place".utf8)
        for data in [
            TestPicture.jpeg(), TestPicture.pngWithMetadata, TestPicture.lossyWebP,
        ] {
            let clean = try Picture(data + extra).withoutMetadata()
            #expect(clean.range(of: extra) == nil)
            #expect(try Picture(data).withoutMetadata() == clean)
        }
    }

    @Test func commentsAreRead() throws {
        #expect(try Picture(TestPicture.jpeg(comment: "plate=AB1234")).comment == "plate=AB1234")
        #expect(try Picture(TestPicture.jpegWithMetadata).comment == "plate=AB1234")
        #expect(try Picture(TestPicture.pngWithMetadata).comment == "plate=AB1234")
        #expect(try Picture(TestPicture.jpeg()).comment == nil)
        #expect(try Picture(TestPicture.webpWithMetadata).comment == nil)
    }
}

@Suite struct BadPictureTests {
    private func refused(_ data: Data, _ error: PictureError) {
        #expect(throws: error) { try Picture(data) }
    }

    @Test func anEmptyOneIsRefused() { refused(Data(), .empty) }

    @Test(arguments: [
        Data("GIF89a".utf8), Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
        Data("%PDF-1.7".utf8), Data([0]), Data(repeating: 0, count: 1_000),
        Data("RIFF\0\0\0\0WAVEfmt ".utf8), Data("plate.jpg".utf8),
    ])
    func anotherTypeIsRefused(_ data: Data) { refused(data, .unknownType) }

    @Test(arguments: [
        TestPicture.jpeg(), TestPicture.progressiveJPEG, TestPicture.jpegWithMetadata,
        TestPicture.pngWithMetadata, TestPicture.webpWithMetadata, TestPicture.losslessWebP,
    ])
    func everyBeginningOfAPictureIsRefused(_ data: Data) {
        for length in 12..<data.count {
            #expect(throws: PictureError.self, "\(length) bytes") {
                try Picture(data.prefix(length))
            }
        }
        refused(data.prefix(data.count - 1), .truncated)
        refused(data.prefix(data.count / 2), .truncated)
    }

    /// Whatever the bytes, it ends, and without a trap.
    @Test func changedBytesNeverTrap() {
        for original in [
            TestPicture.jpegWithMetadata, TestPicture.pngWithMetadata,
            TestPicture.webpWithMetadata,
        ] {
            for index in 0..<min(original.count, 500) {
                for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var data = original
                    data[index] = value
                    _ = try? Picture(data).withoutMetadata()
                }
            }
        }
    }

    // MARK: Bombs: small files that unfold to gigabytes

    private static func jpeg(width: UInt16, height: UInt16) -> Data {
        var data = TestPicture.jpeg()
        // SOF0: marker, length, precision, height, width.
        guard let frame = data.range(of: Data([0xFF, 0xC0, 0x00, 0x11, 0x08])) else { return data }
        data.replaceSubrange(
            frame.upperBound..<frame.upperBound + 4, with: height.bytes + width.bytes)
        return data
    }

    /// One bit a pixel, all of them black; `pixels` stands for what is compressed instead.
    static func png(
        width: UInt32, height: UInt32, fields: [UInt8] = [1, 0, 0, 0, 0], pixels: Data? = nil
    ) -> Data {
        let header = Data("IHDR".utf8) + width.bytes + height.bytes + fields
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        data += UInt32(13).bytes + header + checksum(header).bytes
        // What is refused for its size needs no pixels.
        let isTaken = (1...12_000).contains(width) && (1...12_000).contains(height)
        let count = isTaken ? Int(height) * (1 + (Int(width) + 7) / 8) : 0
        for (name, content) in [("IDAT", pixels ?? stored(Data(count: count))), ("IEND", Data())] {
            let named = Data(name.utf8) + content
            data += UInt32(content.count).bytes + named + checksum(named).bytes
        }
        return data
    }

    /// A zlib stream (RFC 1950) of blocks that are not compressed (RFC 1951, 3.2.4).
    static func stored(_ content: Data) -> Data {
        var data = Data([0x78, 0x01])
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        var rest = content
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            data += [rest.isEmpty ? 1 : 0]
            let length = UInt16(block.count)
            data += length.littleBytes + (~length).littleBytes + block
        } while !rest.isEmpty
        return data + (b << 16 | a).bytes
    }

    private static func checksum(_ data: Data) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func webp(width: Int, height: Int) -> Data {
        let bits = UInt32(width - 1) | UInt32(height - 1) << 14
        let chunk = Data("VP8L".utf8) + UInt32(6).littleBytes + [0x2F] + bits.littleBytes + [0]
        return Data("RIFF".utf8) + UInt32(chunk.count + 4).littleBytes + Data("WEBP".utf8) + chunk
    }

    @Test func hugeDimensionsAreRefused() throws {
        refused(Self.jpeg(width: 65_535, height: 65_535), .tooManyPixels)
        refused(Self.jpeg(width: 12_001, height: 1), .tooManyPixels)
        refused(Self.png(width: 100_000, height: 100_000), .tooManyPixels)
        refused(Self.png(width: 8_000, height: 8_000), .tooManyPixels)
        refused(Self.png(width: .max, height: .max), .tooManyPixels)
        refused(Self.webp(width: 16_384, height: 16_384), .tooManyPixels)
        #expect(try Picture(Self.jpeg(width: 12_000, height: 4_000)).width == 12_000)
        #expect(try Picture(Self.png(width: 7_000, height: 700)).height == 700)
        #expect(try Picture(Self.webp(width: 300, height: 200)).height == 200)
    }

    @Test func noPixelsAreMalformed() {
        refused(Self.jpeg(width: 0, height: 10), .malformed)
        refused(Self.jpeg(width: 10, height: 0), .malformed)
        refused(Self.png(width: 0, height: 10), .malformed)
    }

    @Test func aWrongChecksumOfTheHeaderIsMalformed() {
        var data = Self.png(width: 10, height: 10)
        data[19] = 11
        refused(data, .malformed)
    }

    // MARK: A PNG's pixels

    private static func rows(_ filters: [UInt8], bytes: Int) -> Data {
        Data(filters.flatMap { [$0] + [UInt8](repeating: 7, count: bytes) })
    }

    @Test(
        arguments: [
            ([8, 0, 0, 0, 0], 3, 3), ([8, 2, 0, 0, 0], 9, 3), ([16, 6, 0, 0, 0], 24, 3),
            ([4, 0, 0, 0, 0], 2, 3), ([16, 4, 0, 0, 0], 12, 3),
        ] as [([UInt8], Int, Int)])
    func aPNGOfEachKindIsTaken(_ fields: [UInt8], _ bytes: Int, _ rows: Int) throws {
        let pixels = Self.stored(Self.rows([0, 2, 4], bytes: bytes))
        #expect(
            try Picture(Self.png(width: 3, height: 3, fields: fields, pixels: pixels)).width == 3)
        for wrong in [
            Self.rows([0, 2], bytes: bytes), Self.rows([0, 2, 4, 0], bytes: bytes),
            Self.rows([0, 5, 0], bytes: bytes), Self.rows([0, 2, 4], bytes: bytes).dropLast(),
        ] {
            refused(
                Self.png(width: 3, height: 3, fields: fields, pixels: Self.stored(Data(wrong))),
                .malformed)
        }
    }

    /// Adam7 of three by three pixels has rows of 1, 1, 2, 1, 1 and 3 pixels in its passes; three are empty.
    @Test func anInterlacedPNGIsTaken() throws {
        let fields: [UInt8] = [8, 0, 0, 0, 1]
        let rows = [1, 1, 2, 1, 1, 3].map { [UInt8](repeating: 0, count: 1 + $0) }
        let pixels = Data(rows.joined())
        #expect(
            try Picture(
                Self.png(width: 3, height: 3, fields: fields, pixels: Self.stored(pixels))
            ).height == 3)
        refused(
            Self.png(width: 3, height: 3, fields: fields, pixels: Self.stored(pixels + [0])),
            .malformed)
    }

    @Test func pixelsThatAreNoneAreMalformed() {
        let pixels = Self.stored(Self.rows([0], bytes: 1))
        #expect(throws: Never.self) { try Picture(Self.png(width: 8, height: 1, pixels: pixels)) }
        refused(Self.png(width: 8, height: 1, pixels: Data()), .malformed)
        refused(Self.png(width: 8, height: 1, pixels: Data("no pixels".utf8)), .malformed)
        refused(Self.png(width: 8, height: 1, pixels: pixels + Data("hidden".utf8)), .malformed)
        refused(Self.png(width: 8, height: 1, pixels: pixels.dropLast(5)), .malformed)
        var wrong = pixels
        wrong[wrong.count - 1] ^= 1
        refused(Self.png(width: 8, height: 1, pixels: wrong), .malformed)
    }

    @Test(
        arguments: [
            [3, 0, 0, 0, 0], [8, 1, 0, 0, 0], [4, 2, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 1, 0],
            [1, 0, 0, 0, 2], [8, 3, 0, 0, 0],
        ] as [[UInt8]])
    func aHeaderThatCannotBeIsMalformed(_ fields: [UInt8]) {
        let pixels = Self.stored(Self.rows([0], bytes: 8))
        refused(Self.png(width: 8, height: 1, fields: fields, pixels: pixels), .malformed)
    }

    @Test func anAnimationIsMalformed() { refused(TestPicture.animatedWebP, .malformed) }

    @Test func aJPEGWithoutAScanIsMalformed() {
        refused(Data([0xFF, 0xD8, 0xFF, 0xD9]), .malformed)
        refused(Data([0xFF, 0xD8, 0x00, 0x00, 0x00, 0x00]), .malformed)
    }

    @Test func badExifMakesNoBadPicture() throws {
        var data = TestPicture.jpegWithMetadata
        let exif = try #require(data.range(of: Data("Exif\0\0".utf8)))
        data.replaceSubrange(
            exif.upperBound..<exif.upperBound + 8, with: [UInt8](repeating: 0xFF, count: 8))
        #expect(try Picture(data).orientation == 1)
    }
}

extension FixedWidthInteger {
    fileprivate var bytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }
    fileprivate var littleBytes: Data { withUnsafeBytes(of: littleEndian) { Data($0) } }
}
