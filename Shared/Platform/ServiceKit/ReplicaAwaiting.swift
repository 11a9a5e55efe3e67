import Contracts
import EventBus
import Store

extension ServiceEnvironment {
    /// The services that own engagements.
    public var engagementOwners: Owners {
        Owners(common.engagementOwners.map { peer($0.url, audience: $0.service) })
    }
}

extension Owners {
    /// The engagement's current state from its product; nil if no product knows it.
    public func newest(_ id: EngagementID) async throws -> Engagement? {
        let newest = try await newest(InternalEndpoints.engagement(id))
        return newest?.id == id ? newest : nil
    }

    /// An unfinished or unpaid engagement that binds the person; nil if every product says that there is none. Throws
    /// while one of them can't answer.
    public func binding(_ person: PersonID) async throws -> EngagementID? {
        do {
            for peer in peers {
                let answer = try await peer(InternalEndpoints.binding(person))
                if let engagement = answer.engagement { return engagement }
            }
            return nil
        } catch is Peer.Failure {
            throw Refusal.unavailable(
                "We can't check for unfinished business at the moment.")
        }
    }
}

extension Replica {
    /// The replicated value once it is sufficient; waits for events that are still on their way.
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
