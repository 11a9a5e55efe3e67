import CHiredis

/// A reply of the server (RESP version 2).
public indirect enum RedisValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case bulk(String)
    case status(String)
    case array([RedisValue])
    case error(String)

    /// Nil if it isn't text.
    public var string: String? {
        switch self {
        case .bulk(let text), .status(let text): text
        case .null, .integer, .array, .error: nil
        }
    }

    /// Also for text that is a whole number, as in replies of scripts and hashes.
    public var int: Int? {
        switch self {
        case .integer(let value): Int(value)
        case .bulk(let text), .status(let text): Int(text)
        case .null, .array, .error: nil
        }
    }

    /// RESP2 has no fractions: distances and scores are text.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .bulk(let text), .status(let text): Double(text)
        case .null, .array, .error: nil
        }
    }

    public var array: [RedisValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    public var isNull: Bool { self == .null }
}

extension RedisValue {
    /// Copies everything.
    init(_ reply: UnsafeMutablePointer<redisReply>) throws(RedisError) {
        let raw = reply.pointee
        switch raw.type {
        case REDIS_REPLY_STRING: self = .bulk(Self.text(raw))
        case REDIS_REPLY_STATUS: self = .status(Self.text(raw))
        case REDIS_REPLY_ERROR: self = .error(Self.text(raw))
        case REDIS_REPLY_INTEGER: self = .integer(raw.integer)
        case REDIS_REPLY_NIL: self = .null
        case REDIS_REPLY_ARRAY:
            var values: [RedisValue] = []
            values.reserveCapacity(raw.elements)
            for index in 0..<raw.elements {
                guard let element = raw.element[index] else { continue }
                values.append(try RedisValue(element))
            }
            self = .array(values)
        default:
            throw RedisError(.protocol, "Unknown type of reply: \(raw.type)")
        }
    }

    private static func text(_ reply: redisReply) -> String {
        String(decoding: UnsafeRawBufferPointer(start: reply.str, count: reply.len), as: UTF8.self)
    }
}
