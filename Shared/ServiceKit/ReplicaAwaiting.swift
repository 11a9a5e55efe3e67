import Contracts
import EventBus
import Store

extension Replica {
    /// What is known of it, as soon as that will do; what is on its way gets so long to arrive.
    public func value(
        of id: some ReplicaID, in database: Database, within patience: Duration,
        until isEnough: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value? {
        let arrived = try await database.awaiting(signal(id), within: patience) { transaction in
            try value(of: id, in: transaction).flatMap { isEnough($0) ? $0 : nil }
        }
        if let arrived { return arrived }
        return try await database.read { try value(of: id, in: $0) }
    }
}
