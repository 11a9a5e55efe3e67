import Contracts
import EventBus
import Foundation
import Hummingbird
import Store

/// `GET /metrics` for Prometheus, and the replay of stored events for operators. Both need a service token.
struct OperationRoutes: Sendable {
    let metrics: PrometheusRegistry
    let measures: [Measure]
    let databases: [Database]
    let replays: [ServiceEnvironment.Replay]
    let state: StateRoutes

    func add(to router: Router<Context>) {
        router.get("/metrics") { _, context in
            try context.requireService()
            await withTaskGroup(of: Void.self) { group in
                for measure in measures { group.addTask { await measure.refresh() } }
            }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: metrics.text())))
        }
        router.on(InternalEndpoints.replay) { call in
            var events = 0
            if let since = call.body.since {
                for database in databases {
                    events += try await Outbox.replay(since: since, in: database)
                }
                for replay in replays { events += try await replay(since) }
            }
            if call.body.state ?? true { events += try await state.publish() }
            return ReplayAnswer(events: events)
        }
        state.add(to: router)
    }
}
