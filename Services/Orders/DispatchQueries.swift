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

/// What people ask about offers, tasks and shifts; nothing is changed.
extension OrderQueries {
    /// The job that a valet is asked to take, if there is one.
    func offer(to valet: ValetID) async throws -> Offer? {
        let now = clock.now
        return try await database.read { transaction in
            guard let order = try transaction.engagement(of: valet), let made = order.offer,
                now < made.expiresAt
            else { return nil }
            return made.view(of: order)
        }
    }

    /// Open tasks of a valet's own area and all that they have taken or done; every one for an
    /// operator. Newest order first.
    func tasks(
        for reader: Identity, _ status: OrderTask.Status?, _ page: PageRequest
    ) async throws -> Page<TaskListing> {
        let after = try page.after.map { text in
            guard let cursor = TaskCursor(text) else { throw InvalidRequest.cursor }
            return cursor
        }
        return try await database.read { transaction in
            var filter = TaskFilter(status: status, after: after)
            if reader.role == .valet {
                filter.valet = reader.valet
                filter.area = try transaction.serviceArea(of: reader.valet)
            }
            let found = try transaction.tasks(filter, limit: page.limit + 1)
            let shown = found.prefix(page.limit)
            let next = shown.last.map { TaskCursor(order: $0.order, kind: $0.task.kind) }
            return Page(
                items: Array(shown), next: found.count > page.limit ? next?.text : nil)
        }
    }

    /// Newest first; everybody's when no valet is named.
    func shifts(of valet: ValetID?, _ page: PageRequest) async throws -> Page<Shift> {
        let after = try page.after.map { text in
            guard let cursor = ShiftCursor(text) else { throw InvalidRequest.cursor }
            return cursor
        }
        return try await database.read { transaction in
            let found = try transaction.shifts(of: valet, after: after, limit: page.limit + 1)
            let shown = found.prefix(page.limit)
            let next = shown.last.map(ShiftCursor.init)
            return Page(
                items: Array(shown), next: found.count > page.limit ? next?.text : nil)
        }
    }
}
