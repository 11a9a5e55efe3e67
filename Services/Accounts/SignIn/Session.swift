import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// 256 random bits, exchanged once for the next access token. Only the SHA-256 is stored, which is enough for a value
/// that nobody can guess.
struct RefreshToken: Sendable {
    static let bits = 256

    /// 43 characters of base64url.
    let text: String

    static func new() -> RefreshToken {
        let random = SymmetricKey(size: .init(bitCount: bits)).withUnsafeBytes { Data($0) }
        return RefreshToken(text: random.base64URL)
    }

    var hash: String {
        SHA256.hash(data: Data(text.utf8)).hex
    }
}

/// The refresh tokens that replace used ones.
struct Renewals: Sendable {
    private let pepper: SymmetricKey

    init(secret: String) {
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet refresh tokens".utf8), outputByteCount: 32)
    }

    /// The same token each time for a key, which only the client knows; a random one without a key.
    func next(after token: RefreshToken, for key: String?) -> RefreshToken {
        guard let key else { return .new() }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(token.text)\n\(key)".utf8), using: pepper)
        return RefreshToken(text: Data(code).base64URL)
    }
}

/// A person's sign-in on one device, with the refresh tokens that follow from it.
struct Session: Sendable {
    /// Days without a refresh after which a session ends.
    static let lifeDays = 60
    static let life = TimeInterval(lifeDays * 86_400)
    /// The most sessions per person; one more ends the oldest.
    static let mostPerPerson = 20

    let id: SessionID
    let person: PersonID
    let token: RefreshToken
    let startedAt: Date
    let client: ClientName?

    static func new(of person: PersonID, on client: ClientName?, at now: Date) -> Session {
        Session(id: .new(at: now), person: person, token: .new(), startedAt: now, client: client)
    }
}

/// The client's own description (`User-Agent`), shown to the person but never relied on.
struct ClientName: Sendable, Hashable, CustomStringConvertible {
    /// In characters; the rest is cut off.
    static let longest = 200

    let description: String

    init?(_ text: String?) {
        guard let text else { return nil }
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(visible)).prefix(Self.longest)
            .trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { return nil }
        description = name
    }
}

extension Transaction {
    var sessions: SessionStore { SessionStore(transaction: self) }
}

/// Sessions and their refresh tokens, in SQL.
struct SessionStore {
    let transaction: Transaction

    func begin(_ session: Session) throws {
        let expiry = session.startedAt.addingTimeInterval(Session.life)
        try transaction.execute(
            """
            INSERT INTO sessions (id, person, expires_at, created_at, last_used_at, user_agent)
            VALUES (?, ?, ?, ?, ?, ?)
            """, session.id, session.person, expiry, session.startedAt, session.startedAt,
            session.client?.description)
        try remember(session.token, of: session.id, until: expiry)
        try end(
            where: """
                person = ? AND id <> ? AND id NOT IN (
                    SELECT id FROM sessions WHERE person = ? AND id <> ? ORDER BY id DESC LIMIT ?)
                """,
            [
                session.person, session.id, session.person, session.id,
                Session.mostPerPerson - 1,
            ], at: session.startedAt)
    }

    /// Exchanges a token for the next one; nil if the session has ended, or ends because of this.
    ///
    /// A token that is used twice ends its session, since two parties have it. But a client may only have lost our
    /// answer. It sends the key of its first use again, and gets the same next token for as long as that is unused.
    /// Telling the two apart by time would let a quick thief keep the session.
    func rotate(
        _ token: RefreshToken, to next: RefreshToken, on client: ClientName?, at now: Date
    ) throws -> (session: SessionID, person: Person)? {
        let row = try transaction.row(
            """
            SELECT sessions.id AS session, sessions.person AS person, sessions.expires_at AS expiry
            FROM refresh_tokens JOIN sessions ON sessions.id = refresh_tokens.session
            WHERE refresh_tokens.hash = ?
            """, token.hash)
        guard let row else { return nil }
        let session = try row.get("session", as: SessionID.self)
        let isAlive = try row.get("expiry", as: Date.self) > now
        let first = try transaction.execute(
            "UPDATE refresh_tokens SET used = 1 WHERE hash = ? AND used = 0", token.hash)
        let isGivenAgain = try isUnused(next, of: session)
        guard isAlive, first == 1 || isGivenAgain,
            let person = try transaction.people.find(row.get("person", as: PersonID.self))
        else {
            try end(session, at: now)
            return nil
        }
        let expiry = now.addingTimeInterval(Session.life)
        try transaction.execute(
            """
            UPDATE sessions SET expires_at = ?, last_used_at = ?,
                user_agent = COALESCE(?, user_agent)
            WHERE id = ?
            """, expiry, now, client?.description, session)
        if !isGivenAgain { try remember(next, of: session, until: expiry) }
        return (session, person)
    }

