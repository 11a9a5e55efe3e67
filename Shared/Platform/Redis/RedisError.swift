/// An error from Redis, classified by what the caller can do about it.
public struct RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The server cannot be reached or did not answer in time: the same call may succeed later. It is unknown
        /// whether the command ran.
        case unavailable
        /// The server refused the command.
        case server
        /// The reply does not have the form that the command expects.
        case `protocol`
    }

    public let kind: Kind
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// An error reply, whose first word is its code.
    public init(reply message: String) {
        let code = message.prefix { $0 != " " }
        self.init(Self.passing.contains(String(code)) ? .unavailable : .server, message)
    }

    /// The first word of the server's answer, for example `WRONGTYPE` or `NOSCRIPT`.
    public var code: String { String(message.prefix { $0 != " " }) }

    public var description: String { "\(kind): \(message)" }

    /// Whether the server has refused the command for a reason that passes by itself, usually within seconds.
    var isObstacle: Bool { Obstacle(message, from: nil) != nil }

    /// Refusals that have nothing to do with the command: start, failover, a move of keys, a long script, no memory or
    /// disk, not enough replicas, a password that has just been introduced.
    private static let passing: Set = [
        "ASK", "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "MOVED", "NOAUTH",
        "NOREPLICAS", "OOM", "READONLY", "TRYAGAIN",
    ]
}
