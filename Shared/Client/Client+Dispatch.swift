import Contracts
import Foundation

// MARK: - Offers

extension OpenValetClient {
    /// For valets: the job that one is asked to take; none or one.
    public func offers() async throws -> [Offer] {
        try await value(OrderEndpoints.offers()).items
    }

    /// The phone has the offer: the time to answer begins.
    @discardableResult
    public func confirmOfferDelivery(
        _ id: OrderID, key: RequestKey = .new()
    ) async throws -> Offer {
        try await value(OrderEndpoints.confirmOfferDelivery(id, key: key))
    }

    @discardableResult
    public func acceptOffer(_ id: OrderID, key: RequestKey = .new()) async throws -> OrderView {
        try await value(OrderEndpoints.acceptOffer(id, key: key))
    }

    @discardableResult
    public func declineOffer(_ id: OrderID, key: RequestKey = .new()) async throws -> OrderView {
        try await value(OrderEndpoints.declineOffer(id, key: key))
    }
}

// MARK: - Tasks

extension OpenValetClient {
    /// For valets: open tasks of their area and what they have taken; for operators: all.
    public func tasks(
        status: OrderTask.Status? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<TaskListing> {
        try await value(
            OrderEndpoints.tasks(
                asks: TasksQuery().with(\.status, status).page(after: after, limit: limit)))
    }

    @discardableResult
    public func takeTask(
        _ kind: Extra, of id: OrderID, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await value(OrderEndpoints.takeTask(id, body: TaskBody(kind: kind), key: key))
    }

    @discardableResult
    public func releaseTask(
        _ kind: Extra, of id: OrderID, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await value(OrderEndpoints.releaseTask(id, body: TaskBody(kind: kind), key: key))
    }

    @discardableResult
    public func completeTask(
        _ kind: Extra, of id: OrderID, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await value(OrderEndpoints.completeTask(id, body: TaskBody(kind: kind), key: key))
    }
}

// MARK: - Shifts

extension OpenValetClient {
    /// A valet's own working times, newest first.
    public func shifts(after: String? = nil, limit: Int? = nil) async throws -> Page<Shift> {
        try await value(OrderEndpoints.ownShifts(asks: PageQuery(after: after, limit: limit)))
    }

    /// For operators: working times of one valet or of all, newest first.
    public func shifts(
        of valet: ValetID?, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<Shift> {
        try await value(
            OrderEndpoints.shifts(
                asks: ShiftsQuery().with(\.valet, valet).page(after: after, limit: limit)))
    }
}
