import Logging
import ServiceLifecycle
import Store

/// Work that is done at the start, and again after each pause, until the service stops.
///
/// What fails is logged, and tried again the next time. Of the processes that share a database, the one that
/// leads does it.
public struct Periodic: Service {
    private let name: String
    private let pause: Duration
    private let logger: Logger
    private let database: Database?
    private let work: @Sendable () async throws -> Void

    /// How soon a process that does not lead looks whether it does.
    static let leadPause: Duration = .seconds(1)

    /// - Parameters:
    ///   - name: What the work is called in the log.
    ///   - database: Only the process that leads it does the work; without one, every process does.
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
                        metadata: ["work": "\(name)", "error": "\(type(of: error))"])
                }
                // Cancelled in its sleep when the service stops.
                try? await Task.sleep(for: pause)
            }
        }
    }
}

extension ServiceEnvironment {
    /// Work of this service; `Periodic` says what the parameters mean.
    public func periodic(
        _ name: String, every pause: Duration = .seconds(600), of database: Database? = nil,
        work: @escaping @Sendable () async throws -> Void
    ) -> Periodic {
        Periodic(name, every: pause, of: database, logger: logger, work: work)
    }
}
