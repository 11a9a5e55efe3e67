import Contracts
import EventBus
import Foundation

/// What others' events ask of matching; each call is safe to repeat, and in any order.
struct MatchingUseCases: Sendable {
    private let parts: MatchingParts

    init(_ parts: MatchingParts) { self.parts = parts }

    /// A valet is asked for. The request is in Redis before the event counts as done.
    ///
    /// False when the order has gone on since.
    @discardableResult
    func open(
        _ match: MatchRequest, for order: OrderSnapshot, _ delivery: Delivery
    ) async throws -> Bool {
        let now = parts.clock.now
        let request = OpenRequest(
            order: order.id, area: order.serviceArea, version: order.version, match: match,
            openedAt: now, traceparent: delivery.envelope.traceparent)
        switch try await parts.store.open(request) {
        case .open:
            parts.areas.call(order.serviceArea)
            return true
        case .old:
            return false
        case .full:
            // Said here, since there is no room to keep it: an error brings the event back.
            parts.logger.warning(
                "too many open requests", metadata: ["area": "\(order.serviceArea)"])
            try await parts.announcer.announce([
                MatchAnswer(request, valet: nil, travelSeconds: 0, at: now)
            ])
            return true
        }
    }

    /// The request is over: a valet was assigned, or nobody is asked for any more.
    func forget(_ order: OrderSnapshot) async throws {
        _ = try await parts.store.forget(
            order.id, area: order.serviceArea, version: order.version)
    }

    /// The job of whoever had it is over; they may be offered at once.
    ///
    /// Without a name it is whom the order was last given: they may be held for a match that came
    /// too late.
    func release(_ valet: ValetID?, from order: OrderSnapshot) async throws {
        try await parts.store.release(valet, heldBy: order.id, area: order.serviceArea)
        parts.areas.call(order.serviceArea)
    }

    /// The order is done with its valet and asks for no other.
    func end(_ order: OrderSnapshot, releasing valet: ValetID?) async throws {
        let isNews = try await parts.store.forget(
            order.id, area: order.serviceArea, version: order.version)
        if isNews { try await release(valet, from: order) }
    }

    /// Somebody can be given a job there.
    func look(in area: ServiceAreaID) { parts.areas.call(area) }

    /// Every decision about an order, newest first.
    func trace(_ order: OrderID) async throws -> MatchingTrace {
        let decisions = try await parts.store.decisions(of: order)
        guard !decisions.isEmpty else { throw Refusal.noMatchingDecision }
        return MatchingTrace(order: order, decisions: decisions)
    }
}
