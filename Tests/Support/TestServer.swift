import Hummingbird
import Logging
import ServiceLifecycle

/// Runs a router on a free port of 127.0.0.1 for as long as the body takes.
public func withServer<RouterContext: RequestContext>(
    _ router: Router<RouterContext>, _ body: (Int) async throws -> Void
) async throws where RouterContext: InitializableFromSource<ApplicationRequestContextSource> {
    let started = AsyncStream<Int>.makeStream()
    var logger = Logger(label: "test-server")
    logger.logLevel = .critical
    let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            started.continuation.yield(channel.localAddress?.port ?? 0)
        }, logger: logger)
    let group = ServiceGroup(
        configuration: .init(services: [application], gracefulShutdownSignals: [], logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        var ports = started.stream.makeAsyncIterator()
        guard let port = await ports.next() else { return }
        do {
            try await body(port)
        } catch {
            await group.triggerGracefulShutdown()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}
