/// A command and how to decode its reply.
public protocol RedisCommand: Sendable {
    associatedtype Response: Sendable

    /// The command's name and its arguments, as on the wire.
    var arguments: [String] { get }

    /// Never called with an error reply, which is thrown before.
    static func decode(_ reply: RedisValue) throws(RedisError) -> Response
}

/// A command whose reply the caller decodes.
public struct RawCommand: RedisCommand, Hashable {
    public let arguments: [String]

    public init(_ arguments: String...) {
        self.arguments = arguments
    }

    public init(_ arguments: [String]) {
        self.arguments = arguments
    }

    public static func decode(_ reply: RedisValue) -> RedisValue { reply }
}

/// A Lua script that the server runs atomically.
public struct RedisScript: Sendable, Hashable {
    public let source: String

    public init(_ source: String) {
        self.source = source
    }

    /// A script of parts, Lua in UTF-8, that are joined.
    public init(_ parts: [UInt8]...) {
        self.init(parts.map { String(decoding: $0, as: UTF8.self) }.joined())
    }
}

/// The RESP form of a request: an array of bulk strings.
enum Wire {
    static func append(_ arguments: [String], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "*\(arguments.count)\r\n".utf8)
        for argument in arguments {
            bytes.append(contentsOf: "$\(argument.utf8.count)\r\n".utf8)
            bytes.append(contentsOf: argument.utf8)
            bytes.append(contentsOf: "\r\n".utf8)
        }
    }
}
