import Contracts
import EventBus
import Foundation
import Store

/// A kind of which a service may lack copies.
public struct CopyGap: Sendable, Hashable {
    public let kind: StateKind
    /// Whether the service can't work before it is filled: not if an owner of an earlier release can't tell it.
    public let isUrgent: Bool

    public init(_ kind: StateKind, isUrgent: Bool) { (self.kind, self.isUrgent) = (kind, isUrgent) }
}

/// Where a service marks that its copies are whole: beside them, so that the marks are lost with the copies.
public protocol CopyMarks: Sendable {
    /// The time between two looks for lost marks; nil if they can't get lost while the service runs.
    var lookPause: Duration? { get }

    /// Those of the kinds that have to be filled.
    func gaps(in kinds: [StateKind]) async throws -> [CopyGap]
    /// The filling of these kinds begins, in this process or in another one with the same copies. One that has ended
    /// meanwhile stays so.
    func begin(_ gaps: [CopyGap]) async throws
    /// These kinds are whole, unless the marks were lost in the meantime.
    func finish(_ kinds: [StateKind]) async throws
    /// An owner of an earlier release can't tell these kinds. They stay gaps, for which nobody waits.
    func skip(_ kinds: [StateKind]) async throws
}

/// The marks of a service with SQL.
///
/// A service that has heard nothing for longer than its events are kept may have missed some: an old copy was
/// restored. It fills its copies again.
struct CopyMarksInSQL: CopyMarks {
    static let migration = Migration.addition(
        "state-copies-1",
        // Without a time, the filling has begun and not ended. `untold_at`: an owner of an earlier release was asked.
        """
        CREATE TABLE state_copies (
            kind TEXT NOT NULL PRIMARY KEY, filled_at BIGINT, untold_at BIGINT)
        """)

    let database: Database

    var lookPause: Duration? { nil }

    func gaps(in kinds: [StateKind]) async throws -> [CopyGap] {
        let oldest = Self.oldest
        return try await database.read { transaction in
            let heard: Date? = try transaction.row("SELECT MAX(applied_at) AS at FROM inbox")?
                .getIfPresent("at")
            let isCurrent = heard.map { $0 > oldest } ?? false
            return try kinds.compactMap { kind in
                guard
                    let mark = try transaction.row(
                        "SELECT filled_at, untold_at FROM state_copies WHERE kind = ?",
                        kind.rawValue)
                else { return CopyGap(kind, isUrgent: !isCurrent) }
                func counts(_ column: String) throws -> Bool {
                    let time: Date? = try mark.getIfPresent(column)
                    return time.map { isCurrent || $0 > oldest } ?? false
                }
                if try counts("filled_at") { return nil }
                return CopyGap(kind, isUrgent: try !counts("untold_at"))
            }
        }
    }

    func begin(_ gaps: [CopyGap]) async throws {
        let oldest = Self.oldest
        try await database.write { transaction in
            for gap in gaps where gap.isUrgent {
                // Another process may have filled it since.
                try transaction.execute(
                    """
                    INSERT INTO state_copies (kind, filled_at) VALUES (?, NULL)
                    ON CONFLICT (kind) DO UPDATE SET filled_at = NULL
                    WHERE state_copies.filled_at <= ?
                    """, gap.kind.rawValue, oldest)
            }
        }
    }

    func finish(_ kinds: [StateKind]) async throws { try await mark(kinds, "filled_at") }

    func skip(_ kinds: [StateKind]) async throws { try await mark(kinds, "untold_at") }

    private func mark(_ kinds: [StateKind], _ column: String) async throws {
        try await database.write { transaction in
            for kind in kinds {
                try transaction.execute(
                    """
                    INSERT INTO state_copies (kind, \(column)) VALUES (?, ?)
                    ON CONFLICT (kind) DO UPDATE SET \(column) = excluded.\(column)
                    """, kind.rawValue, Date())
            }
        }
    }

    /// A service that has heard nothing since then may have missed something.
    private static var oldest: Date { Date().addingTimeInterval(-Outbox.retention.seconds) }
}
