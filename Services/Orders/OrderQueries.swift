import Contracts
import Foundation
import ServiceKit
import Store

extension Order {
    /// Its customer, the valets of its legs, and operators; nobody else knows that it exists.
    func isVisible(to reader: Identity) -> Bool {
        switch reader.role {
        case .customer: customer == reader.customer
        case .valet: dropOffValet == reader.valet || returnValet == reader.valet
        case .operator: true
        }
    }
}

/// What people ask about orders; nothing is changed.
struct OrderQueries: Sendable {
    let database: Database
    let clock: HouseClock
    let photos: PhotoAddresses
    let chain: CustodyChain

    /// The order as this reader may see it, once it has left `requested` or `wait` is over.
    func view(_ id: OrderID, for reader: Identity, wait: Duration? = nil) async throws -> OrderView
    {
        if let wait {
            let settled = try await database.awaiting(OrderStore.signal(id), within: wait) {
                let view = try view(id, reader, in: $0)
                // Who has ordered ahead has nothing to wait for.
                return view.status == .requested && view.scheduledFor == nil ? nil : view
            }
            if let settled { return settled }
        }
        return try await database.read { try view(id, reader, in: $0) }
    }

    private func view(
        _ id: OrderID, _ reader: Identity, in transaction: Transaction
    ) throws -> OrderView {
        guard let order = try transaction.order(id), order.isVisible(to: reader) else {
            throw OrderError.unknown
        }
        return order.view(for: reader, try transaction.parties(of: [order], photos))
    }

    /// The order for somebody who has just changed it. Who gave the job back sees neither who has
    /// it now nor where the vehicle is.
    func viewAfterChange(_ id: OrderID, by reader: Identity) async throws -> OrderView {
        try await database.read { transaction in
            guard let order = try transaction.order(id) else { throw OrderError.unknown }
            let isParty = order.isVisible(to: reader)
            let parties = isParty ? try transaction.parties(of: [order], photos) : Parties([])
            var view = order.view(for: reader, parties)
            if !isParty {
                (view.vehicle, view.parked, view.returnTo) = (nil, nil, nil)
                (view.dropOffValet, view.returnValet, view.etaSeconds) = (nil, nil, nil)
            }
            return view
        }
    }

    /// A customer's unfinished order, or a valet's active job.
    func current(of reader: Identity) async throws -> OrderView? {
        try await database.read { transaction in
            let order =
                switch reader.role {
                case .customer: try transaction.unfinishedOrder(of: reader.customer)
                case .valet: try transaction.activeJob(of: reader.valet)
                case .operator: Order?.none
                }
            return try order.map { order in
                order.view(for: reader, try transaction.parties(of: [order], photos))
            }
        }
    }

    /// A customer's own orders, a valet's jobs, or everybody's for an operator; newest first.
    func list(
        for reader: Identity, _ status: OrderStatus?, _ page: PageRequest
    ) async throws -> Page<OrderView> {
        let owner: OrderOwner =
            switch reader.role {
            case .customer: .customer(reader.customer)
            case .valet: .valet(reader.valet)
            case .operator: .everybody
            }
        let after = try page.after.map { text in
            guard let id = OrderID(text) else {
                throw InvalidRequest.cursor
            }
            return id
        }
        return try await database.read { transaction in
            let orders = try transaction.orders(
                of: owner, status, after: after, limit: page.limit + 1)
            let shown = orders.prefix(page.limit)
            let parties = try transaction.parties(of: Array(shown), photos)
            return Page(
                items: shown.map { $0.view(for: reader, parties) },
                next: orders.count > page.limit ? shown.last?.id.description : nil)
        }
    }

    func quote(_ id: OrderID, for reader: Identity) async throws -> Quote {
        let now = clock.now
        return try await database.read { transaction in
            guard let order = try transaction.order(id), order.isVisible(to: reader) else {
                throw OrderError.unknown
            }
            return order.quote(at: now)
        }
    }
}
