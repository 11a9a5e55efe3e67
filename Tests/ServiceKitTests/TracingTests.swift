import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import Hummingbird
import Kafka
import Logging
import NIOCore
import ServiceLifecycle
import Store
import Support
import Synchronization
import Testing

@testable import ServiceKit

/// A trace from one service to another over HTTP and Kafka, as a real collector receives it.
struct TracingTests {
    private struct Answer: Codable, Equatable { var value: Int }

    private static let question = Endpoint<Void, Answer>(
        .get, "/v1/question", id: "question", "Asks", by: .services, answer: "It.")

    /// A span with the name of its service.
    private struct Seen: Sendable {
        var service: String
        var span: OTLP.Span
    }

    /// Keeps the spans that it receives.
    private final class Collector: Sendable {
        private let kept = Mutex<[Seen]>([])

        func span(_ name: String, of service: String) -> OTLP.Span? {
            kept.withLock { $0.first { $0.span.name == name && $0.service == service }?.span }
        }

        var router: Router<BasicRequestContext> {
            let router = Router(context: BasicRequestContext.self)
            router.post("/v1/traces") { request, _ in
                let body = try await request.body.collect(upTo: 1_024 * 1_024)
                let sent = try JSONDecoder().decode(
                    OTLP.Request.self, from: Data(body.readableBytesView))
                self.keep(sent)
                return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "{}")))
            }
            return router
        }

        private func keep(_ sent: OTLP.Request) {
            for part in sent.resourceSpans {
                let name = part.resource.attributes.first { $0.key == "service.name" }
                let spans = part.scopeSpans.flatMap(\.spans).map {
                    Seen(service: name?.value.stringValue ?? "", span: $0)
                }
                kept.withLock { $0 += spans }
            }
        }
    }

    /// `caller` asks `callee` and publishes an event, which `callee` hears.
    private func journey(
        _ collector: Collector, collectorPort: Int, _ body: (Int) async throws -> Void
    ) async throws {
        let broker = try TestBroker.start()
        let traces = "http://127.0.0.1:\(collectorPort)"
        func environment(_ name: String) throws -> ServiceEnvironment {
            try .test(name, kafka: broker.bootstrapServers, traces: traces)
        }
        // By the manifests, accounts may publish the event.
        let (caller, callee) = (try environment("accounts"), try environment("payments"))
        let database = try caller.database([])
        let bus = try caller.bus(database, reactions: nil)
        let dead = try callee.producer()
        let consumer = callee.consumer(
            Reactions { when(AccountDeleted.self) { _, _ in } }, dead: dead)
        let answering = callee.router()
        answering.get("/v1/question") { _, _ in try Reply(Answer(value: 7)) }
        let exporters = [caller, callee].compactMap(\.spanExporter)
        let all = exporters + bus + [ProducerService(dead), consumer]
        let group = ServiceGroup(
            configuration: .init(
                services: all, gracefulShutdownSignals: [],
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        try await withServer(answering) { calleePort in
            let url = try #require(URL(string: "http://127.0.0.1:\(calleePort)"))
            let peer = caller.peer(url, audience: "payments", within: patience)
            let asking = caller.router()
            asking.get("/v1/journey/{id}") { _, _ in
                let answer = try await peer(Self.question())
                let event = AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 2, deletedAt: Date())
                try await database.write { try $0.publish(event, at: Date()) }
                return try Reply(answer)
            }
            try await withServer(asking) { port in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { try await group.run() }
                    try await body(port)
                    await group.triggerGracefulShutdown()
                    try await tasks.waitForAll()
                }
            }
        }
    }

    @Test func aJourneyOfTwoServicesIsOneTrace() async throws {
        let collector = Collector()
        try await withServer(collector.router) { collectorPort in
            try await journey(collector, collectorPort: collectorPort) { port in
                let url = "http://127.0.0.1:\(port)/v1/journey/7"
                let response = try await ServiceEnvironment.traced(url)
                #expect(response == 200)
                let isWhole = try await eventually {
                    collector.span("handle accounts.account-deleted.v1", of: "payments") != nil
                        && collector.span("GET /v1/journey/{id}", of: "accounts") != nil
                        && collector.span("GET /v1/question", of: "payments") != nil
                }
                #expect(isWhole)
            }
        }
        let asked = try #require(collector.span("GET /v1/journey/{id}", of: "accounts"))
        let call = try #require(collector.span("GET payments", of: "accounts"))
        let answered = try #require(collector.span("GET /v1/question", of: "payments"))
        let published = try #require(
            collector.span("publish accounts.account-deleted.v1", of: "accounts"))
        let handled = try #require(
            collector.span("handle accounts.account-deleted.v1", of: "payments"))
        let spans = [asked, call, answered, published, handled]
        #expect(Set(spans.map(\.traceId)) == ["0af7651916cd43dd8448eb211c80319c"])
        #expect(Set(spans.map(\.spanId)).count == 5)
        #expect(asked.parentSpanId == "b7ad6b7169203331")
        #expect(call.parentSpanId == asked.spanId)
        #expect(answered.parentSpanId == call.spanId)
        #expect(published.parentSpanId == asked.spanId)
        #expect(handled.parentSpanId == published.spanId)
        #expect(spans.map(\.kind) == [2, 3, 2, 4, 5])
        #expect(spans.allSatisfy { $0.status == nil })
        #expect(
            asked.attributes.contains(
                OTLP.Attribute("http.response.status_code", .number(200))))
    }

    @Test func withoutACollectorNothingIsRecorded() throws {
        let environment = try ServiceEnvironment.test("silent")
        #expect(environment.tracer == nil)
        #expect(environment.spanExporter == nil)
    }

    @Test func spansBeyondTheLimitAreDropped() {
        let tracer = Tracer()
        for _ in 0..<5_000 {
            tracer.record(
                Span("GET /v1/x", .server, .root(), below: nil, from: Date()))
        }
        #expect(tracer.take(512).count == 512)
        #expect(tracer.take().count == 4_096 - 512)
        #expect(tracer.take().isEmpty)
    }

    @Test func aTraceThatItsCallerDoesNotSampleIsNotRecorded() {
        let tracer = Tracer()
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
        if let context = TraceContext(text) {
            tracer.record(Span("GET /v1/x", .server, context, below: nil, from: Date()))
        }
        #expect(tracer.take().isEmpty)
    }
}

extension ServiceEnvironment {
    /// The status of a request that continues a known trace.
    fileprivate static func traced(_ url: String) async throws -> UInt {
        var request = HTTPClientRequest(url: url)
        request.headers.add(
            name: "traceparent",
            value: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        _ = try await response.body.collect(upTo: 64 * 1_024)
        return response.status.code
    }
}
