import Contracts
import EventBus
import Kafka

/// What the gateway makes of the bus: it hands on what concerns somebody who is connected here.
struct GatewayReactions: Sendable {
    /// Read by every gateway, since each has other clients.
    static let topics: Set<Topic> = [.notifications, .positions]

    let streams: LiveStreams

    /// Events of other types, and all of them while nobody listens, are not even decoded.
    func hear(_ record: ReceivedRecord) throws {
        guard streams.count > 0 else { return }
        if let created: NotificationCreated = record.event() {
            streams.deliver(created)
        } else if let recorded: PositionRecorded = record.event() {
            try streams.deliver(recorded)
        }
    }
}
