import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Support
import Testing

@testable import ServiceKit

/// Against a real server that is asked to stop.
@Suite(.withoutDatabase) struct DrainTests {
    /// Closed until it is opened.
    private struct Gate: Sendable {
        private let opened = AsyncStream<Void>.makeStream()

        func open() { opened.continuation.finish() }
        func wait() async { for await _ in opened.stream {} }
    }

    private let isNoticed = Gate()
    private let isDone = Gate()
    private let begun = Recorder<String>()

    private func router(_ drain: Drain) throws -> Router<Context> {
        var environment = try ServiceEnvironment.test("orders")
        environment.drain = drain
        let router = environment.router()
        router.get("/long") { _, _ in
            begun.add("long")
            await isDone.wait()
            return Response(status: .ok)
        }
        _ = environment.server(router)
        return router
    }

    private func ask(
        _ port: Int, _ path: String, within limit: TimeAmount = .seconds(60)
    ) async throws -> HTTPClientResponse {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        return try await HTTPClient.shared.execute(request, timeout: limit)
    }

    /// A process that another test starts meanwhile may inherit the closed socket, and never answers there.
    private func isAnswering(_ port: Int) async -> Bool {
        (try? await ask(port, "/health/live", within: .seconds(1))) != nil
    }

    @Test func aStoppingServiceIsNotReadyButAnswersUntilItIsDrained() async throws {
        let drain = Drain { await isNoticed.wait() }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let server = Application(
            router: try router(drain), server: .guarded(),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(services: [server, drain], logger: logger)
        async let ended: Void = group.run()
        let there = try #require(await ports.first { _ in true })
        let before = try await ask(there, "/health/ready")
        #expect(before.status == .ok)
        #expect(before.headers["connection"].isEmpty)
        async let long = ask(there, "/long")
        #expect(try await eventually { begun.all == ["long"] })

        await group.triggerGracefulShutdown()
        #expect(
            try await eventually {
                try await ask(there, "/health/ready").status == .serviceUnavailable
            })
        let body = try await ask(there, "/health/ready").body.collect(upTo: 1_024)
        let report = try JSONDecoder().decode(HealthReport.self, from: body)
        #expect(report == HealthReport(status: .unavailable, checks: ["drain": .unavailable]))
        let live = try await ask(there, "/health/live")
        #expect(live.status == .ok)
        #expect(live.headers["connection"] == ["close"])

        isNoticed.open()
        #expect(try await eventually { await !isAnswering(there) })
        isDone.open()
        let late = try await long
        #expect(late.status == .ok, "a request that has begun is answered")
        try await ended
    }

    @Test func aServiceWithoutAPauseStopsAtOnce() async throws {
        let drain = Drain(.zero)
        let group = ServiceGroup(
            services: [drain], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let ended: Void = group.run()
        await group.triggerGracefulShutdown()
        try await ended
        #expect(drain.isStopping)
    }

    @Test(arguments: ["-1", "61", "soon"])
    func aPauseThatIsNoneStopsTheStart(_ seconds: String) throws {
        let values = try ConfigValues(
            [
                "OPENVALET_KAFKA": "127.0.0.1:1",
                "OPENVALET_SERVICE_SECRET": String(repeating: "s", count: 32),
                "OPENVALET_DRAIN_SECONDS": seconds,
            ], keys: CommonConfig.keys([]))
        #expect(throws: ConfigError.self) { try CommonConfig(values, parts: []) }
    }
}
