import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// HTTP to use case, for orders.
struct OrderRoutes: Sendable {
    let orders: OrderUseCases
    let queries: OrderQueries

    func add(to router: Router<Context>) {
        router.post("/v1/orders", use: place)
        router.get("/v1/orders/current", use: current)
        router.get("/v1/orders", use: list)
        router.get("/v1/orders/:id", use: read)
        router.get("/v1/orders/:id/quote", use: quote)
        router.post("/v1/orders/:id/cancel", use: cancel)
        router.post("/v1/orders/:id/cancel-recall", use: cancelRecall)
        router.post("/v1/orders/:id/customer-absent", use: reportAbsence)
        router.post("/v1/orders/:id/withdraw", use: withdraw)
        router.post("/v1/orders/:id/collect", use: collect)
        router.post("/v1/orders/:id/park", use: park)
        router.post("/v1/orders/:id/recall", use: recall)
        router.post("/v1/orders/:id/retrieve", use: retrieve)
        router.post("/v1/orders/:id/hand-back", use: handBack)
        router.get("/v1/admin/orders", use: listAll)
        router.post("/v1/admin/orders/:id/override", use: override)
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
        let reader = try context.person(.customer, .valet)
        guard let view = try await queries.current(of: reader) else {
            return Response(status: .noContent)
        }
        return try reply(.ok, view).response(from: request, context: context)
    }

    @Sendable private func list(_ request: Request, _ context: Context) async throws -> Reply {
        try await list(request, for: context.person())
    }

    @Sendable private func listAll(_ request: Request, _ context: Context) async throws -> Reply {
        try await list(request, for: context.person(.operator))
    }

    private func list(_ request: Request, for reader: Identity) async throws -> Reply {
        let status = try request.query("status").map { text in
            guard let status = OrderStatus(rawValue: text) else {
                throw InvalidRequest("status", "A state of an order.")
            }
            return status
        }
        return try Reply(.ok, await queries.list(for: reader, status, request.page()))
    }

    @Sendable private func quote(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(.ok, await queries.quote(context.id("id"), for: context.person()))
    }

    // MARK: Changing

    @Sendable private func place(_ request: Request, _ context: Context) async throws -> Reply {
        let customer = try context.person(.customer)
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
        let reason = try await reason(request, context, .customer)
        return try await change(context, .customer) { try await orders.cancel($0, reason, $1) }
    }

    @Sendable private func cancelRecall(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let reason = try await reason(request, context, .customer)
        return try await change(context, .customer) {
            try await orders.cancelRecall($0, reason, $1)
        }
    }

    @Sendable private func reportAbsence(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let reason = try await reason(request, context, .valet)
        return try await change(context, .valet) {
            try await orders.reportAbsence($0, reason, $1)
        }
    }

    @Sendable private func withdraw(_ request: Request, _ context: Context) async throws -> Reply {
        let reason = try await reason(request, context, .valet, .operator)
        return try await change(context, .valet, .operator) {
            try await orders.withdraw($0, reason, $1)
        }
    }

    @Sendable private func collect(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.person(.valet)
        let body = try await context.body(CodeBody.self, of: request)
        return try await change(context, .valet) {
            try await orders.collect($0, code: body.code, $1)
        }
    }

    @Sendable private func park(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.person(.valet)
        let body = try await context.body(ParkBody.self, of: request)
        return try await change(context, .valet) { try await orders.park($0, body, $1) }
    }

    @Sendable private func recall(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.person(.customer)
        let body = try await context.body(RecallBody.self, of: request)
        return try await change(context, .customer) {
            try await orders.recall($0, to: body.returnTo, $1)
        }
    }

    @Sendable private func retrieve(_ request: Request, _ context: Context) async throws -> Reply {
        try await change(context, .valet) { try await orders.retrieve($0, $1) }
    }

    @Sendable private func handBack(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.person(.valet)
        let body = try await context.body(CodeBody.self, of: request)
        return try await change(context, .valet) {
            try await orders.handBack($0, code: body.code, $1)
        }
    }

    @Sendable private func override(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.person(.operator)
        let body = try await context.body(OverrideBody.self, of: request)
        return try await change(context, .operator) { try await orders.override($0, body, $1) }
    }

    // MARK: Shared

    private func reason(
        _ request: Request, _ context: Context, _ roles: Role...
    ) async throws -> String? {
        let person = try context.person()
        guard roles.contains(person.role) else { throw RequestError.roleNotAllowed }
        return try await context.bodyIfPresent(ReasonBody.self, of: request)?.reason
    }

    /// Checks role and id, does it, and answers with the order as it is then.
    private func change(
        _ context: Context, _ roles: Role...,
        act: (OrderID, OrderRequest) async throws -> Void
    ) async throws -> Reply {
        let person = try context.person()
        guard roles.contains(person.role) else { throw RequestError.roleNotAllowed }
        let id: OrderID = try context.id("id")
        try await act(id, OrderRequest(identity: person, key: context.idempotency))
        return try reply(.ok, try await queries.viewAfterChange(id, by: person))
    }

    private func reply(_ status: HTTPResponse.Status, _ view: OrderView) throws -> Reply {
        try Reply(status, view, headers: [.eTag: ETag.text(view.version)])
    }
}

/// The version as an entity tag (RFC 9110 §8.8.3).
enum ETag {
    static func text(_ version: Int) -> String { "\"\(version)\"" }

    /// What `If-Match` or `If-None-Match` asks for; a tag that is none of ours matches nothing.
    static func versions(_ header: String) -> VersionCondition {
        if header.trimmingCharacters(in: .whitespaces) == "*" { return .exists }
        let versions = header.split(separator: ",").compactMap { tag -> Int? in
            var tag = tag.trimmingCharacters(in: .whitespaces)
            if tag.hasPrefix("W/") { tag = String(tag.dropFirst(2)) }
            guard tag.count >= 3, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
            return Int(tag.dropFirst().dropLast())
        }
        return .oneOf(versions)
    }
}
