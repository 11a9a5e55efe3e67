import Foundation

/// The addresses of Redis servers, and the limits of their clients.
public struct RedisConfiguration: Sendable, Hashable {
    public static let standardPort = 6379
    public static let standardSentinelPort = 26379

    /// How the servers belong together.
    public enum Topology: Sendable, Hashable {
        /// One server.
        case single
        /// A Redis Cluster, of which `servers` are some members.
        case cluster
        /// `servers` are Sentinels, which name the present master.
        case sentinel(Sentinel)
    }

    /// What Sentinels are asked.
    public struct Sentinel: Sendable, Hashable {
        /// The name under which they watch the master.
        public var master: String
        /// Their login, which may differ from that of the servers.
        public var username: String?
        public var password: String?
    }

    public var topology = Topology.single
    /// At least one.
    public private(set) var servers: [RedisAddress]
    /// For servers with access lists; without it, the password is the default user's.
    public var username: String?
    public var password: String?
    public var database = 0
    public var connectTimeout: Duration = .seconds(1)
    /// Time for a command, including its waits for a connection, and for an obstacle that will pass.
    public var commandTimeout: Duration = .seconds(2)
    /// For each server. One connection runs one command or pipeline at a time.
    public var connections = 4

    /// A single server.
    public init(host: String, port: Int) {
        servers = [RedisAddress(host: host, port: port)]
    }

    public var host: String { servers[0].host }
    public var port: Int { servers[0].port }

    /// Reads
    /// - `host:port` or `redis://[[user]:password@]host[:port][/database]`,
    /// - `redis+cluster://[[user]:password@]host[:port],…` with some or all members of a cluster,
    /// - `redis+sentinel://[[user]:password@]host[:port],…/master[/database]` with the addresses of Sentinels, and the
    ///   login of the master; Sentinels with a login have it in the query,
    ///   `?sentinel_username=user&sentinel_password=password`.
    public init?(_ text: String) {
        guard let parts = Parts(text) else { return nil }
        self.init(parts)
    }

    private init?(_ parts: Parts) {
        servers = parts.servers
        username = parts.username
        password = parts.password
        var path = parts.path[...]
        switch parts.scheme {
        case "redis":
            guard servers.count == 1, parts.query.isEmpty else { return nil }
        case "redis+cluster":
            guard path.isEmpty, parts.query.isEmpty else { return nil }
            topology = .cluster
        case "redis+sentinel":
            guard let master = path.popFirst(),
                let sentinel = Sentinel(master: master, query: parts.query)
            else { return nil }
            topology = .sentinel(sentinel)
        default: return nil
        }
        guard let text = path.popFirst() else { return }
        guard path.isEmpty, let database = Int(text), database >= 0 else { return nil }
        self.database = database
    }
}

extension RedisConfiguration.Sentinel {
    fileprivate init?(master: String, query: [String: String]) {
        guard !master.isEmpty,
            Set(query.keys).isSubset(of: ["sentinel_username", "sentinel_password"])
        else { return nil }
        self.master = master
        username = query["sentinel_username"]
        password = query["sentinel_password"]
        if username != nil, password == nil { return nil }
    }
}

/// An address with several hosts, which is no URL of RFC 3986 then.
private struct Parts {
    let scheme: String
    let servers: [RedisAddress]
    var username: String?
    var password: String?
    /// Without empty segments.
    let path: [String]
    let query: [String: String]

    init?(_ text: String) {
        guard
            let match = text.wholeMatch(of: /(?:([a-z+]+):\/\/)?(?:([^@\/?]*)@)?([^@\/?]+)([^@]*)/),
            let rest = URLComponents(string: "redis://host" + match.4), rest.fragment == nil
        else { return nil }
        scheme = match.1.map(String.init) ?? "redis"
        // Without a scheme the port is required, so that a misspelt key is not taken for a host.
        if match.1 == nil, text.wholeMatch(of: /[^@\/,]+:[0-9]+/) == nil { return nil }
        let port =
            scheme == "redis+sentinel"
            ? RedisConfiguration.standardSentinelPort : RedisConfiguration.standardPort
        let hosts = match.3.split(separator: ",", omittingEmptySubsequences: false)
        servers = hosts.compactMap { RedisAddress($0, port: port) }
        if servers.count < hosts.count { return nil }
        path = rest.path.split(separator: "/").map(String.init)
        let items = (rest.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        query = Dictionary(items) { $1 }
        guard let login = match.2 else { return }
        let words = login.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let user = words[0].removingPercentEncoding,
            let password = words[1].removingPercentEncoding
        else { return nil }
        username = user.isEmpty ? nil : user
        self.password = password
    }
}

extension RedisAddress {
    /// Reads `host[:port]`, where an IPv6 address is in brackets.
    fileprivate init?(_ text: Substring, port: Int) {
        guard let parts = URLComponents(string: "redis://" + text), parts.path.isEmpty,
            let host = parts.host, !host.isEmpty
        else { return nil }
        let port = parts.port ?? port
        guard (1...Int(UInt16.max)).contains(port) else { return nil }
        self.init(host: host.trimmingCharacters(in: ["[", "]"]), port: port)
    }
}
