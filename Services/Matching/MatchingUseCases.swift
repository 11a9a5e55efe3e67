import Contracts
import EventBus
import Foundation

/// The use cases of matching. Each call may be repeated, and in any order.
struct MatchingUseCases: Sendable {
    private let parts: MatchingParts

    init(_ parts: MatchingParts) { self.parts = parts }

    /// Opens a request for a valet. It is in Redis before the event counts as done.
    ///
    /// Returns false if the order has moved on since.
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
            // Answered here, since there is no space to store the request. An error makes the event come again.
            parts.logger.warning(
                "too many open requests", metadata: ["area": "\(order.serviceArea)"])
            try await parts.announcer.announce([
                MatchAnswer(request, valet: nil, travelSeconds: 0, at: now)
            ])
            return true
        }
    }

    /// Ends the request: a valet was assigned, or none is needed any more.
    func forget(_ order: OrderSnapshot) async throws {
        _ = try await parts.store.forget(
            order.id, area: order.serviceArea, version: order.version)
    }

    /// Ends a valet's lease when their job is over, so that they are available at once.
    ///
    /// Without a valet, it is the one last matched to the order: they may be held for a match that came too late.
    func release(_ valet: ValetID?, from order: OrderSnapshot) async throws {
        try await parts.store.release(valet, heldBy: order.id, area: order.serviceArea)
        parts.areas.call(order.serviceArea)
    }

    /// Ends the request and the valet's lease of an order that needs no other valet.
    func end(_ order: OrderSnapshot, releasing valet: ValetID?) async throws {
        let isNews = try await parts.store.forget(
            order.id, area: order.serviceArea, version: order.version)
        if isNews { try await release(valet, from: order) }
    }

    /// Wakes the area because a valet has become available.
    func look(in area: ServiceAreaID) { parts.areas.call(area) }

    /// Every decision about an order, newest first.
    func trace(_ order: OrderID) async throws -> MatchingTrace {
        let decisions = try await parts.store.decisions(of: order)
        guard !decisions.isEmpty else { throw Refusal.noMatchingDecision }
        return MatchingTrace(order: order, decisions: decisions)
    }
}
