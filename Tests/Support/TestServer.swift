import Hummingbird
import HummingbirdCore
import Logging
import ServiceKit
import ServiceLifecycle

public struct ServerDidNotStart: Error {}

/// Runs a router on a free port of 127.0.0.1 for as long as the body takes.
public func withServer<RouterContext: RequestContext, Value: Sendable>(
    _ router: Router<RouterContext>, _ body: (Int) async throws -> Value
) async throws -> Value
where RouterContext: InitializableFromSource<ApplicationRequestContextSource> {
    try await withServer(router.buildResponder(), body)
}

/// Runs a responder on a free port of 127.0.0.1 for as long as the body takes.
///
/// Not Hummingbird's `.live`, which opens a connection of its own and does not wait for it: a short
/// body is over before the server has accepted it.
public func withServer<Responder: HTTPResponder, Value: Sendable>(
    _ responder: Responder, server: HTTPServerBuilder = .guarded(),
    _ body: (Int) async throws -> Value
) async throws -> Value
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let (ports, port) = AsyncStream<Int>.makeStream()
    var logger = Logger(label: "test-server") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let application = Application(
        responder: responder, server: server,
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
        logger: logger)
    let group = ServiceGroup(
        configuration: .init(services: [application], gracefulShutdownSignals: [], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { port.finish() }
            try await group.run()
        }
        var found = ports.makeAsyncIterator()
        guard let port = await found.next() else {
            try await tasks.waitForAll()
            throw ServerDidNotStart()
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(port)) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try result.get()
    }
}
