import CZlib
import Foundation

/// Compresses once what is sent often.
enum Gzip {
    /// In gzip's form (RFC 1952), or nil when that would not be smaller.
    static func compressed(_ data: Data) -> Data? {
        var stream = z_stream()
        guard !data.isEmpty, czlib_begin_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // Whatever would not fit into this is not worth sending.
        var output = [UInt8](repeating: 0, count: data.count)
        let result = data.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib reads its input only, though its type does not say so.
                stream.next_in = UnsafeMutablePointer(
                    mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Data(output.prefix(Int(stream.total_out)))
    }
}
