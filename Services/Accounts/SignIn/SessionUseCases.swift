import Contracts
import EventBus
import ServiceKit
import Store

/// The use cases of a person's sessions. An ended session is deleted at once, with its tokens.
extension AccountUseCases {
    /// Newest first.
    func sessions(
        of identity: Identity, _ page: PageRequest
    ) async throws -> Page<SessionRecord> {
        let now = clock.now
        let sessions = try await database.read { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            return try transaction.sessions.list(of: identity, page, at: now)
        }
        return page.page(of: sessions, cursor: \.id)
    }

    func endSession(_ id: SessionID, of identity: Identity) async throws {
        let now = clock.now
        let isEnded = try await database.write { transaction in
            try transaction.sessions.end(id, of: identity.person, at: now)
        }
        guard isEnded else { throw Refusal.sessionUnknown }
    }

    /// Signs out everywhere, including here.
    func endSessions(of identity: Identity) async throws {
        let now = clock.now
        try await database.write { try $0.sessions.endAll(of: identity.person, at: now) }
    }
}
