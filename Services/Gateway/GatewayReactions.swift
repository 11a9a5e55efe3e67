import Contracts
import EventBus
import Kafka

/// What the gateway makes of the bus: it hands on what concerns somebody who is connected here.
struct GatewayReactions: Sendable {
    let streams: LiveStreams

    /// Events of other types, all of them while nobody listens, and lines of somebody who is connected elsewhere
    /// are not even decoded.
    func apply(_ record: ReceivedRecord) throws {
        guard streams.count > 0 else { return }
        if record.topic == Topic.notifications.rawValue {
            guard let recipient = record.key.flatMap(Recipient.init), streams.reach(recipient),
                let created: NotificationCreated = record.event()
            else { return }
            streams.deliver(created)
        } else if let recorded: PositionRecorded = record.event() {
            try streams.deliver(recorded)
        }
    }
}
