import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Filters the audit log; nil matches every line.
struct AuditFilter: Sendable, Hashable {
    /// Longest action or subject of a filter, in characters.
    static let longestText = 100

    let operatorID: OperatorID?
    let action: String?
    let subject: String?

    init(_ query: AuditQuery) throws {
        operatorID = query.operator
        action = try query.action.map { try Check.text($0, "action", 1...Self.longestText) }
        subject = try query.subject.map { try Check.text($0, "subject", 1...Self.longestText) }
    }
}

extension AuditEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.get("id"),
            OperatorActed(
                by: try row.get("acted_by"), action: try row.get("action"),
                subject: try row.get("subject"), reason: try row.getIfPresent("reason"),
                actedAt: try row.get("acted_at")))
    }
}

extension Transaction {
    var audit: AuditStore { AuditStore(transaction: self) }
}

/// Lines are added and, after their retention, deleted; nothing changes them.
struct AuditStore {
    let transaction: Transaction

    func insert(_ entry: AuditEntry) throws {
        try transaction.execute(
            """
            INSERT INTO audit (id, acted_by, action, subject, reason, acted_at)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """, entry.id, entry.by, entry.action, entry.subject, entry.reason, entry.actedAt)
    }

    /// Newest first: ids sort by time.
    func page(_ filter: AuditFilter, _ page: PageRequest) throws -> Page<AuditEntry> {
        var conditions = Conditions()
        conditions.require("acted_by = ?", ifPresent: filter.operatorID)
        conditions.require("action = ?", ifPresent: filter.action)
        conditions.require("subject = ?", ifPresent: filter.subject)
        return try transaction.page(
            page, of: "audit", columns: "*", where: conditions, AuditEntry.init)
    }

    /// A person's actions as an operator and operators' actions on them; newest first.
    func all(about person: PersonID, limit: Int) throws -> [AuditEntry] {
        try transaction.rows(
            "SELECT * FROM audit WHERE acted_by = ? OR subject = ? ORDER BY id DESC LIMIT ?",
            person, person, limit
        ).map { try AuditEntry($0) }
    }
}

extension NotificationUseCases {
    func apply(_ event: OperatorActed, _ delivery: Delivery) async throws {
        let entry = AuditEntry(id: delivery.envelope.id, event)
        try await database.apply(delivery) { try $0.audit.insert(entry) }
    }

    func audit(_ filter: AuditFilter, _ page: PageRequest) async throws -> Page<AuditEntry> {
        try await database.read { try $0.audit.page(filter, page) }
    }
}
