import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension AlertStatus: SQLConvertible {}

extension Transaction {
    var alerts: AlertStore { AlertStore(transaction: self) }
}

/// Orders that an operator has to look at. Each kind is raised once per state and resolved when the order leaves it.
struct AlertStore {
    /// How long a resolved alert is kept, in seconds: 90 days.
    static let retentionSeconds = 90.0 * 86_400

    static let migrations = [
        Migration(
            "alerts-1",
            """
            CREATE TABLE alerts (
                id TEXT NOT NULL PRIMARY KEY,
                order_id TEXT NOT NULL,
                ticket TEXT NOT NULL,
                kind TEXT NOT NULL,
                order_status TEXT NOT NULL,
                limit_seconds BIGINT NOT NULL,
                status TEXT NOT NULL,
                raised_at BIGINT NOT NULL,
                acknowledged_at BIGINT,
                acknowledged_by TEXT,
                resolved_at BIGINT)
            """,
            "CREATE UNIQUE INDEX alerts_pending ON alerts (order_id, kind) WHERE resolved_at IS NULL",
            "CREATE INDEX alerts_by_status ON alerts (status, id)",
            "CREATE INDEX alerts_resolved ON alerts (resolved_at) WHERE resolved_at IS NOT NULL")
    ]

    let transaction: Transaction

    func raise(
        _ kind: Alert.Kind, of order: OrderSnapshot, _ limitSeconds: Int, at now: Date
    ) throws {
        try transaction.execute(
            """
            INSERT INTO alerts (
                id, order_id, ticket, kind, order_status, limit_seconds, status, raised_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, AlertID.new(at: now), order.id, order.ticket, kind.rawValue, order.status,
            limitSeconds, AlertStatus.open, now)
    }

    /// Resolves alerts of states that the order has left.
    func resolve(of order: Order) throws {
        try transaction.execute(
            """
            UPDATE alerts SET status = ?, resolved_at = ?
            WHERE order_id = ? AND resolved_at IS NULL AND order_status <> ?
            """, AlertStatus.resolved, order.statusSince, order.id, order.status)
    }

    func find(_ id: AlertID) throws -> Alert? {
        try transaction.row("SELECT * FROM alerts WHERE id = ?", id).map(Alert.init)
    }

    /// Newest first.
    func page(_ status: AlertStatus?, _ page: PageRequest) throws -> Page<Alert> {
        var conditions = Conditions()
        conditions.require("status = ?", ifPresent: status)
        return try transaction.page(
            page, of: "alerts", columns: "*", where: conditions, Alert.init)
    }

    /// Returns false if an operator has acknowledged it already.
    func acknowledge(_ id: AlertID, by person: OperatorID, at now: Date) throws -> Bool {
        try transaction.execute(
            """
            UPDATE alerts SET acknowledged_at = ?, acknowledged_by = ?,
                status = CASE WHEN resolved_at IS NULL THEN ? ELSE status END
            WHERE id = ? AND acknowledged_at IS NULL
            """, now, person, AlertStatus.acknowledged, id) == 1
    }

    /// Returns the number of removed alerts.
    func sweep(at now: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM alerts WHERE id IN (
                SELECT id FROM alerts WHERE resolved_at < ? LIMIT ?)
            """, now.addingTimeInterval(-Self.retentionSeconds), limit)
    }
}

extension Alert {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.get("id"), order: try row.get("order_id"), ticket: try row.get("ticket"),
            kind: Alert.Kind(rawValue: try row.get("kind")) ?? .overdue,
            status: try row.get("order_status"), limitSeconds: try row.get("limit_seconds"),
            raisedAt: try row.get("raised_at"))
        acknowledgedAt = try row.getIfPresent("acknowledged_at")
        acknowledgedBy = try row.getIfPresent("acknowledged_by")
        resolvedAt = try row.getIfPresent("resolved_at")
    }
}

/// The actions of operators on alerts.
struct AlertUseCases: Sendable {
    let database: Database
    let clock: ServiceClock

    func list(_ status: AlertStatus?, _ page: PageRequest) async throws -> Page<Alert> {
        try await database.read { try $0.alerts.page(status, page) }
    }

    /// The first acknowledgement counts; later ones change nothing and get the same answer.
    func acknowledge(_ id: AlertID, by person: OperatorID) async throws -> Alert {
        let now = clock.now
        return try await database.write { transaction in
            if try transaction.alerts.acknowledge(id, by: person, at: now) {
                try OrderAudit.record("acknowledge-alert", id, by: person, at: now, in: transaction)
            }
            guard let alert = try transaction.alerts.find(id) else { throw Refusal.alertUnknown }
            return alert
        }
    }
}
