import ServiceContextModule

/// The position in a distributed trace: W3C Trace Context, version 00.
public struct TraceContext: Sendable, Hashable {
    /// 32 lower-case hexadecimal digits, the same in everything that one request causes.
    public let traceID: String
    /// 16 lower-case hexadecimal digits, for one step.
    public let spanID: String
    public let isSampled: Bool

    /// The start of a new trace.
    public static func root() -> TraceContext {
        let high = UInt64.random(in: 1 ... .max)
        let low = UInt64.random(in: 1 ... .max)
        return TraceContext(traceID: hex(high) + hex(low), spanID: newSpanID(), isSampled: true)
    }

    private init(traceID: String, spanID: String, isSampled: Bool) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
    }

    /// Reads a `traceparent`; nil for anything that the standard does not allow in version 00.
    public init?(_ traceparent: String) {
        guard traceparent.utf8.count == 55 else { return nil }
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "00",
            parts[1].utf8.count == 32, parts[2].utf8.count == 16, parts[3].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy(Self.isHex) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        self.init(
            traceID: String(parts[1]), spanID: String(parts[2]), isSampled: flags & 1 == 1)
    }

    /// The next step of the same trace.
    public func child() -> TraceContext {
        TraceContext(traceID: traceID, spanID: Self.newSpanID(), isSampled: isSampled)
    }

    /// The value of `traceparent` to pass on.
    public var text: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func newSpanID() -> String { hex(.random(in: 1 ... .max)) }

    private static func hex(_ value: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: value >> (60 - 4 * UInt64(index))) & 0xF
                digits[index] = digit < 10 ? 0x30 + digit : 0x61 - 10 + digit
            }
            return 16
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
    static var nameOverride: String? { "traceparent" }
}

extension ServiceContext {
    public var traceContext: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}
