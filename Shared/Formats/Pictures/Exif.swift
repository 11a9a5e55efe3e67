/// EXIF's orientation, the only field that is needed to show a picture (CIPA DC-008, TIFF 6.0).
enum Exif {
    /// Upright.
    static let normal = 1
    private static let orientationTag = 0x0112
    private static let short: UInt16 = 3
    /// Maximum number of directory entries that are read.
    private static let mostEntries = 500

    /// The orientation in TIFF bytes. Upright if they are invalid, since bad metadata does not make a bad picture.
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

    /// TIFF bytes with only that orientation.
    static func tiff(orientation: Int) -> [UInt8] {
        let header = Array("MM".utf8) + UInt16(42).bigEndianBytes + UInt32(8).bigEndianBytes
        let entry =
            UInt16(orientationTag).bigEndianBytes + short.bigEndianBytes + UInt32(1).bigEndianBytes
            + UInt16(orientation).bigEndianBytes + [0, 0]
        return header + UInt16(1).bigEndianBytes + entry + UInt32(0).bigEndianBytes
    }
}
