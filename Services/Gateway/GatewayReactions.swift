import Contracts
import EventBus
import Kafka

/// Passes on events from the bus to people who are connected here.
struct GatewayReactions: Sendable {
    let streams: LiveStreams
    let deleted: DeletedAccounts

    /// Events of other types, events without listeners, and lines for people connected elsewhere are not even decoded.
    func apply(_ record: ReceivedRecord) throws {
        if record.topic == Topic.accounts.rawValue {
            guard let event: AccountDeleted = record.event() else { return }
            deleted.add(event.account, at: event.deletedAt)
            return streams.end(of: event.account)
        }
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
