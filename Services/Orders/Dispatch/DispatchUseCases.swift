import Contracts
import Foundation
import ServiceKit
import Store

/// The actions of valets on offers and tasks: one function, one transaction each.
extension OrderUseCases {
    /// Records that the phone has received the offer.
    func confirmDelivery(_ id: OrderID, _ request: OrderRequest) async throws {
        try await act(id, request, as: .valet, seenBy: { _, _, _ in true }) { order, now, _ in
            _ = try order.confirmDelivery(to: request.identity.valet, at: now)
            return []
        }
    }

    func accept(_ id: OrderID, _ request: OrderRequest) async throws {
        let valet = request.identity.valet
        try await act(id, request, as: .valet, seenBy: { _, _, _ in true }) { order, now, _ in
            try order.acceptOffer(by: valet, at: now).map { [$0] } ?? []
        }
    }

    func decline(_ id: OrderID, _ request: OrderRequest) async throws {
        let valet = request.identity.valet
        try await act(id, request, as: .valet, seenBy: { _, _, _ in true }) { order, now, _ in
            try order.declineOffer(by: valet, at: now).map { [$0] } ?? []
        }
    }

    func takeTask(_ id: OrderID, _ kind: Extra, _ request: OrderRequest) async throws {
        let valet = request.identity.valet
        try await act(id, request, as: .valet, seenBy: OrderUseCases.isWorkplace) { order, now, _ in
            try order.takeTask(kind, by: valet, at: now).map { [$0] } ?? []
        }
    }

    func releaseTask(_ id: OrderID, _ kind: Extra, _ request: OrderRequest) async throws {
        try await act(id, request, as: .valet, seenBy: OrderUseCases.isWorkplace) { order, now, _ in
            [try order.releaseTask(kind, by: request.identity.valet, at: now)]
        }
    }

    func completeTask(_ id: OrderID, _ kind: Extra, _ request: OrderRequest) async throws {
        try await act(id, request, as: .valet, seenBy: OrderUseCases.isWorkplace) { order, now, _ in
            try order.completeTask(kind, by: request.identity.valet, at: now).map { [$0] } ?? []
        }
    }

    /// A valet may take tasks in their present area, and finish those that they have taken.
    private static func isWorkplace(
        _ order: Order, _ reader: Identity, _ transaction: Transaction
    ) throws -> Bool {
        if order.isVisible(to: reader) { return true }
        if order.tasks.contains(where: { $0.valet == reader.valet }) { return true }
        return try order.status == .parked
            && transaction.shifts.serviceArea(of: reader.valet) == order.serviceArea
    }
}
