import Contracts
import Crypto
import EventBus
import Foundation
import Store

/// The number of things, and the exclusive or of the hashes of their ids and versions, in whatever order they are
/// added. Two services with the same things have equal digests.
public struct StateDigest: Sendable, Hashable {
    private var count = 0
    private var bits: UInt64 = 0

    public init(_ marks: [StateMark] = []) {
        for mark in marks { add(mark) }
    }

    public mutating func add(_ mark: StateMark) {
        let version = mark.set.hasVersions ? mark.version : 0
        let hash = SHA256.hash(data: Data("\(mark.id) \(version)".utf8))
        bits ^= hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        count += 1
    }

    /// Adds the things of another service.
    public mutating func add(_ other: StateCount) {
        count += other.count
        bits ^= UInt64(other.digest, radix: 16) ?? 0
    }

    public func count(of set: StateSet, for use: String? = nil) -> StateCount {
        let digits = String(bits, radix: 16)
        return StateCount(
            set, count: count,
            digest: String(repeating: "0", count: 16 - digits.count) + digits, use: use)
    }
}

/// The copies that a service has of a set, in its database.
public struct CopiedSet: Sendable {
    let set: StateSet
    private let use: String?
    private let select: String
    private let counts: @Sendable (Row) throws -> Bool

    /// Rows per transaction.
    static let limit = 1_000

    /// - Parameters:
    ///   - select: A statement that gives `id` and `version` of each copy.
    ///   - use: What the copies are for, if the service has several of the set; nil for its first.
    ///   - counts: Whether the copy in a row belongs to the set.
    public init(
        _ set: StateSet, _ select: String, for use: String? = nil,
        counts: @escaping @Sendable (Row) throws -> Bool = { _ in true }
    ) {
        (self.set, self.use, self.select, self.counts) = (set, use, select, counts)
    }

    public func count(in database: Database) async throws -> StateCount {
        var digest = StateDigest()
        var after: String? = ""
        while let start = after {
            let rows = try await database.read { transaction in
                try transaction.rows(
                    "SELECT * FROM (\(select)) AS copies WHERE id > ? ORDER BY id LIMIT ?", start,
                    Self.limit)
            }
            for row in rows where try counts(row) {
                let id: String = try row.get("id")
                digest.add(StateMark(set, id, version: try row.get("version")))
            }
            after = rows.count < Self.limit ? nil : try rows.last?.get("id")
        }
        return digest.count(of: set, for: use)
    }
}

extension Replica {
    /// The copies that aren't deleted, as `openvalet doctor` compares them; `counts` may leave out some.
    public func copies(
        of set: StateSet, where counts: @escaping @Sendable (Value) -> Bool
    ) -> CopiedSet {
        CopiedSet(set, "SELECT id, version, body FROM \(table) WHERE body IS NOT NULL") {
            counts(try $0.json())
        }
    }

    public func copies(of set: StateSet, for use: String? = nil) -> CopiedSet {
        CopiedSet(set, "SELECT id, version FROM \(table) WHERE body IS NOT NULL", for: use)
    }

    /// The marks of deleted things.
    public func deleted(of set: StateSet) -> CopiedSet {
        CopiedSet(set, "SELECT id, version FROM \(table) WHERE body IS NULL")
    }
}
