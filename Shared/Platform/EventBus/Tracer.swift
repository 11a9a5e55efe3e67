import Foundation
import Metrics
import ServiceContextModule
import Synchronization

/// One step of a trace, when it is over.
public struct Span: Sendable {
    /// By the numbers of OpenTelemetry's protocol.
    public enum Kind: Int, Sendable {
        case server = 2
        case client, producer, consumer
    }

    public enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
    }

    public let context: TraceContext
    /// The step that caused it; nil for the first of a trace.
    public let parentID: String?
    /// One of a few names, without ids: `GET /v1/orders/{id}`.
    public let name: String
    public let kind: Kind
    public let start: Date
    public let end: Date
    /// By the names of OpenTelemetry's semantic conventions.
    public var attributes: [String: Value] = [:]
    /// Why the step failed, without personal data; nil if it didn't.
    public var failure: String?

    public init(
        _ name: String, _ kind: Kind, _ context: TraceContext, below parentID: String?,
        from start: Date, to end: Date = Date(), attributes: [String: Value] = [:],
        failure: String? = nil
    ) {
        (self.name, self.kind, self.context, self.parentID) = (name, kind, context, parentID)
        (self.start, self.end, self.attributes, self.failure) = (start, end, attributes, failure)
    }
}

extension Span {
    static func messaging(_ topic: String) -> [String: Value] {
        ["messaging.system": .text("kafka"), "messaging.destination.name": .text(topic)]
    }
}

/// Collects the spans of a service until the exporter takes them.
public final class Tracer: Sendable {
    /// Maximum number of spans that wait; further ones are dropped and counted.
    static let mostWaiting = 4_096

    private let waiting = Mutex<[Span]>([])
    private let dropped = Counter(label: "openvalet_spans_dropped_total")

    public init() {}

    public func record(_ span: Span) {
        guard span.context.isSampled else { return }
        let isKept = waiting.withLock { waiting in
            guard waiting.count < Self.mostWaiting else { return false }
            waiting.append(span)
            return true
        }
        if !isKept { dropped.increment() }
    }

    /// Removes and returns the oldest spans, at most `most`.
    public func take(_ most: Int = .max) -> [Span] {
        waiting.withLock { waiting in
            let taken = Array(waiting.prefix(most))
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    /// Counts spans that nobody received.
    public func drop(_ count: Int) { dropped.increment(by: count) }
}

private enum TracerKey: ServiceContextKey {
    typealias Value = Tracer
}

extension ServiceContext {
    /// Records the steps of the current trace; nil if nobody wants them.
    public var tracer: Tracer? {
        get { self[TracerKey.self] }
        set { self[TracerKey.self] = newValue }
    }
}

/// Does `work` as the next step of the current trace, and records it if somebody wants it.
///
/// `work` gets the position to pass on; nil outside of a trace.
public func withSpan<T>(
    _ name: @autoclosure () -> String, _ kind: Span.Kind,
    _ work: (TraceContext?) async throws -> T
) async rethrows -> T {
    guard let current = ServiceContext.current, let parent = current.traceContext else {
        return try await work(nil)
    }
    let context = parent.child()
    guard let tracer = current.tracer else { return try await work(context) }
    let start = Date()
    do {
        let value = try await work(context)
        tracer.record(Span(name(), kind, context, below: parent.spanID, from: start))
        return value
    } catch {
        tracer.record(
            Span(
                name(), kind, context, below: parent.spanID, from: start,
                failure: loggable(error)))
        throw error
    }
}
