/// The wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding), read field by field.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// Four or eight bytes, none of which we read.
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Nil at the end.
    mutating func next() throws(RealtimeError) -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let key = try number()
        let field = key >> 3
        guard (1...536_870_911).contains(field) else { throw .notProtobuf }
        switch key & 7 {
        case 0: return (field, .number(try number()))
        case 1:
            _ = try take(8)
            return (field, .fixed)
        case 2:
            let length = try number()
            guard length <= UInt64(rest.count) else { throw .notProtobuf }
            return (field, .bytes(try take(Int(length))))
        case 5:
            _ = try take(4)
            return (field, .fixed)
        // Groups, which feeds don't contain.
        default: throw .notProtobuf
        }
    }

    private mutating func number() throws(RealtimeError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw .notProtobuf }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw .notProtobuf
    }

    private mutating func take(_ count: Int) throws(RealtimeError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .notProtobuf }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension ProtobufReader.Value {
    func number() throws(RealtimeError) -> UInt64 {
        guard case .number(let number) = self else { throw .notProtobuf }
        return number
    }

    /// Negative numbers have ten bytes.
    func integer() throws(RealtimeError) -> Int { Int(Int64(bitPattern: try number())) }

    func bytes() throws(RealtimeError) -> ArraySlice<UInt8> {
        guard case .bytes(let bytes) = self else { throw .notProtobuf }
        return bytes
    }

    func text() throws(RealtimeError) -> String {
        String(decoding: try bytes(), as: UTF8.self)
    }

    /// Reads the fields of an embedded message.
    func each(
        _ read: (UInt64, ProtobufReader.Value) throws(RealtimeError) -> Void
    ) throws(RealtimeError) {
        var reader = ProtobufReader(try bytes())
        while let (field, value) = try reader.next() { try read(field, value) }
    }
}
