import Client
import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// Sessions of the old apps: an app's token stands for a session of our accounts, whose tokens are stored encrypted.
///
/// The app's token is valid for as long as that session. The old apps never renew theirs, so this service
/// renews the session for them.
struct Sessions: Sendable {
    /// How long before its end an access token is renewed, in seconds.
    static let margin: TimeInterval = 60
    /// How long a session is kept, in seconds: longer than those of our accounts.
    static let life: TimeInterval = 90 * 86_400

    static let migration = Migration(
        "getalift-sessions-1",
        """
        CREATE TABLE getalift_sessions (
            token TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            body TEXT NOT NULL,
            version BIGINT NOT NULL,
            begun_at BIGINT NOT NULL)
        """,
        "CREATE INDEX getalift_sessions_person ON getalift_sessions (person)",
        "CREATE INDEX getalift_sessions_age ON getalift_sessions (begun_at)")

    struct Kept: Codable, Sendable {
        var tokens: Tokens
        var endsAt: Date
        /// The key of the next renewal: repeated requests with it get the same tokens.
        var renewal: String

        init(_ tokens: Tokens, at now: Date) {
            self.tokens = tokens
            endsAt = now.addingTimeInterval(TimeInterval(tokens.expiresInSeconds))
            renewal = RequestKey.new().description
        }
    }

    let database: Database
    let sealer: Sealer
    let clock: ServiceClock

    /// Returns the app's token.
    func begin(_ tokens: Tokens, of person: PersonID) async throws -> String {
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            .base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        let now = clock.now
        let (hash, body) = (Self.hash(token), try sealer.seal(Kept(tokens, at: now)))
        try await database.write {
            try $0.execute(
                """
                INSERT INTO getalift_sessions (token, person, body, version, begun_at)
                VALUES (?, ?, ?, 1, ?)
                """, hash, person, body, now)
        }
        return token
    }

    /// The person of a token, with a client for their calls. Throws `tokenInvalid` if the session has ended.
    func rider(
        _ token: String, client: @Sendable (Tokens?) -> OpenValetClient
    ) async throws -> (PersonID, OpenValetClient) {
        let hash = Self.hash(token)
        guard var found = try await find(hash) else { throw GetaliftError.tokenInvalid }
        if found.kept.endsAt < clock.now + Self.margin {
            do {
                // A repeat with the same key gets the same answer.
                let body = RefreshBody(refreshToken: found.kept.tokens.refreshToken)
                let tokens = try await client(nil)(
                    AccountEndpoints.refresh(body: body, key: RequestKey(found.kept.renewal)))
                found.kept = try await replace(found, with: tokens, hash)
            } catch let error as ClientError where error.status == 401 {
                try await end(hash)
                throw GetaliftError.tokenInvalid
            }
        }
        // Only renewed here: if the client renewed it too, the refresh token would be used twice.
        var tokens = found.kept.tokens
        tokens.refreshToken = ""
        return (found.person, client(tokens))
    }

    func end(token: String) async throws { try await end(Self.hash(token)) }

    private struct Found: Sendable {
        var person: PersonID
        var kept: Kept
        var version: Int
    }

    private func find(_ hash: String) async throws -> Found? {
        let row = try await database.read {
            try $0.row("SELECT person, body, version FROM getalift_sessions WHERE token = ?", hash)
        }
        return try row.map {
            Found(
                person: try $0.get("person"),
                kept: try sealer.open(Kept.self, from: $0.get("body")),
                version: try $0.get("version"))
        }
    }

    /// Two concurrent renewals get the same tokens; the key of the first one is kept.
    private func replace(_ found: Found, with tokens: Tokens, _ hash: String) async throws -> Kept {
        let kept = Kept(tokens, at: clock.now)
        let body = try sealer.seal(kept)
        try await database.write {
            try $0.execute(
                """
                UPDATE getalift_sessions SET body = ?, version = version + 1
                WHERE token = ? AND version = ?
                """, body, hash, found.version)
        }
        return kept
    }

    private func end(_ hash: String) async throws {
        try await database.write {
            try $0.execute("DELETE FROM getalift_sessions WHERE token = ?", hash)
        }
    }

    func sweep() async throws {
        let before = clock.now - Self.life
        try await database.sweep {
            try $0.execute(
                """
                DELETE FROM getalift_sessions WHERE token IN (
                    SELECT token FROM getalift_sessions WHERE begun_at < ? LIMIT ?)
                """, before, $1)
        }
    }

    private static func hash(_ token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).hex
    }
}
