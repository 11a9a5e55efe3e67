import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import Logging
import NIOCore
import ServiceLifecycle

/// Sends spans to a collector, as JSON of OpenTelemetry's protocol over HTTP (opentelemetry.io/docs/specs/otlp).
struct SpanExporter: Service {
    static let pause: Duration = .seconds(2)
    /// Maximum number of spans in one request.
    static let batch = 512
    private static let policy = HTTPPeer.Policy(
        time: .seconds(3), largestAnswer: 64 * 1_024, tries: 2, patience: .seconds(5))

    private let tracer: Tracer
    private let service: String
    private let collector: HTTPPeer
    private let logger: Logger

    init(_ tracer: Tracer, of service: String, to url: URL, client: HTTPClient, logger: Logger) {
        (self.tracer, self.service, self.logger) = (tracer, service, logger)
        collector = HTTPPeer(
            url, client: client, Self.policy, breaker: CircuitBreaker("traces", pause: .seconds(30))
        )
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                await send()
            }
        }
        await send()
    }

    /// Sends everything that waits. What can't be sent is dropped: a trace is worth no memory and no pause.
    private func send() async {
        while case let spans = tracer.take(Self.batch), !spans.isEmpty {
            do {
                let answer = try await collector.call(
                    collector.request(
                        .POST, "/v1/traces", [("content-type", "application/json")],
                        body: ByteBuffer(bytes: try JSONEncoder().encode(request(spans)))))
                guard answer.status >= 300 else { continue }
                throw HTTPPeer.Silence(description: "status \(answer.status)")
            } catch {
                tracer.drop(spans.count)
                logger.info(
                    "spans could not be sent",
                    metadata: ["spans": "\(spans.count)", "error": "\(loggable(error))"])
                return
            }
        }
    }

    private func request(_ spans: [Span]) -> OTLP.Request {
        OTLP.Request(resourceSpans: [
            OTLP.ResourceSpans(
                resource: OTLP.Resource(attributes: [
                    OTLP.Attribute("service.name", .text(service)),
                    OTLP.Attribute("service.namespace", .text("openvalet")),
                    OTLP.Attribute("service.version", .text(ServiceProgram.version)),
                ]),
                scopeSpans: [
                    OTLP.ScopeSpans(
                        scope: OTLP.Scope(name: "openvalet"), spans: spans.map(OTLP.Span.init))
                ])
        ])
    }
}

/// The part of the protocol's JSON that we send. Its 64-bit numbers are texts.
enum OTLP {
    struct Request: Codable, Sendable { var resourceSpans: [ResourceSpans] }

    struct ResourceSpans: Codable, Sendable {
        var resource: Resource
        var scopeSpans: [ScopeSpans]
    }

    struct Resource: Codable, Sendable { var attributes: [Attribute] }

    struct ScopeSpans: Codable, Sendable {
        var scope: Scope
        var spans: [Span]
    }

    struct Scope: Codable, Sendable { var name: String }

    struct Attribute: Codable, Sendable, Hashable {
        struct Value: Codable, Sendable, Hashable {
            var stringValue: String?
            var intValue: String?
        }

        var key: String
        var value: Value

        init(_ key: String, _ value: EventBus.Span.Value) {
            self.key = key
            self.value =
                switch value {
                case .text(let text): Value(stringValue: text)
                case .number(let number): Value(intValue: String(number))
                }
        }
    }

    struct Status: Codable, Sendable, Hashable {
        static let error = 2
        var code: Int
        var message: String?
    }

    struct Span: Codable, Sendable {
        var traceId: String
        var spanId: String
        var parentSpanId: String?
        var name: String
        var kind: Int
        var startTimeUnixNano: String
        var endTimeUnixNano: String
        var attributes: [Attribute]
        var status: Status?

        init(_ span: EventBus.Span) {
            (traceId, spanId) = (span.context.traceID, span.context.spanID)
            (parentSpanId, name, kind) = (span.parentID, span.name, span.kind.rawValue)
            (startTimeUnixNano, endTimeUnixNano) = (Self.time(span.start), Self.time(span.end))
            attributes = span.attributes.sorted { $0.key < $1.key }.map { Attribute($0, $1) }
            status = span.failure.map { Status(code: Status.error, message: $0) }
        }

        /// Whole microseconds; more digits would be rounding.
        private static func time(_ date: Date) -> String {
            "\(Int64(date.timeIntervalSince1970 * 1e6))000"
        }
    }
}
