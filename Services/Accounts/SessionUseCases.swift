import Contracts
import EventBus
import ServiceKit
import Store

/// Where somebody is signed in. An ended session is not kept: its row goes at once, with its tokens.
extension AccountUseCases {
    /// Newest first.
    func sessions(
        of identity: Identity, _ page: PageRequest
    ) async throws -> Page<SessionRecord> {
        let cursor = try page.after.map { try Cursor.id($0, as: SessionID.self) }
        let now = clock.now
        let sessions = try await database.read { transaction in
            guard try transaction.isAlive(identity.session, of: identity.person, at: now) else {
                throw AccountError.sessionEnded
            }
            return try transaction.sessions(
                of: identity, below: cursor, most: page.limit + 1, at: now)
        }
        return Cursor.page(sessions, page) { $0.id.description }
    }

    func endSession(_ id: SessionID, of identity: Identity) async throws {
        let now = clock.now
        let isEnded = try await database.write { transaction in
            try transaction.end(id, of: identity.person, at: now)
        }
        guard isEnded else { throw AccountError.sessionUnknown }
    }

    /// Signs out everywhere, here too.
    func endSessions(of identity: Identity) async throws {
        let now = clock.now
        try await database.write { try $0.endSessions(of: identity.person, at: now) }
    }
}
