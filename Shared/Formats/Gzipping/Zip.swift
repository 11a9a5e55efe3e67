import CZlib
import Foundation

/// Writes an archive according to PKWARE's APPNOTE 6.3: files are deflated if that is smaller, names are in UTF-8.
/// Extensions for more than four gigabytes or 65,535 files are not supported.
public enum Zip {
    /// - Parameter time: The time of every file, in UTC with a precision of two seconds.
    public static func archive(_ files: [(name: String, data: Data)], at time: Date) -> Data {
        var (archive, directory) = (Data(), Data())
        for (name, data) in files {
            let offset = UInt32(archive.count)
            // gzip's output is the same stream between its header and trailer (RFC 1952).
            let deflated = Gzip.compressed(data).map { $0.dropFirst(10).dropLast(8) }
            let content = deflated ?? data
            var head = Data()
            head.append(little: UInt16(20))
            head.append(little: UInt16(1 << 11))
            head.append(little: UInt16(deflated == nil ? 0 : 8))
            head.append(little: clock(time))
            head.append(little: date(time))
            head.append(little: checksum(data))
            head.append(little: UInt32(content.count))
            head.append(little: UInt32(data.count))
            head.append(little: UInt16(name.utf8.count))
            head.append(little: UInt16(0))
            archive += [0x50, 0x4B, 0x03, 0x04] + head + Data(name.utf8) + content
            directory += [0x50, 0x4B, 0x01, 0x02, 20, 0] + head
            directory.append(Data(count: 10))
            directory.append(little: offset)
            directory += Data(name.utf8)
        }
        let start = UInt32(archive.count)
        archive += directory + [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0]
        archive.append(little: UInt16(files.count))
        archive.append(little: UInt16(files.count))
        archive.append(little: UInt32(directory.count))
        archive.append(little: start)
        archive.append(little: UInt16(0))
        return archive
    }

    static func checksum(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            UInt32(crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, uInt(bytes.count)))
        }
    }

    private static func parts(_ time: Date) -> DateComponents {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time)
    }

    private static func clock(_ time: Date) -> UInt16 {
        let parts = parts(time)
        return UInt16((parts.hour ?? 0) << 11 | (parts.minute ?? 0) << 5 | (parts.second ?? 0) / 2)
    }

    private static func date(_ time: Date) -> UInt16 {
        let parts = parts(time)
        let year = min(max((parts.year ?? 1_980) - 1_980, 0), 127)
        return UInt16(year << 9 | (parts.month ?? 1) << 5 | (parts.day ?? 1))
    }
}

extension Data {
    fileprivate mutating func append(little number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
