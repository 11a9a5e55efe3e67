import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension MadeOffer {
    func view(of order: Order) -> Offer {
        Offer(
            order: order.id, ticket: order.ticket, leg: leg, meetingPoint: order.meetingPoint(leg),
            etaSeconds: etaSeconds, offeredAt: offeredAt, deliveredAt: deliveredAt,
            expiresAt: expiresAt)
    }
}

/// Read-only queries about offers, tasks and shifts.
extension OrderQueries {
    /// The open offer to a valet, if there is one.
    func offer(to valet: ValetID) async throws -> Offer? {
        let now = clock.now
        return try await database.read { transaction in
            guard let order = try transaction.orders.engaging(valet), let made = order.offer,
                now < made.expiresAt
            else { return nil }
            return made.view(of: order)
        }
    }

    /// For a valet, the open tasks of their own area and all that they have taken or done; for an operator, every
    /// task. Newest order first.
    func tasks(
        for reader: Identity, _ status: OrderTask.Status?, _ page: PageRequest
    ) async throws -> Page<TaskListing> {
        let after: TaskCursor? = try page.cursor()
        return try await database.read { transaction in
            var filter = TaskFilter(status: status, after: after)
            if !reader.isOperator {
                filter.valet = reader.valet
                filter.area = try transaction.shifts.serviceArea(of: reader.valet)
            }
            return page.page(of: try transaction.tasks.all(filter, limit: page.rows)) {
                TaskCursor(order: $0.order, kind: $0.task.kind)
            }
        }
    }

    /// Newest first; shifts of all valets if none is named.
    func shifts(of valet: ValetID?, _ page: PageRequest) async throws -> Page<Shift> {
        let after: ShiftCursor? = try page.cursor()
        let found = try await database.read {
            try $0.shifts.all(of: valet, after: after, limit: page.rows)
        }
        return page.page(of: found, cursor: ShiftCursor.init)
    }
}
