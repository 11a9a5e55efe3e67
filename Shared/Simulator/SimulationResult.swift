import Client
import Contracts
import Foundation

/// An order, a booking or a stay without an end.
struct Stuck: Sendable, Equatable {
    let name: String
    /// Nil if it isn't in the operator's list.
    let status: String?
}

/// The result of the simulation, from the counts and from what the operator sees at the end.
package struct SimulationResult: Sendable {
    let counts: Counts
    /// From the operator's list; empty if the simulation was stopped before it was read.
    let orders: [OrderView]
    var bookings: [Booking] = []
    let stuck: [Stuck]
    let elapsed: Duration
    /// Stopped before all orders could be finished, so that open ones are not a fault.
    let wasInterrupted: Bool
    /// Why the final check failed.
    var failure: String?

    /// 0, or 1 if anything was wrong.
    package var exitCode: Int32 {
        let isFine = counts.faults.isEmpty && failure == nil && (stuck.isEmpty || wasInterrupted)
        return isFine ? 0 : 1
    }

    /// Number of orders that nobody has seen at an end.
    var openCount: Int { counts.running.count }

    /// Orders that are missing from the operator's list or have not ended.
    static func stuck(_ ids: [OrderID], in orders: [OrderView]) -> [Stuck] {
        let seen = Dictionary(orders.map { ($0.id, $0) }) { one, _ in one }
        return ids.compactMap { id in
            guard let order = seen[id] else { return Stuck(name: "\(id)", status: nil) }
            return order.status.isEnd
                ? nil : Stuck(name: order.ticket, status: order.status.rawValue)
        }
    }

    /// Bookings that are missing from the operator's list or neither over nor still to come, and stays that have not
    /// ended.
    static func stuck(
        _ counts: ParkingCounts, in bookings: [Booking], at now: Date
    ) -> [Stuck] {
        let seen = Dictionary(bookings.map { ($0.id, $0) }) { one, _ in one }
        let open: [Stuck] = counts.bookings.compactMap { id in
            guard let booking = seen[id] else { return Stuck(name: "booking \(id)", status: nil) }
            return booking.isOverOrToCome(at: now)
                ? nil
                : Stuck(name: "booking \(booking.reference)", status: booking.status.rawValue)
        }
        return open + counts.inside.map { Stuck(name: "stay \($0)", status: "inside") }
    }
}

extension Booking {
    fileprivate func isOverOrToCome(at now: Date) -> Bool {
        switch status {
        case .completed, .expired, .cancelled, .noShow: true
        case .confirmed: start > now
        case .held, .active: false
        }
    }
}

extension Simulation {
    /// Orders per page of the operator's list.
    private static let pageSize = 200
    /// Maximum number of pages: more orders than are remembered.
    private static let mostPages = 2 * Tally.mostOrders / pageSize

    /// Reads every order and booking of this run as the operator sees them; skips that if interrupted.
    func outcome(wasInterrupted: Bool) async -> SimulationResult {
        let counts = tally.counts
        guard !wasInterrupted else {
            return SimulationResult(
                counts: counts, orders: [], stuck: [], elapsed: .now - begun, wasInterrupted: true)
        }
        do {
            let orders = try await found(Set(counts.orders), by: \.id) { client, after in
                try await client(
                    OrderEndpoints.allOrders(
                        asks: AllOrdersQuery().page(after: after, limit: Self.pageSize)))
            }
            let bookings = try await found(Set(counts.parking.bookings), by: \.id) {
                try await $0(
                    CarParkEndpoints.bookings(
                        asks: BookingsQuery().page(after: $1, limit: Self.pageSize)))
            }
            return SimulationResult(
                counts: tally.counts, orders: orders, bookings: bookings,
                stuck: SimulationResult.stuck(counts.orders, in: orders)
                    + SimulationResult.stuck(counts.parking, in: bookings, at: Date())
                    + (try await openSpots(of: counts.spots))
                    + (try await openTrips(of: counts.lifts)),
                elapsed: .now - begun, wasInterrupted: false)
        } catch {
            return SimulationResult(
                counts: tally.counts, orders: [], stuck: [], elapsed: .now - begun,
                wasInterrupted: false,
                failure: "The operator's lists can't be read: \(error)")
        }
    }

    /// Offered spots that are not over. Also checks that the books sum to zero.
    private func openSpots(of counts: SpotCounts) async throws -> [Stuck] {
        var stuck: [Stuck] = []
        for status in [SpotStatus.offered, .reserved] where !counts.offered.isEmpty {
            let open = try await boss.ask(
                SpotOperatorEndpoints.allSpots(
                    asks: AllSpotsQuery().with(\.status, status).page(limit: Self.pageSize))
            ).items
            stuck += open.filter { counts.offered.contains($0.id) }.map {
                Stuck(name: "spot \($0.id)", status: $0.status.rawValue)
            }
        }
        let books = try await boss.ask(PaymentEndpoints.trialBalance())
        let sums = books.lines.reduce(into: [:]) { $0[$1.currency, default: 0] += $1.balance }
        return stuck
            + sums.filter { $0.value != 0 }.map {
                Stuck(name: "the books in \($0.key)", status: "\($0.value) from zero")
            }
    }

    /// Published trips that are not over.
    private func openTrips(of counts: LiftCounts) async throws -> [Stuck] {
        guard !counts.published.isEmpty else { return [] }
        let open = try await boss.ask(
            CarpoolOperatorEndpoints.allTrips(asks: AllTripsQuery().with(\.status, .open))
        ).items
        return open.filter { counts.published.contains($0.id) }.map {
            Stuck(name: "trip \($0.id)", status: $0.status.rawValue)
        }
    }

    /// The items of a list with these ids.
    private func found<Item: Sendable, ID: Hashable>(
        _ wanted: Set<ID>, by id: (Item) -> ID,
        _ page: (OpenValetClient, String?) async throws -> Page<Item>
    ) async throws -> [Item] {
        var (wanted, found, pages): (Set<ID>, [Item], Int) = (wanted, [], 0)
        var after: String?
        while !wanted.isEmpty, pages < Self.mostPages {
            let next = try await boss.ask { [after] client in try await page(client, after) }
            found += next.items.filter { wanted.remove(id($0)) != nil }
            (after, pages) = (next.next, pages + 1)
            if after == nil { break }
        }
        return found
    }
}
