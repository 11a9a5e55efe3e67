import Contracts
import Foundation
import ServiceKit
import Store

extension Order {
    /// Visible to its customer, the valets of its legs, and operators; to anyone else it doesn't exist.
    func isVisible(to reader: Identity) -> Bool {
        reader.isOperator || customer == reader.customer || dropOffValet == reader.valet
            || returnValet == reader.valet
    }
}

/// Read-only queries about orders.
struct OrderQueries: Sendable {
    let database: Database
    let clock: ServiceClock
    let photos: PhotoAddresses
    let chain: CustodyChain

    /// The order as this reader may see it. Waits at most `wait` until it has left `requested`.
    func view(_ id: OrderID, for reader: Identity, wait: Duration? = nil) async throws -> OrderView
    {
        if let wait {
            let settled = try await database.awaiting(OrderStore.signal(id), within: wait) {
                let view = try view(id, reader, in: $0)
                // A customer who has ordered ahead need not wait.
                return view.status == .requested && view.scheduledFor == nil ? nil : view
            }
            if let settled { return settled }
        }
        return try await database.read { try view(id, reader, in: $0) }
    }

    private func view(
        _ id: OrderID, _ reader: Identity, in transaction: Transaction
    ) throws -> OrderView {
        guard let order = try transaction.orders.find(id), order.isVisible(to: reader) else {
            throw Refusal.orderUnknown
        }
        return order.view(for: reader, try transaction.people.parties(of: [order], photos))
    }

    /// The order as shown to the person who has just changed it. A valet who gave the job back sees neither the
    /// new valet nor where the vehicle is.
    func viewAfterChange(_ id: OrderID, by reader: Identity) async throws -> OrderView {
        try await database.read { transaction in
            guard let order = try transaction.orders.find(id) else { throw Refusal.orderUnknown }
            let isParty = order.isVisible(to: reader)
            let parties =
                isParty ? try transaction.people.parties(of: [order], photos) : Parties([])
            var view = order.view(for: reader, parties)
            if !isParty {
                (view.vehicle, view.parked, view.returnTo) = (nil, nil, nil)
                (view.dropOffValet, view.returnValet, view.etaSeconds) = (nil, nil, nil)
            }
            return view
        }
    }

    /// A valet's active job, or a customer's unfinished order. With both and no role given, the job.
    func current(of reader: Identity, as role: Role?) async throws -> OrderView? {
        try await database.read { transaction in
            var order: Order?
            if role != .customer { order = try transaction.orders.activeJob(of: reader.valet) }
            if order == nil, role != .valet {
                order = try transaction.orders.unfinished(of: reader.customer)
            }
            return try order.map { order in
                order.view(for: reader, try transaction.people.parties(of: [order], photos))
            }
        }
    }

    /// The person's own orders and jobs, optionally of one role only; all orders for an operator. Newest first.
    func list(
        for reader: Identity, as role: Role?, _ status: OrderStatus?, _ page: PageRequest
    ) async throws -> Page<OrderView> {
        let owner: OrderOwner =
            reader.isOperator && role == nil
            ? .everybody : .person(reader.person, as: role.map { [$0] } ?? reader.roles)
        return try await database.read { transaction in
            let orders = try transaction.orders.all(
                of: owner, status, after: page.cursor(), limit: page.rows)
            let parties = try transaction.people.parties(of: orders, photos)
            return page.page(of: orders, cursor: \.id) { $0.view(for: reader, parties) }
        }
    }

    func quote(_ id: OrderID, for reader: Identity) async throws -> Quote {
        let now = clock.now
        return try await database.read { transaction in
            guard let order = try transaction.orders.find(id), order.isVisible(to: reader) else {
                throw Refusal.orderUnknown
            }
            return order.quote(at: now)
        }
    }
}
