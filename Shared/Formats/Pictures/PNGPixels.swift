import CZlib

/// The layout of a PNG's pixels according to its header.
struct PNGLayout {
    /// Allowed bits per sample (W3C PNG, table 8) and samples per pixel, by colour type.
    private static let types: [UInt8: (depths: Set<UInt8>, samples: Int)] = [
        0: ([1, 2, 4, 8, 16], 1), 2: ([8, 16], 3), 3: ([1, 2, 4, 8], 1), 4: ([8, 16], 2),
        6: ([8, 16], 4),
    ]
    /// Start and step of each pass of Adam7: x, y, across, down.
    private static let passes = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]

    /// Groups of rows with the same length, in the order of compression; the first byte of each row is its filter.
    let rows: [(count: Int, bytes: Int)]
    let needsPalette: Bool

    /// `fields` contains depth, colour type, compression, filter and interlacing.
    init(_ size: PictureSize, _ fields: ArraySlice<UInt8>) throws(PictureError) {
        let fields = Array(fields)
        guard fields.count == 5, let type = Self.types[fields[1]],
            type.depths.contains(fields[0]), fields[2] == 0, fields[3] == 0, fields[4] <= 1
        else { throw .malformed }
        let bits = Int(fields[0]) * type.samples
        let passes = fields[4] == 1 ? Self.passes : [(0, 0, 1, 1)]
        rows = passes.compactMap { x, y, across, down in
            let width = (size.width - x + across - 1) / across
            let height = (size.height - y + down - 1) / down
            guard width > 0, height > 0 else { return nil }
            return (height, 1 + (width * bits + 7) / 8)
        }
        needsPalette = fields[1] == 3
    }
}

/// Decompresses a PNG's pixels and discards them, to check that there are as many as the header says, and that each
/// row has a valid filter. Needs the same small amount of memory for every picture.
struct PNGPixels {
    private static let bufferSize = 64 * 1_024
    private static let lastFilter: UInt8 = 4

    private var left: [(count: Int, bytes: Int)]
    /// Remaining bytes of the current row.
    private var leftOfRow = 0

    private init(_ layout: PNGLayout) { left = layout.rows.reversed() }

    static func check(
        _ layout: PNGLayout, _ data: [Range<Int>], in bytes: Bytes
    ) throws(PictureError) {
        // zlib keeps the address.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard czlib_begin_inflate(stream) == Z_OK else { throw .malformed }
        defer { inflateEnd(stream) }
        var pixels = PNGPixels(layout)
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        var hasEnded = false
        for range in data where !range.isEmpty {
            var offset = range.lowerBound
            repeat {
                guard !hasEnded else { throw .malformed }
                let status = inflate(stream, bytes.all, &offset, range.upperBound, &buffer)
                guard status == Z_OK || status == Z_STREAM_END else { throw .malformed }
                hasEnded = status == Z_STREAM_END
                try pixels.take(buffer[..<(bufferSize - Int(stream.pointee.avail_out))])
            } while offset < range.upperBound || (stream.pointee.avail_out == 0 && !hasEnded)
        }
        guard hasEnded, pixels.left.isEmpty, pixels.leftOfRow == 0 else { throw .malformed }
    }

    private static func inflate(
        _ stream: UnsafeMutablePointer<z_stream>, _ input: [UInt8], _ offset: inout Int, _ end: Int,
        _ buffer: inout [UInt8]
    ) -> Int32 {
        let available = end - offset
        let status = input.withUnsafeBufferPointer { input in
            buffer.withUnsafeMutableBufferPointer { output in
                // zlib only reads its input, though its type does not say so.
                stream.pointee.next_in = input.baseAddress.map {
                    UnsafeMutablePointer(mutating: $0 + offset)
                }
                stream.pointee.avail_in = uInt(available)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(output.count)
                let status = CZlib.inflate(stream, Z_NO_FLUSH)
                // Not an error: the output ended exactly with the previous buffer.
                return status == Z_BUF_ERROR && available == 0 ? Z_OK : status
            }
        }
        offset = end - Int(stream.pointee.avail_in)
        return status
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws(PictureError) {
        var offset = bytes.startIndex
        while offset < bytes.endIndex {
            if leftOfRow == 0 {
                guard let row = left.last, bytes[offset] <= Self.lastFilter else {
                    throw .malformed
                }
                leftOfRow = row.bytes
                left[left.count - 1].count -= 1
                if row.count == 1 { left.removeLast() }
            }
            let step = min(leftOfRow, bytes.endIndex - offset)
            leftOfRow -= step
            offset += step
        }
    }
}
