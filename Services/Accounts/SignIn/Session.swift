import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// 256 random bits that get the next access token, once. Only their SHA-256 is stored: enough for a
/// value that nobody can guess.
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

/// What a refresh token is exchanged for.
struct Renewals: Sendable {
    private let pepper: SymmetricKey

    init(secret: String) {
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet refresh tokens".utf8), outputByteCount: 32)
    }

    /// With a key, which only who asks knows, the same each time; else random.
    func next(after token: RefreshToken, for key: String?) -> RefreshToken {
        guard let key else { return .new() }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(token.text)\n\(key)".utf8), using: pepper)
        return RefreshToken(text: Data(code).base64URL)
    }
}

/// One sign-in of a person on a device: the family of refresh tokens that follow from it.
struct Session: Sendable {
    /// Days without a refresh after which a session ends.
    static let lifeDays = 60
    static let life = TimeInterval(lifeDays * 86_400)
    /// Sessions of one person; a new one beyond it ends the oldest.
    static let mostPerPerson = 20

    let id: SessionID
    let person: PersonID
    let token: RefreshToken
    let startedAt: Date
    /// What the client calls itself.
    let client: ClientName?

    static func new(of person: PersonID, on client: ClientName?, at now: Date) -> Session {
        Session(id: .new(at: now), person: person, token: .new(), startedAt: now, client: client)
    }
}

/// A client's own word on what it is (`User-Agent`): shown to the person, believed by nobody.
struct ClientName: Sendable, Hashable, CustomStringConvertible {
    /// In characters; what is longer is cut.
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

/// Sessions and their refresh tokens.
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

    /// Exchanges a token for the next; nil when the session has ended, or ends because of this.
    ///
    /// A token that was used before ends its session: it is in two hands. But who used it may have lost our answer:
    /// they name the key that they used it with, and so come to the same next token, which is given again for as
    /// long as nobody has used it. Telling the two apart by time would let a thief who is quick enough keep the
    /// session.
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

    /// False when the person has no such session.
    func end(_ session: SessionID, of person: PersonID, at now: Date) throws -> Bool {
        try end(where: "id = ? AND person = ?", [session, person], at: now) == 1
    }

    /// Ends the sessions that the condition finds, and says so to whoever serves their devices. Their
    /// tokens go with them. Answers how many they were.
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

    /// An access token outlives its session by minutes: too long for what can't be taken back.
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