    func end(_ session: SessionID, at now: Date) throws {
        try end(where: "id = ?", [session], at: now)
    }

    func endAll(of person: PersonID, at now: Date) throws {
        try end(where: "person = ?", [person], at: now)
    }

    func endAll(of person: PersonID, but current: SessionID, at now: Date) throws {
        try end(where: "person = ? AND id <> ?", [person, current], at: now)
    }

    /// Returns false if the person has no such session.
    func end(_ session: SessionID, of person: PersonID, at now: Date) throws -> Bool {
        try end(where: "id = ? AND person = ?", [session, person], at: now) == 1
    }

    /// Ends the sessions that match the condition, deletes their tokens, and publishes that for services that serve
    /// their devices. Returns the number of sessions.
    @discardableResult
    func end(
        where condition: String, _ arguments: [(any SQLConvertible)?], at now: Date
    ) throws -> Int {
        let ended = try transaction.rows(
            "DELETE FROM sessions WHERE \(condition) RETURNING id, person", arguments: arguments
        ).map { (try $0.get("id", as: SessionID.self), try $0.get("person", as: PersonID.self)) }
        for (person, sessions) in Dictionary(grouping: ended, by: \.1) {
            let ids = sessions.map(\.0).sorted()
            try transaction.publish(
                SessionsEnded(account: person, sessions: ids, endedAt: now), at: now)
        }
        return ended.count
    }

    func isAlive(_ session: SessionID, of person: PersonID, at now: Date) throws -> Bool {
        let row = try transaction.row(
            "SELECT id FROM sessions WHERE id = ? AND person = ? AND expires_at > ?", session,
            person, now)
        return row != nil
    }

    /// Throws if the session has ended. An access token outlives it by minutes, which is too long for irreversible
    /// actions.
    func requireAlive(_ identity: Identity, at now: Date) throws {
        guard try isAlive(identity.session, of: identity.person, at: now) else {
            throw Refusal.sessionEnded
        }
    }

    /// The person whose session this is. Throws `sessionEnded` if it has ended.
    func person(of identity: Identity, at now: Date) throws -> Person {
        try requireAlive(identity, at: now)
        guard let person = try transaction.people.find(identity.person) else {
            throw Refusal.sessionEnded
        }
        return person
    }

    /// Newest first, with one more than the page shows.
    func list(
        of identity: Identity, _ page: PageRequest, at now: Date
    ) throws -> [SessionRecord] {
        try transaction.rows(
            """
            SELECT id, user_agent, created_at, last_used_at FROM sessions
            WHERE person = ? AND expires_at > ? AND id < ? ORDER BY id DESC LIMIT ?
            """, identity.person, now, page.below(SessionID.self), page.rows
        ).map { row in
            let id = try row.get("id", as: SessionID.self)
            return SessionRecord(
                id: id, userAgent: try row.getIfPresent("user_agent"),
                createdAt: try row.get("created_at"), lastUsedAt: try row.get("last_used_at"),
                isCurrent: id == identity.session)
        }
    }

    private func isUnused(_ token: RefreshToken, of session: SessionID) throws -> Bool {
        try transaction.row(
            "SELECT hash FROM refresh_tokens WHERE hash = ? AND session = ? AND used = 0",
            token.hash, session) != nil
    }

    private func remember(
        _ token: RefreshToken, of session: SessionID, until expiry: Date
    ) throws {
        try transaction.execute(
            "INSERT INTO refresh_tokens (hash, session, used, expires_at) VALUES (?, ?, 0, ?)",
            token.hash, session, expiry)
    }
}
