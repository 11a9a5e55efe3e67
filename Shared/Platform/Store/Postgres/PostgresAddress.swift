internal import CPostgres

/// Where a PostgreSQL server is, who we are there, and what our databases are called there.
///
/// Holds a password, so it never prints more than what it is.
public struct PostgresAddress: Sendable, Hashable {
    static let standardPrefix = "openvalet"
    /// Databases are `<prefix>_<service>`, and names of PostgreSQL end after 63 bytes.
    static let longestPrefix = 32

    /// For libpq, without a database.
    let url: String
    let prefix: String
    /// Whether it says the password: a file or a variable of libpq may do so instead.
    public let hasPassword: Bool

    /// Reads `postgres://[user[:password]@]host[:port][/prefix][?sslmode=…]`, where every parameter of libpq
    /// goes; nil when it is none.
    public init?(_ text: String) {
        guard let scheme = text.range(of: "://"),
            ["postgres", "postgresql"].contains(text[..<scheme.lowerBound])
        else { return nil }
        let rest = text[scheme.upperBound...]
        let query = rest.firstIndex(of: "?") ?? rest.endIndex
        let slash = rest[..<query].firstIndex(of: "/") ?? query
        let path = rest[slash..<query].drop { $0 == "/" }
        guard path.count <= Self.longestPrefix,
            path.isEmpty || path.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil
        else { return nil }
        prefix = path.isEmpty ? Self.standardPrefix : String(path)
        url = "postgres://\(rest[..<slash])/\(rest[query...])"
        guard let options = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var hasPassword = false
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "password", option.pointee.val != nil {
                hasPassword = true
            }
            option += 1
        }
        self.hasPassword = hasPassword
    }

    /// The name of a service's database.
    public func database(of service: String) -> String { "\(prefix)_\(service)" }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    public var description: String { "postgres://…" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
