import Contracts
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases.
struct OrderRoutes: Sendable {
    let orders: OrderUseCases
    let queries: OrderQueries
    let alerts: AlertUseCases

    func add(to router: Router<Context>) {
        addReading(to: router)
        addChanges(to: router)
        addDispatch(to: router)
        addRecords(to: router)
    }

    private func addReading(to router: Router<Context>) {
        router.on(OrderEndpoints.order) { call in
            let view = try await queries.view(call.id(), for: call.person, wait: call.wait)
            guard !call.ifNoneMatch.matches(view.version) else {
                return Reply(empty: .notModified, headers: view.tag + call.waited)
            }
            return try view.reply(headers: call.waited)
        }
        router.on(OrderEndpoints.currentOrder) { call in
            let view = try await queries.current(of: call.person, as: call.query.as?.role)
            return try Reply(view, headers: view?.tag ?? [:])
        }
        router.on(OrderEndpoints.orders) {
            try await queries.list(
                for: $0.person, as: $0.query.as?.role, $0.query.status, $0.page)
        }
        router.on(OrderEndpoints.allOrders) {
            try await queries.list(for: $0.person, as: nil, $0.query.status, $0.page)
        }
        router.on(OrderEndpoints.quote) { try await queries.quote($0.id(), for: $0.person) }
        router.on(InternalEndpoints.bill) { try await queries.bill($0.id()) }
        router.engagements(queries.engagement, binding: queries.binding)
    }

    private func addChanges(to router: Router<Context>) {
        router.on(OrderEndpoints.placeOrder) { call in
            let customer = try call.person
            let id = try await orders.place(
                call.body, by: customer.customer, once: call.idempotency)
            let view = try await queries.view(id, for: customer, wait: call.wait)
            return try view.reply(headers: call.waited + [.location: "/v1/orders/\(id)"])
        }
        change(OrderEndpoints.cancel, router) { try await orders.cancel($0, $1?.reason, $2) }
        change(OrderEndpoints.cancelRecall, router) {
            try await orders.cancelRecall($0, $1?.reason, $2)
        }
        change(OrderEndpoints.customerAbsent, router) {
            try await orders.reportAbsence($0, $1?.reason, $2)
        }
        change(OrderEndpoints.withdraw, router) { try await orders.withdraw($0, $1?.reason, $2) }
        change(OrderEndpoints.collect, router) { try await orders.collect($0, code: $1.code, $2) }
        change(OrderEndpoints.park, router) { try await orders.park($0, $1, $2) }
        change(OrderEndpoints.recall, router) { try await orders.recall($0, to: $1.returnTo, $2) }
        change(OrderEndpoints.retrieve, router) { id, _, request in
            try await orders.retrieve(id, request)
        }
        change(OrderEndpoints.handBack, router) {
            try await orders.handBack($0, code: $1.code, $2)
        }
        change(OrderEndpoints.overrideOrder, router) { try await orders.override($0, $1, $2) }
    }

    /// Makes the change and answers with the order as the caller may see it afterwards.
    func change<Body: Sendable>(
        _ endpoint: Endpoint<Body, OrderView>, _ router: Router<Context>,
        act: @escaping @Sendable (OrderID, Body, OrderRequest) async throws -> Void
    ) {
        router.on(endpoint) { call in
            let (person, id) = (try call.person, try call.id(as: OrderID.self))
            try await act(id, call.body, OrderRequest(identity: person, key: call.idempotency))
            return try await queries.viewAfterChange(id, by: person).reply()
        }
    }
}

extension OrderView: Versioned {}

extension Call {
    /// Confirms how long the request was allowed to wait.
    fileprivate var waited: HTTPFields {
        wait.map { [.preferenceApplied: "wait=\($0.components.seconds)"] } ?? [:]
    }
}

extension OrdersQuery.Side {
    fileprivate var role: Role {
        switch self {
        case .customer: .customer
        case .valet: .valet
        }
    }
}
