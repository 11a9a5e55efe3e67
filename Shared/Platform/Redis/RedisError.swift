/// Why Redis did not do it, and what the caller can do about that.
public struct RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The server cannot be reached or did not answer in time: the same call may succeed
        /// later. Whether the command ran is unknown.
        case unavailable
        /// The server refused the command.
        case server
        /// The reply is not what the command expects.
        case `protocol`
    }

    public let kind: Kind
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// An error reply; its first word says what it is.
    public init(reply message: String) {
        let code = message.prefix { $0 != " " }
        self.init(Self.passing.contains(String(code)) ? .unavailable : .server, message)
    }

    /// The first word of the server's answer: `WRONGTYPE`, `NOSCRIPT`.
    public var code: String { String(message.prefix { $0 != " " }) }

    public var description: String { "\(kind): \(message)" }

    /// Refusals that end by themselves: start, failover, a long script.
    private static let passing: Set = [
        "LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN", "CLUSTERDOWN", "READONLY",
    ]
}
