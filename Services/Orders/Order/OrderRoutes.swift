import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// HTTP to use case, for orders.
struct OrderRoutes: Sendable {
    let orders: OrderUseCases
    let queries: OrderQueries

    func add(to router: Router<Context>) {
        router.on(OrderEndpoints.placeOrder, use: place)
        router.on(OrderEndpoints.currentOrder, use: current)
        router.on(OrderEndpoints.orders, use: list)
        router.on(OrderEndpoints.order, use: read)
        router.on(OrderEndpoints.quote, use: quote)
        router.on(OrderEndpoints.cancel, use: cancel)
        router.on(OrderEndpoints.cancelRecall, use: cancelRecall)
        router.on(OrderEndpoints.customerAbsent, use: reportAbsence)
        router.on(OrderEndpoints.withdraw, use: withdraw)
        router.on(OrderEndpoints.collect, use: collect)
        router.on(OrderEndpoints.park, use: park)
        router.on(OrderEndpoints.recall, use: recall)
        router.on(OrderEndpoints.retrieve, use: retrieve)
        router.on(OrderEndpoints.handBack, use: handBack)
        router.on(OrderEndpoints.allOrders, use: listAll)
        router.on(OrderEndpoints.overrideOrder, use: override)
    }

    // MARK: Reading

    @Sendable private func read(_ request: Request, _ context: Context) async throws -> Response {
        let reader = try context.person()
        let wait = request.preferredWait()
        let view = try await queries.view(context.id("id"), for: reader, wait: wait)
        var headers: HTTPFields = [.eTag: ETag.text(view.version)]
        if let wait { headers[.preferenceApplied] = "wait=\(wait.components.seconds)" }
        if request.headers[.ifNoneMatch].map({ ETag.versions($0).matches(view.version) }) == true {
            return Response(status: .notModified, headers: headers)
        }
        return try Reply(.ok, view, headers: headers).response(from: request, context: context)
    }

    @Sendable private func current(
        _ request: Request, _ context: Context
    ) async throws -> Response {
        let reader = try context.person()
        guard let view = try await queries.current(of: reader, as: request.relation()) else {
            return Response(status: .noContent)
        }
        return try reply(.ok, view).response(from: request, context: context)
    }

    @Sendable private func list(_ request: Request, _ context: Context) async throws -> Reply {
        try await list(request, for: context.person())
    }

    @Sendable private func listAll(_ request: Request, _ context: Context) async throws -> Reply {
        try await list(request, for: context.person())
    }

    private func list(_ request: Request, for reader: Identity) async throws -> Reply {
        let status = try request.query("status").map { text in
            guard let status = OrderStatus(rawValue: text) else {
                throw InvalidRequest("status", "A state of an order.")
            }
            return status
        }
        return try Reply(
            .ok, await queries.list(for: reader, as: request.relation(), status, request.page()))
    }

    @Sendable private func quote(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(.ok, await queries.quote(context.id("id"), for: context.person()))
    }

    // MARK: Changing

    @Sendable private func place(_ request: Request, _ context: Context) async throws -> Reply {
        let customer = try context.person()
        let body = try await context.body(PlaceOrderBody.self, of: request)
        let id = try await orders.place(body, by: customer.customer, once: context.idempotency)
        let wait = request.preferredWait()
        let view = try await queries.view(id, for: customer, wait: wait)
        var headers: HTTPFields = [
            .eTag: ETag.text(view.version), .location: "/v1/orders/\(id)",
        ]
        if let wait { headers[.preferenceApplied] = "wait=\(wait.components.seconds)" }
        return try Reply(.created, view, headers: headers)
    }

    @Sendable private func cancel(_ request: Request, _ context: Context) async throws -> Reply {
        let reason = try await reason(request, context)
        return try await change(context) { try await orders.cancel($0, reason, $1) }
    }

    @Sendable private func cancelRecall(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let reason = try await reason(request, context)
        return try await change(context) {
            try await orders.cancelRecall($0, reason, $1)
        }
    }

    @Sendable private func reportAbsence(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let reason = try await reason(request, context)
        return try await change(context) {
            try await orders.reportAbsence($0, reason, $1)
        }
    }

    @Sendable private func withdraw(_ request: Request, _ context: Context) async throws -> Reply {
        let reason = try await reason(request, context)
        return try await change(context) {
            try await orders.withdraw($0, reason, $1)
        }
    }

    @Sendable private func collect(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await context.body(CodeBody.self, of: request)
        return try await change(context) {
            try await orders.collect($0, code: body.code, $1)
        }
    }

    @Sendable private func park(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await context.body(ParkBody.self, of: request)
        return try await change(context) { try await orders.park($0, body, $1) }
    }

    @Sendable private func recall(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await context.body(RecallBody.self, of: request)
        return try await change(context) {
            try await orders.recall($0, to: body.returnTo, $1)
        }
    }

    @Sendable private func retrieve(_ request: Request, _ context: Context) async throws -> Reply {
        try await change(context) { try await orders.retrieve($0, $1) }
    }

    @Sendable private func handBack(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await context.body(CodeBody.self, of: request)
        return try await change(context) {
            try await orders.handBack($0, code: body.code, $1)
        }
    }

    @Sendable private func override(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await context.body(OverrideBody.self, of: request)
        return try await change(context) { try await orders.override($0, body, $1) }
    }

    // MARK: Shared

    private func reason(_ request: Request, _ context: Context) async throws -> String? {
        try await context.bodyIfPresent(ReasonBody.self, of: request)?.reason
    }

    /// Does it, and answers with the order as it is then.
    private func change(
        _ context: Context, act: (OrderID, OrderRequest) async throws -> Void
    ) async throws -> Reply {
        let person = try context.person()
        let id: OrderID = try context.id("id")
        try await act(id, OrderRequest(identity: person, key: context.idempotency))
        return try reply(.ok, try await queries.viewAfterChange(id, by: person))
    }

    private func reply(_ status: HTTPResponse.Status, _ view: OrderView) throws -> Reply {
        try Reply(status, view, headers: [.eTag: ETag.text(view.version)])
    }
}

extension Request {
    /// As what somebody asks for their orders; nil for whatever they are.
    fileprivate func relation() throws -> Role? {
        try query("as").map { text in
            guard let role = Role(rawValue: text), role != .operator else {
                throw InvalidRequest("as", "customer or valet.")
            }
            return role
        }
    }
}
