import Foundation

/// The address of a Redis server, and the limits of its clients.
public struct RedisConfiguration: Sendable, Hashable {
    public static let standardPort = 6379

    public var host: String
    public var port: Int
    /// For servers with access lists; without it, the password is the default user's.
    public var username: String?
    public var password: String?
    public var database = 0
    public var connectTimeout: Duration = .seconds(1)
    /// Time for a command, including its wait for a connection.
    public var commandTimeout: Duration = .seconds(2)
    /// One connection runs one command or pipeline at a time.
    public var connections = 4

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port` or `redis://[[user]:password@]host[:port][/database]`.
    public init?(_ text: String) {
        if text.contains("://") {
            self.init(url: text)
        } else {
            // Without a scheme the port is required, so that a misspelt key is not taken for a host.
            self.init(url: "redis://" + text)
            guard text.wholeMatch(of: /[^@\/]+:[0-9]+/) != nil else { return nil }
        }
    }

    private init?(url: String) {
        guard let parts = URLComponents(string: url), parts.scheme == "redis",
            let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil
        else { return nil }
        let port = parts.port ?? Self.standardPort
        guard (1...Int(UInt16.max)).contains(port) else { return nil }
        self.init(host: host.trimmingCharacters(in: ["[", "]"]), port: port)
        username = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        if username != nil, password == nil { return nil }
        let path = parts.path.drop { $0 == "/" }
        if path.isEmpty { return }
        guard let database = Int(path), database >= 0 else { return nil }
        self.database = database
    }
}
