import ServiceLifecycle
import Store

/// Closes a database when the service stops. List it first, so that it outlives everything that uses it.
public struct DatabaseService: Service {
    private let database: Database

    public init(_ database: Database) { self.database = database }

    public func run() async throws {
        try? await gracefulShutdown()
        try await database.close()
    }
}
