/// The one thing of EXIF that a picture needs to be shown: its orientation (CIPA DC-008, TIFF 6.0).
enum Exif {
    /// Upright.
    static let normal = 1
    private static let orientationTag = 0x0112
    private static let short: UInt16 = 3
    /// Entries of a directory that are looked at.
    private static let mostEntries = 500

    /// Of TIFF bytes; upright when they are none, since bad metadata makes no bad picture.
    static func orientation(_ tiff: ArraySlice<UInt8>) -> Int {
        (try? find(Bytes([UInt8](tiff)))) ?? normal
    }

    private static func find(_ tiff: Bytes) throws(PictureError) -> Int? {
        let isLittle = tiff.starts(with: Array("II".utf8))
        guard isLittle || tiff.starts(with: Array("MM".utf8)) else { return nil }
        func number(at offset: Int, _ bytes: Int) throws(PictureError) -> Int {
            isLittle
                ? try tiff.little(at: offset, bytes: bytes) : try tiff.big(at: offset, bytes: bytes)
        }
        let directory = try number(at: 4, 4)
        for index in 0..<min(try number(at: directory, 2), mostEntries) {
            let entry = directory + 2 + index * 12
            guard try number(at: entry, 2) == orientationTag else { continue }
            let value = try number(at: entry + 8, 2)
            return (1...8).contains(value) ? value : nil
        }
        return nil
    }

    /// TIFF bytes with that orientation and nothing else.
    static func tiff(orientation: Int) -> [UInt8] {
        let header = Array("MM".utf8) + UInt16(42).bigEndianBytes + UInt32(8).bigEndianBytes
        let entry =
            UInt16(orientationTag).bigEndianBytes + short.bigEndianBytes + UInt32(1).bigEndianBytes
            + UInt16(orientation).bigEndianBytes + [0, 0]
        return header + UInt16(1).bigEndianBytes + entry + UInt32(0).bigEndianBytes
    }
}
