import Contracts
import Hummingbird
import ServiceKit

/// Offers, tasks and shifts.
extension OrderRoutes {
    func addDispatch(to router: Router<Context>) {
        router.on(OrderEndpoints.offers) { call in
            Page(items: try await queries.offer(to: call.person.valet).map { [$0] } ?? [])
        }
        router.on(OrderEndpoints.confirmOfferDelivery) { call in
            let (valet, id) = (try call.person, try call.id(as: OrderID.self))
            try await orders.confirmDelivery(
                id, OrderRequest(identity: valet, key: call.idempotency))
            guard let offer = try await queries.offer(to: valet.valet), offer.order == id else {
                throw Refusal.offerEnded
            }
            return offer
        }
        change(OrderEndpoints.acceptOffer, router) { id, _, request in
            try await orders.accept(id, request)
        }
        change(OrderEndpoints.declineOffer, router) { id, _, request in
            try await orders.decline(id, request)
        }
        router.on(OrderEndpoints.tasks) { call in
            try await queries.tasks(for: call.person, call.query.status, call.page)
        }
        change(OrderEndpoints.takeTask, router) { try await orders.takeTask($0, $1.kind, $2) }
        change(OrderEndpoints.releaseTask, router) {
            try await orders.releaseTask($0, $1.kind, $2)
        }
        change(OrderEndpoints.completeTask, router) {
            try await orders.completeTask($0, $1.kind, $2)
        }
        router.on(OrderEndpoints.ownShifts) {
            try await queries.shifts(of: $0.person.valet, $0.page)
        }
        router.on(OrderEndpoints.shifts) { call in
            try await queries.shifts(of: call.query.valet, call.page)
        }
    }
}
