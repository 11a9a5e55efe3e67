import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Support
import Synchronization
import Testing

@testable import ServiceKit

@Suite(.withoutDatabase) struct LogLinesTests {
    @Test func aLineIsWrittenAndOneThatNobodyReadsEndsNoProcess() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let logger = Logger(label: "orders") { name in
            LogLines(
                service: name, asJSON: false, logLevel: .info,
                output: pipe.fileHandleForWriting)
        }
        logger.info("a\nb", metadata: ["order": "7"])
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.hasSuffix(#" info orders: a\nb order=7"# + "\n"))
        try pipe.fileHandleForReading.close()
        logger.info("nobody is there")
    }
}

@Suite(.withoutDatabase) struct PrometheusTests {
    @Test func countersGaugesAndTimersAreWrittenInTheTextFormat() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "a.count", dimensions: [("kind", #"x"y\"#)]).increment(by: 2)
        registry.makeMeter(label: "b", dimensions: []).set(1.5)
        let timer = registry.makeTimer(label: "c", dimensions: [("path", "/v1")])
        timer.recordNanoseconds(3_000_000)
        timer.recordNanoseconds(60_000_000_000)
        let text = registry.text()
        #expect(text.contains("# TYPE a_count counter\na_count{kind=\"x\\\"y\\\\\"} 2.0\n"))
        #expect(text.contains("# TYPE b gauge\nb 1.5\n"))
        #expect(text.contains("c_bucket{path=\"/v1\",le=\"0.0025\"} 0\n"))
        #expect(text.contains("c_bucket{path=\"/v1\",le=\"0.005\"} 1\n"))
        #expect(text.contains("c_bucket{path=\"/v1\",le=\"+Inf\"} 2\n"))
        #expect(text.contains("c_count{path=\"/v1\"} 2\n"))
    }

    /// `promtool` wants a HELP line, base units, and `_total` on counters only.
    @Test func everyMetricFollowsTheRulesOfPrometheus() throws {
        let registry = PrometheusRegistry()
        for (name, text) in MetricText.all {
            switch text.kind {
            case .counter: registry.makeCounter(label: name, dimensions: []).increment(by: 1)
            case .gauge: registry.makeMeter(label: name, dimensions: []).set(1.0)
            case .histogram: registry.makeTimer(label: name, dimensions: []).recordNanoseconds(1)
            }
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).metrics")
        defer { try? FileManager.default.removeItem(at: file) }
        try registry.text().write(to: file, atomically: true, encoding: .utf8)
        let check = "promtool check metrics <'\(file.path)' 2>&1; true"
        #expect(try Command.output("sh", ["-c", check]) == "")
    }

    @Test func aHistogramOfWhatPeopleTakeHasBucketsOfMinutes() {
        let registry = PrometheusRegistry()
        let timer = registry.makeTimer(label: "orders_tap_to_assigned_seconds", dimensions: [])
        timer.recordNanoseconds(90_000_000_000)
        let text = registry.text()
        #expect(text.contains("orders_tap_to_assigned_seconds_bucket{le=\"60.0\"} 0\n"))
        #expect(text.contains("orders_tap_to_assigned_seconds_bucket{le=\"120.0\"} 1\n"))
        #expect(text.contains("# HELP orders_tap_to_assigned_seconds Time from"))
    }

    @Test func aValueThatIsUnknownIsWrittenAsPrometheusWritesIt() {
        let registry = PrometheusRegistry()
        registry.makeMeter(label: "lag", dimensions: []).set(Double.nan)
        #expect(registry.text().contains("\nlag NaN\n"))
    }

    @Test func theSameLabelAndDimensionsAreOneSeries() {
        let registry = PrometheusRegistry()
        for _ in 0..<3 {
            registry.makeCounter(label: "n", dimensions: [("a", "b")]).increment(by: 1)
        }
        #expect(registry.text().contains("n{a=\"b\"} 3.0\n"))
    }
}

@Suite(.withoutDatabase) struct MeasureTests {
    private struct Broken: Error {}

    @Test func aMeasureIsTakenWhenMetricsAreReadAndThenRestsForAWhile() async throws {
        let taken = Recorder<String>()
        let environment = try ServiceEnvironment.test("measured")
        environment.measure("rare", atMostEvery: .seconds(3_600)) { taken.add("rare") }
        environment.measure("broken", atMostEvery: .zero) {
            taken.add("broken")
            throw Broken()
        }
        let tokens = ServiceTokens(
            service: "openvalet", secret: ServiceEnvironment.testSecret, clock: environment.clock)
        let bearer = "Bearer \(try await tokens.token(for: "measured"))"
        let router = environment.router()
        _ = environment.server(router)
        #expect(taken.all.isEmpty)
        try await Application(router: router).test(.router) { client in
            for _ in 0..<2 {
                try await client.execute(
                    uri: "/metrics", method: .get, headers: [.authorization: bearer]
                ) { #expect($0.status == .ok) }
            }
        }
        #expect(taken.all.sorted() == ["broken", "broken", "rare"])
    }
}

@Suite(.withoutDatabase) struct ProcessMetricsTests {
    @Test func theProcessCanBeMeasured() throws {
        #expect(throws: Never.self) { try ProcessMetrics().measure() }
    }
}

@Suite(.withoutDatabase) struct CircuitBreakerTests {
    @Test func itOpensAfterFailuresInARowAndTriesOnceAfterThePause() {
        let breaker = CircuitBreaker(threshold: 2, pause: .zero)
        breaker.failed()
        #expect(breaker.mayCall())
        breaker.failed()
        #expect(breaker.mayCall(), "the pause is over: one trial")
        #expect(!breaker.mayCall(), "only one")
        breaker.succeeded()
        #expect(breaker.mayCall())
    }

