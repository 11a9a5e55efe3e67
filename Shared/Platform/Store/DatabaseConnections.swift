/// The connections of one process to its database, at one moment.
public struct DatabaseConnections: Sendable, Hashable {
    /// Open connections, including the one that listens for signals.
    public let open: Int
    /// Connections with a transaction, or about to close.
    public let inUse: Int
    /// Transactions that wait for a connection.
    public let waiting: Int
    /// Maximum number of open connections.
    public let most: Int
    /// How many connections the server allows all of its ordinary clients together, as of the start.
    public let serverLimit: Int
}
