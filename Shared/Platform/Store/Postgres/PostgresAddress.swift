internal import CPostgres

/// The address of a PostgreSQL server, our login there, and the prefix of our databases' names.
///
/// It contains a password, so its description does not show the contents.
public struct PostgresAddress: Sendable, Hashable {
    static let standardPrefix = "openvalet"
    private static let standardPort = "5432"
    /// Maximum length of the prefix, in characters. Databases are named `<prefix>_<service>`, and PostgreSQL's names
    /// have at most 63 bytes.
    static let longestPrefix = 32

    /// For libpq, without a database.
    let url: String
    let prefix: String
    /// Host and port, for people.
    public let server: String
    /// Whether it contains the password; a file or a variable of libpq may do so instead.
    public let hasPassword: Bool

    /// Reads `postgres://[user[:password]@]host[:port][/prefix][?sslmode=…]` with any of libpq's parameters. Nil if
    /// it is malformed.
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
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        hasPassword = values["password"] != nil
        server = "\(values["host"] ?? "localhost"):\(values["port"] ?? Self.standardPort)"
    }

    /// The name of a service's database.
    public func database(of service: String) -> String { "\(prefix)_\(service)" }

    /// How many connections the server allows all of its ordinary clients together. Connects to a database that
    /// every server has, or else to that of the service. Blocks.
    ///
    /// - Throws: `StoreError` with libpq's reason if there is no connection.
    public func connectionLimit(orOf service: String) throws -> Int {
        var failure: (any Error)?
        for name in PostgresSetup.others + [database(of: service)] {
            do {
                let connection = try PostgresConnection(self, database: name)
                let row = try connection.rows(PostgresSetup.limit, [], limit: 1).first
                return try row?.get("connections") ?? 0
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? StoreError(.unavailable, "no connection")
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    public var description: String { "postgres://…" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