    @Test func whileItIsOpenNothingIsCalled() {
        let breaker = CircuitBreaker(threshold: 1, pause: .seconds(3_600))
        breaker.failed()
        #expect(!breaker.mayCall())
    }
}

/// Against a real HTTP peer on a free port.
@Suite(.withoutDatabase) struct PeerTests {
    private struct Answer: Codable, Equatable { var value: Int }

    private static let question = Endpoint<Void, Answer>(
        .get, "/x", id: "question", "Asks", by: .services, answer: "It.")
    private static let order = Endpoint<Answer, Answer>(
        .post, "/x", id: "order", "Orders", by: .services, answer: "It.")

    private func withPeer(
        _ respond: @escaping @Sendable (Request, Int) throws -> Response,
        _ body: (Peer, @Sendable () -> Int) async throws -> Void
    ) async throws {
        let calls = Calls()
        let environment = try ServiceEnvironment.test("caller")
        let router = Router(context: BasicRequestContext.self)
        router.on("/**", method: .get) { request, _ in try respond(request, calls.next()) }
        router.on("/**", method: .post) { request, _ in try respond(request, calls.next()) }
        try await withServer(router) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { return }
            // A busy machine is slow.
            try await body(
                environment.peer(url, audience: "callee", within: patience), { calls.count })
        }
    }

    private final class Calls: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private static func answer(_ value: Int) throws -> Response {
        Response(
            status: .ok,
            body: .init(byteBuffer: ByteBuffer(bytes: try Wire.encode(Answer(value: value)))))
    }

    @Test func aSafeCallIsTriedAgainAfterA503() async throws {
        try await withPeer { _, call in
            call < 3 ? Response(status: .serviceUnavailable) : try Self.answer(call)
        } _: { peer, calls in
            let answer = try await peer(Self.question())
            #expect(answer == Answer(value: 3))
            #expect(calls() == 3)
        }
    }

    @Test func anUnsafeCallIsTriedOnce() async throws {
        try await withPeer { _, _ in
            Response(status: .serviceUnavailable)
        } _: { peer, calls in
            await #expect(throws: Peer.Failure.self) {
                try await peer(Self.order(body: Answer(value: 1)))
            }
            #expect(calls() == 1)
        }
    }

    @Test func aRefusalIsHandedOnInThePeersWords() async throws {
        let refusal = Refusal.notFound.problem
        try await withPeer { _, _ in
            refusal.response()
        } _: { peer, _ in
            do {
                _ = try await peer(Self.question())
                Issue.record("it was refused")
            } catch Peer.Failure.refused(let problem) {
                #expect(problem == refusal)
            }
        }
    }

    @Test func aPeerThatIsAwayIsUnavailableAndNotAskedForAWhile() async throws {
        let environment = try ServiceEnvironment.test("caller")
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let peer = environment.peer(url, audience: "callee")
        for _ in 0..<3 {
            do {
                _ = try await peer(Self.question())
            } catch let failure as Peer.Failure {
                #expect(failure.isRetriable)
            }
        }
    }

    @Test func theCallCarriesAServiceToken() async throws {
        try await withPeer { request, _ in
            let header = request.headers[.authorization] ?? ""
            return try Self.answer(header.hasPrefix("Bearer ey") ? 1 : 0)
        } _: { peer, _ in
            let answer = try await peer(Self.question())
            #expect(answer == Answer(value: 1))
        }
    }
}

@Suite(.withoutDatabase) struct StopWatchTests {
    /// Goes on until it is let go, also when it is `asked` to stop.
    private struct Hanging: Service {
        let asked: @Sendable () -> Void
        let isRunning = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let release = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

        func run() async {
            isRunning.continuation.yield()
            await withGracefulShutdownHandler {
                for await _ in release.stream { return }
            } onGracefulShutdown: {
                asked()
            }
        }
    }

    @Test func aStopThatHangsHasALimit() async throws {
        let events = Recorder<String>()
        let hanging = Hanging(asked: { events.add("asked") })
        let watch = StopWatch(
            limit: .zero, atStop: { events.add("stop") }, end: { events.add("end") })
        let group = ServiceGroup(
            services: [hanging, watch],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let ended: Void = group.run()
        for await _ in hanging.isRunning.stream { break }
        #expect(events.all.isEmpty)
        await group.triggerGracefulShutdown()
        // A service that ends before it is asked has failed.
        #expect(try await eventually { events.all.sorted() == ["asked", "end", "stop"] })
        #expect(events.all.first == "stop")
        hanging.release.continuation.yield()
        try await ended
    }
}
