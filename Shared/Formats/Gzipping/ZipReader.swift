import CZlib
import Foundation

/// Reads a foreign archive according to PKWARE's APPNOTE 6.3: files are stored or deflated. Encryption, several
/// volumes, and the extensions for more than four gigabytes are not supported.
///
/// The contents are not trusted: sizes are checked before anything is expanded, and while it is.
public struct ZipReader: Sendable {
    /// Larger archives are refused, so that a small file can't fill the memory.
    public struct Limits: Sendable {
        public var files: Int
        /// Maximum size of one file, expanded.
        public var fileBytes: Int
        /// Maximum size of all files together, expanded.
        public var bytes: Int

        public init(files: Int = 1_000, fileBytes: Int = 1 << 29, bytes: Int = 1 << 30) {
            (self.files, self.fileBytes, self.bytes) = (files, fileBytes, bytes)
        }
    }

    private struct Entry {
        let method: Int
        let checksum: UInt32
        let compressed: Int
        let expanded: Int
        /// Offset of the file's own header.
        let offset: Int
    }

    /// The maximum expansion of deflate (zlib.net/zlib_tech.html), except for a few bytes at the end.
    private static let mostExpansion = 1_032
    private static let spareBytes = 1_024
    /// The end of the directory with the longest comment.
    private static let mostTail = 22 + 65_535

    private let data: Data
    private let entries: [String: Entry]

    /// The sorted names of all files, without folders.
    public var names: [String] { entries.keys.sorted() }

    public init(_ data: Data, limits: Limits = Limits()) throws(ZipError) {
        self.data = data
        let bytes = Bytes(data: data)
        let tail = max(0, data.count - Self.mostTail)
        guard data.count >= 22,
            let end = stride(from: data.count - 22, through: tail, by: -1).first(where: {
                bytes.number32($0) == 0x0605_4B50
            }), let count = bytes.number16(end + 10), let start = bytes.number32(end + 16)
        else { throw ZipError("It is no zip archive, or it is cut off.") }
        guard bytes.number16(end + 4) == 0, start != 0xFFFF_FFFF, count != 0xFFFF else {
            throw ZipError("It is an archive of several volumes, or larger than four gigabytes.")
        }
        guard count <= limits.files else {
            throw ZipError("It has \(count) files; \(limits.files) are allowed.")
        }
        var (entries, place, total) = ([String: Entry](), start, 0)
        for _ in 0..<count {
            let (name, entry, next) = try Self.entry(bytes, at: place)
            place = next
            guard !name.hasSuffix("/") else { continue }
            guard entries.updateValue(entry, forKey: name) == nil else {
                throw ZipError("\(name) is in it twice.")
            }
            total += entry.expanded
            guard entry.expanded <= limits.fileBytes, total <= limits.bytes else {
                throw ZipError("\(name) would be too large when it is expanded.")
            }
            guard entry.expanded <= entry.compressed * Self.mostExpansion + Self.spareBytes else {
                throw ZipError("\(name) says that it is larger than it can be.")
            }
        }
        self.entries = entries
    }

    private static func entry(
        _ bytes: Bytes, at place: Int
    ) throws(ZipError) -> (name: String, Entry, next: Int) {
        guard bytes.number32(place) == 0x0201_4B50, let flags = bytes.number16(place + 8),
            let method = bytes.number16(place + 10), let checksum = bytes.number32(place + 16),
            let compressed = bytes.number32(place + 20), let expanded = bytes.number32(place + 24),
            let nameLength = bytes.number16(place + 28), let extra = bytes.number16(place + 30),
            let comment = bytes.number16(place + 32), let offset = bytes.number32(place + 42),
            let name = bytes.slice(place + 46, nameLength)
        else { throw ZipError("Its directory is broken.") }
        let text = String(decoding: name, as: UTF8.self)
        guard flags & 1 == 0 else { throw ZipError("\(text) is encrypted.") }
        guard method == 0 || method == 8 else {
            throw ZipError("\(text) is compressed in another way than by deflate.")
        }
        let entry = Entry(
            method: method, checksum: UInt32(checksum), compressed: compressed,
            expanded: expanded, offset: offset)
        return (text, entry, place + 46 + nameLength + extra + comment)
    }

    /// A file's contents, checked by its checksum; nil if there is no such file.
    public func file(_ name: String) throws(ZipError) -> Data? {
        guard let entry = entries[name] else { return nil }
        let bytes = Bytes(data: data)
        guard bytes.number32(entry.offset) == 0x0403_4B50,
            let nameLength = bytes.number16(entry.offset + 26),
            let extra = bytes.number16(entry.offset + 28),
            let content = bytes.slice(entry.offset + 30 + nameLength + extra, entry.compressed)
        else { throw ZipError("\(name) is cut off.") }
        let expanded = entry.method == 0 ? content : Self.inflated(content, to: entry.expanded)
        guard let expanded, expanded.count == entry.expanded,
            Zip.checksum(expanded) == entry.checksum
        else { throw ZipError("\(name) is broken.") }
        return expanded
    }

    /// Nil if the stream is invalid, or has another length.
    private static func inflated(_ data: Data, to length: Int) -> Data? {
        var stream = z_stream()
        guard czlib_begin_raw_inflate(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        // One more byte, to detect a stream that is too long.
        return Gzip.run(&stream, data, most: length + 1) { inflate(&$0, Z_FINISH) }
    }

    /// Reads little-endian numbers at offsets that may be out of range.
    private struct Bytes {
        let data: Data

        func slice(_ place: Int, _ length: Int) -> Data? {
            guard place >= 0, length >= 0, place + length <= data.count else { return nil }
            let start = data.startIndex + place
            return data[start..<(start + length)]
        }

        func number16(_ place: Int) -> Int? { number(place, 2) }
        func number32(_ place: Int) -> Int? { number(place, 4) }

        private func number(_ place: Int, _ length: Int) -> Int? {
            slice(place, length)?.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}

/// Why an archive, or a file in it, can't be read, as a sentence.
public struct ZipError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
