import Contracts
import Foundation

// MARK: - Offers

extension OpenValetClient {
    /// For valets: the job that one is asked to take; none or one.
    public func offers() async throws -> [Offer] {
        try await value(.get("/v1/me/offers"), as: Page<Offer>.self).items
    }

    /// The phone has the offer: the time to answer begins.
    @discardableResult
    public func confirmOfferDelivery(
        _ id: OrderID, key: RequestKey = .new()
    ) async throws -> Offer {
        try await value(.post("/v1/orders/\(id)/offer-delivered", key: key))
    }

    @discardableResult
    public func acceptOffer(_ id: OrderID, key: RequestKey = .new()) async throws -> OrderView {
        try await value(.post("/v1/orders/\(id)/accept", key: key))
    }

    @discardableResult
    public func declineOffer(_ id: OrderID, key: RequestKey = .new()) async throws -> OrderView {
        try await value(.post("/v1/orders/\(id)/decline", key: key))
    }
}

// MARK: - Tasks

extension OpenValetClient {
    /// For valets: open tasks of their area and what they have taken; for operators: all.
    public func tasks(
        status: OrderTask.Status? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<TaskListing> {
        try await value(.get("/v1/tasks").with("status", status?.rawValue).page(after, limit))
    }

    @discardableResult
    public func takeTask(
        _ kind: Extra, of id: OrderID, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await change("take-task", kind, id, key)
    }

    @discardableResult
    public func releaseTask(
        _ kind: Extra, of id: OrderID, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await change("release-task", kind, id, key)
    }

    @discardableResult
    public func completeTask(
        _ kind: Extra, of id: OrderID, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await change("complete-task", kind, id, key)
    }

    private func change(
        _ action: String, _ kind: Extra, _ id: OrderID, _ key: RequestKey
    ) async throws -> OrderView {
        try await value(try .post("/v1/orders/\(id)/\(action)", TaskBody(kind: kind), key: key))
    }
}

// MARK: - Shifts

extension OpenValetClient {
    /// A valet's own working times, newest first.
    public func shifts(after: String? = nil, limit: Int? = nil) async throws -> Page<Shift> {
        try await value(.get("/v1/me/shifts").page(after, limit))
    }

    /// For operators: working times of one valet or of all, newest first.
    public func shifts(
        of valet: ValetID?, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<Shift> {
        try await value(
            .get("/v1/admin/shifts").with("valet", valet?.description).page(after, limit))
    }
}
