import Logging
import ServiceLifecycle

/// Work that is done at the start, and again after each pause, until the service stops.
///
/// What fails is logged, and tried again the next time.
public struct Periodic: Service {
    private let name: String
    private let pause: Duration
    private let logger: Logger
    private let work: @Sendable () async throws -> Void

    /// - Parameter name: What the work is called in the log.
    public init(
        _ name: String, every pause: Duration, logger: Logger,
        work: @escaping @Sendable () async throws -> Void
    ) {
        (self.name, self.pause, self.logger, self.work) = (name, pause, logger, work)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
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
