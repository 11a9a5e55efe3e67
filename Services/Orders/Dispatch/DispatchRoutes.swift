import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// HTTP to use case, for offers, tasks and shifts.
struct DispatchRoutes: Sendable {
    let orders: OrderUseCases
    let queries: OrderQueries

    func add(to router: Router<Context>) {
        router.on(OrderEndpoints.offers, use: offers)
        router.on(OrderEndpoints.confirmOfferDelivery, use: confirmDelivery)
        router.on(OrderEndpoints.acceptOffer, use: accept)
        router.on(OrderEndpoints.declineOffer, use: decline)
        router.on(OrderEndpoints.tasks, use: tasks)
        router.on(OrderEndpoints.takeTask, use: takeTask)
        router.on(OrderEndpoints.releaseTask, use: releaseTask)
        router.on(OrderEndpoints.completeTask, use: completeTask)
        router.on(OrderEndpoints.ownShifts, use: ownShifts)
        router.on(OrderEndpoints.shifts, use: shifts)
    }

    // MARK: Offers

    @Sendable private func offers(_ request: Request, _ context: Context) async throws -> Reply {
        let valet = try context.person()
        let offer = try await queries.offer(to: valet.valet)
        return try Reply(.ok, Page(items: offer.map { [$0] } ?? []))
    }

    @Sendable private func confirmDelivery(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let valet = try context.person()
        let id: OrderID = try context.id("id")
        try await orders.confirmDelivery(
            id, OrderRequest(identity: valet, key: context.idempotency))
        guard let offer = try await queries.offer(to: valet.valet), offer.order == id else {
            throw OrderError.dispatch(.offerEnded)
        }
        return try Reply(.ok, offer)
    }

    @Sendable private func accept(_ request: Request, _ context: Context) async throws -> Reply {
        try await change(context) { try await orders.accept($0, $1) }
    }

    @Sendable private func decline(_ request: Request, _ context: Context) async throws -> Reply {
        try await change(context) { try await orders.decline($0, $1) }
    }

    // MARK: Tasks

    @Sendable private func tasks(_ request: Request, _ context: Context) async throws -> Reply {
        let reader = try context.person()
        let status = try request.query("status").map { text in
            guard let status = OrderTask.Status(rawValue: text) else {
                throw InvalidRequest("status", "open, taken or done.")
            }
            return status
        }
        return try Reply(.ok, await queries.tasks(for: reader, status, request.page()))
    }

    @Sendable private func takeTask(_ request: Request, _ context: Context) async throws -> Reply {
        let kind = try await kind(request, context)
        return try await change(context) { try await orders.takeTask($0, kind, $1) }
    }

    @Sendable private func releaseTask(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let kind = try await kind(request, context)
        return try await change(context) { try await orders.releaseTask($0, kind, $1) }
    }

    @Sendable private func completeTask(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let kind = try await kind(request, context)
        return try await change(context) { try await orders.completeTask($0, kind, $1) }
    }

    private func kind(_ request: Request, _ context: Context) async throws -> Extra {
        try await context.body(TaskBody.self, of: request).kind
    }

    // MARK: Shifts

    @Sendable private func ownShifts(_ request: Request, _ context: Context) async throws -> Reply {
        let valet = try context.person()
        return try Reply(.ok, await queries.shifts(of: valet.valet, request.page()))
    }

    @Sendable private func shifts(_ request: Request, _ context: Context) async throws -> Reply {
        let valet = try request.query("valet").map { text in
            guard let valet = ValetID(text) else {
                throw InvalidRequest("valet", "A valet's id.")
            }
            return valet
        }
        return try Reply(.ok, await queries.shifts(of: valet, request.page()))
    }

    // MARK: Shared

    /// Does it, and answers with the order as this valet may see it then.
    private func change(
        _ context: Context, act: (OrderID, OrderRequest) async throws -> Void
    ) async throws -> Reply {
        let valet = try context.person()
        let id: OrderID = try context.id("id")
        try await act(id, OrderRequest(identity: valet, key: context.idempotency))
        let view = try await queries.viewAfterChange(id, by: valet)
        return try Reply(.ok, view, headers: [.eTag: ETag.text(view.version)])
    }
}
