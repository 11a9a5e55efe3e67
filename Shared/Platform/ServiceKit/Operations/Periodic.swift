import EventBus
import Logging
import ServiceLifecycle
import Store

/// Work that runs at the start and again after each pause, until the service stops.
///
/// A failure is logged, and the work is tried again the next time. If several processes share a database, only the
/// leader does the work.
public struct Periodic: Service {
    private let name: String
    private let pause: Duration
    private let logger: Logger
    private let database: Database?
    private let work: @Sendable () async throws -> Void

    /// How often a process that isn't the leader checks whether it is now.
    static let leadPause: Duration = .seconds(1)

    /// - Parameters:
    ///   - name: The name of the work in the log.
    ///   - database: Only its leader does the work; without one, every process does.
    public init(
        _ name: String, every pause: Duration, of database: Database? = nil, logger: Logger,
        work: @escaping @Sendable () async throws -> Void
    ) {
        (self.name, self.pause, self.logger, self.work) = (name, pause, logger, work)
        self.database = database
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                guard database?.leads ?? true else {
                    try? await Task.sleep(for: min(pause, Self.leadPause))
                    continue
                }
                do {
                    try await work()
                } catch {
                    logger.warning(
                        "periodic work failed",
                        metadata: ["work": "\(name)", "error": "\(loggable(error))"])
                }
                // The sleep is cancelled when the service stops.
                try? await Task.sleep(for: pause)
            }
        }
    }
}

extension ServiceEnvironment {
    /// Periodic work of this service; see `Periodic` for the parameters.
    public func periodic(
        _ name: String, every pause: Duration = .seconds(600), of database: Database? = nil,
        work: @escaping @Sendable () async throws -> Void
    ) -> Periodic {
        Periodic(name, every: pause, of: database, logger: logger, work: work)
    }
}
