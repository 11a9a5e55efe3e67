import Contracts
import Crypto
import EventBus
import Foundation
import Store

/// An `Idempotency-Key`: a client's promise that requests with the same key are the same request. It is stored with
/// the answer, in the transaction of the effect.
public struct IdempotencyKey: Sendable {
    let caller: String
    let key: String
    let requestHash: String
    let sealer: Sealer

    public init(caller: String, key: String, requestHash: String, sealer: Sealer) {
        self.caller = caller
        self.key = key
        self.requestHash = requestHash
        self.sealer = sealer
    }

    /// The same promise for a further step of the request.
    public func step(_ subject: some CustomStringConvertible) -> IdempotencyKey {
        IdempotencyKey(
            caller: caller, key: "\(key) \(subject)", requestHash: requestHash, sealer: sealer)
    }

    /// The same promise for a request to another service, which doesn't know the caller.
    public var forwarded: RequestKey {
        RequestKey(SHA256.hash(data: Data("\(caller) \(key)".utf8)).hex)
    }

    /// How long an answer is stored.
    public static let retention: Duration = .seconds(86_400)

    static let migration = Migration(
        "idempotency",
        """
        CREATE TABLE idempotency (
            caller TEXT NOT NULL,
            request_key TEXT NOT NULL,
            request_hash TEXT NOT NULL,
            answer TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (caller, request_key)
        )
        """,
        "CREATE INDEX idempotency_age ON idempotency (created_at)")

    /// The stored answer; nil for a new key. Throws if the key was used for another request.
    func answer<Answer: Decodable>(in transaction: Transaction) throws -> Answer? {
        let row = try transaction.row(
            "SELECT request_hash, answer FROM idempotency WHERE caller = ? AND request_key = ?",
            caller, key)
        guard let row else { return nil }
        guard try row.get("request_hash", as: String.self) == requestHash else {
            throw Refusal.keyReused
        }
        return try sealer.open(Answer.self, from: row.get("answer", as: String.self))
    }

    static func sweep(_ database: Database, now: Date) async throws {
        let limit = now.addingTimeInterval(-Double(retention.components.seconds))
        try await database.sweep {
            try $0.execute(
                """
                DELETE FROM idempotency WHERE (caller, request_key) IN (
                    SELECT caller, request_key FROM idempotency WHERE created_at < ? LIMIT ?)
                """, limit, $1)
        }
    }
}

extension Database {
    /// The stored answer; for expensive work outside the transaction.
    public func answer<Answer: Codable & Sendable>(
        once key: IdempotencyKey?, as type: Answer.Type = Answer.self
    ) async throws -> Answer? {
        guard let key else { return nil }
        return try await read { try key.answer(in: $0) }
    }

    /// The stored answer, or else the answer of `work`, which reads a lot before it stores the key with its effect. A
    /// refusal by `work` counts only if the same request hasn't succeeded meanwhile.
    public func answer<Answer: Codable & Sendable>(
        once key: IdempotencyKey?, or work: () async throws -> Answer
    ) async throws -> Answer {
        if let known = try await answer(once: key, as: Answer.self) { return known }
        do {
            return try await work()
        } catch let error as Refusal {
            guard let known = try await answer(once: key, as: Answer.self) else { throw error }
            return known
        }
    }

    /// Does the work once per key. A repeat gets the first answer; the same key with another request is refused.
    ///
    /// The answer is stored sealed, since it may contain tokens.
    public func write<Answer: Codable & Sendable>(
        once key: IdempotencyKey?, _ body: @escaping @Sendable (Transaction) throws -> Answer
    ) async throws -> Answer {
        guard let key else { return try await write(body) }
        return try await write { transaction in
            if let answer: Answer = try key.answer(in: transaction) { return answer }
            let answer = try body(transaction)
            try transaction.execute(
                """
                INSERT INTO idempotency (caller, request_key, request_hash, answer, created_at)
                VALUES (?, ?, ?, ?, ?)
                """,
                key.caller, key.key, key.requestHash, key.sealer.seal(answer), Date())
            return answer
        }
    }
}
