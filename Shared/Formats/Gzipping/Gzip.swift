import CZlib
import Foundation

public enum Gzip {
    /// The data in gzip's format (RFC 1952), or nil if that isn't smaller.
    public static func compressed(_ data: Data) -> Data? {
        var stream = z_stream()
        guard !data.isEmpty, czlib_begin_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // A result that does not fit isn't worth sending.
        return run(&stream, data, most: data.count) { deflate(&$0, Z_FINISH) }
    }

    /// The decompressed data; nil if it isn't gzip, or has more than `most` bytes.
    public static func expanded(_ data: Data, most: Int) -> Data? {
        var stream = z_stream()
        guard !data.isEmpty, czlib_begin_gunzip(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        return run(&stream, data, most: most) { inflate(&$0, Z_FINISH) }
    }

    static func run(
        _ stream: inout z_stream, _ data: Data, most: Int, _ step: (inout z_stream) -> Int32
    ) -> Data? {
        var output = [UInt8](repeating: 0, count: most)
        let result = data.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib only reads its input, though its type does not say so.
                stream.next_in = UnsafeMutablePointer(
                    mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return step(&stream)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Data(output.prefix(Int(stream.total_out)))
    }
}
