import Contracts
import Foundation

// MARK: - Reading

extension OpenValetClient {
    public func serviceAreas() async throws -> ServiceAreaCollection {
        try await value(AreaEndpoints.serviceAreas())
    }

    /// One's unfinished order, if there is one.
    public func currentOrder() async throws -> OrderView? {
        try await value(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
    }

    /// Own orders (a valet's jobs), newest first.
    public func orders(
        status: OrderStatus? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<OrderView> {
        try await value(
            OrderEndpoints.orders(
                asks: OrdersQuery().with(\.status, status).page(after: after, limit: limit)))
    }

    /// With `waitSeconds` the answer comes when the order has left `requested`, or after so long.
    public func order(_ id: OrderID, waitSeconds: Int? = nil) async throws -> OrderView {
        try await value(OrderEndpoints.order(id).waiting(waitSeconds))
    }

    /// How long, and how much so far.
    public func quote(_ id: OrderID) async throws -> Quote {
        try await value(OrderEndpoints.quote(id))
    }

    /// Who had the vehicle and its key; oldest first.
    public func custody(
        _ id: OrderID, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<CustodyEntry> {
        try await value(OrderEndpoints.custody(id, asks: PageQuery(after: after, limit: limit)))
    }

    /// For operators: who was considered for an order, at what cost, and why not the others.
    public func matching(_ id: OrderID) async throws -> MatchingTrace {
        try await value(MatchingEndpoints.matching(id))
    }
}

// MARK: - The customer

extension OpenValetClient {
    /// The one tap. With `waitSeconds` the answer comes when a valet was found, or after so long.
    public func placeOrder(
        _ body: PlaceOrderBody, waitSeconds: Int? = nil, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await value(OrderEndpoints.placeOrder(body: body, key: key).waiting(waitSeconds))
    }

    @discardableResult
    public func cancel(
        _ id: OrderID, reason: String? = nil, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.cancel, id, ReasonBody(reason: reason), key)
    }

    @discardableResult
    public func recall(
        _ id: OrderID, to place: Place, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.recall, id, RecallBody(returnTo: place), key)
    }

    @discardableResult
    public func cancelRecall(
        _ id: OrderID, reason: String? = nil, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.cancelRecall, id, ReasonBody(reason: reason), key)
    }

    private func act<Body: Encodable>(
        _ action: Endpoint<Body, OrderView>, _ id: OrderID, _ body: Body, _ key: RequestKey
    ) async throws -> OrderView {
        try await value(action(id, body: body, key: key))
    }
}

// MARK: - The valet

extension OpenValetClient {
    @discardableResult
    public func withdraw(
        _ id: OrderID, reason: String? = nil, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.withdraw, id, ReasonBody(reason: reason), key)
    }

    @discardableResult
    public func customerAbsent(
        _ id: OrderID, reason: String? = nil, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.customerAbsent, id, ReasonBody(reason: reason), key)
    }

    /// "Got the vehicle" from the customer, proved by their code.
    @discardableResult
    public func collect(
        _ id: OrderID, code: String, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.collect, id, CodeBody(code: code), key)
    }

    @discardableResult
    public func park(
        _ id: OrderID, _ body: ParkBody, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.park, id, body, key)
    }

    /// "Got the vehicle" from where it was parked.
    @discardableResult
    public func retrieve(_ id: OrderID, key: RequestKey = .new()) async throws -> OrderView {
        try await value(OrderEndpoints.retrieve(id, key: key))
    }

    @discardableResult
    public func handBack(
        _ id: OrderID, code: String, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await act(OrderEndpoints.handBack, id, CodeBody(code: code), key)
    }
}
