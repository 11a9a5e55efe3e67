/// Where a server listens.
public struct RedisAddress: Sendable, Hashable, CustomStringConvertible {
    public let host: String
    public let port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads the address in a redirection: `host:port`, where an IPv6 address has no brackets. Without a host, it is
    /// that of the server that redirects. Nil if that server does not know the host.
    init?(redirection text: Substring, from server: RedisAddress) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]),
            (1...Int(UInt16.max)).contains(port), text[..<colon] != "?"
        else { return nil }
        let host = text[..<colon]
        self.init(host: host.isEmpty ? server.host : String(host), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
