import Contracts
import EventBus
import Foundation
import Store

/// Tasks by state and area, stored beside their orders.
struct TaskStore {
    static let migrations = [
        Migration(
            "tasks-1",
            """
            CREATE TABLE order_tasks (
                order_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                status TEXT NOT NULL,
                service_area TEXT NOT NULL,
                valet TEXT,
                PRIMARY KEY (order_id, kind))
            """,
            "CREATE INDEX order_tasks_by_status ON order_tasks (status, order_id)",
            """
            CREATE INDEX order_tasks_of_valet ON order_tasks (valet, order_id)
                WHERE valet IS NOT NULL
            """)
    ]

    let transaction: Transaction
}

/// Which tasks a list shows.
struct TaskFilter: Sendable {
    var status: OrderTask.Status?
    /// Includes this valet's tasks and the open ones of the area.
    var valet: ValetID?
    var area: ServiceAreaID?
    var after: TaskCursor?
}

/// The cursor of a page of tasks: an order and a kind of work.
struct TaskCursor: Sendable, LosslessStringConvertible {
    let order: OrderID
    let kind: Open<Extra>

    init(order: OrderID, kind: Open<Extra>) {
        self.order = order
        self.kind = kind
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let order = OrderID(parts[0]), let kind = Extra(rawValue: parts[1])
        else { return nil }
        self.init(order: order, kind: .known(kind))
    }

    var description: String { "\(order).\(kind.rawValue)" }
}

extension Transaction {
    var tasks: TaskStore { TaskStore(transaction: self) }
}

extension TaskStore {
    /// Stores the tasks of an order; most orders have none.
    func keep(of order: Order) throws {
        guard !order.extras.isEmpty else { return }
        try transaction.execute("DELETE FROM order_tasks WHERE order_id = ?", order.id)
        for task in order.tasks {
            try transaction.execute(
                """
                INSERT INTO order_tasks (order_id, kind, status, service_area, valet)
                VALUES (?, ?, ?, ?, ?)
                """, order.id, task.kind.rawValue, task.status.rawValue, order.serviceArea,
                task.valet)
        }
    }

    func all(_ filter: TaskFilter, limit: Int) throws -> [TaskListing] {
        var conditions = Conditions()
        conditions.require("order_tasks.status = ?", ifPresent: filter.status?.rawValue)
        if let valet = filter.valet {
            conditions.require(
                """
                (order_tasks.valet = ? OR
                    (order_tasks.status = 'open' AND order_tasks.service_area = ?))
                """, valet, filter.area)
        }
        if let after = filter.after {
            conditions.require(
                "(order_id < ? OR (order_id = ? AND kind > ?))", after.order, after.order,
                after.kind.rawValue)
        }
        let rows = try transaction.rows(
            """
            SELECT kind, body FROM order_tasks JOIN orders ON orders.id = order_tasks.order_id
            \(conditions.where) ORDER BY order_id DESC, kind LIMIT ?
            """, arguments: conditions.arguments + [limit])
        return try rows.compactMap { row in
            let order = try Order(row)
            let kind: String = try row.get("kind")
            return order.tasks.first { $0.kind.rawValue == kind }.map { task in
                TaskListing(
                    order: order.id, ticket: order.ticket, serviceArea: order.serviceArea,
                    task: task, vehicle: order.vehicle, parked: order.parkedPlace)
            }
        }
    }
}
