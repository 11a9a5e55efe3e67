import Contracts
import EventBus
import Foundation
import Hummingbird
import Store

/// Body of `POST /internal/replay`.
public struct ReplayBody: Codable, Sendable {
    /// Events of this time and later are published again.
    public var since: Date
    public init(since: Date) { self.since = since }
}

/// Answer of `POST /internal/replay`.
public struct ReplayAnswer: Codable, Sendable {
    public var events: Int
    public init(events: Int) { self.events = events }
}

/// `GET /metrics` for Prometheus, and `POST /internal/replay` for operators; both want a service token.
struct OperationRoutes: Sendable {
    let metrics: PrometheusRegistry
    let databases: [Database]
    let replays: [ServiceEnvironment.Replay]

    func add(to router: Router<Context>) {
        router.get("/metrics") { _, context in
            try context.requireService()
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: metrics.text())))
        }
        router.forServices(post: "/internal/replay", answers: .accepted) {
            (call: Call<ReplayBody>) in
            var events = 0
            for database in databases {
                events += try await Outbox.replay(since: call.body.since, in: database)
            }
            for replay in replays { events += try await replay(call.body.since) }
            return ReplayAnswer(events: events)
        }
    }
}
