import Client
import Contracts
import Foundation

/// An order that did not come to its end.
struct StuckOrder: Sendable, Equatable {
    let ticket: String
    /// Nil when the operator's list does not have it at all.
    let status: OrderStatus?
}

/// How the simulation went, from the counts and from what the operator sees in the end.
package struct Outcome: Sendable {
    let counts: Counts
    /// As the operator's list has them; none when it was stopped before they could be looked at.
    let orders: [OrderView]
    let stuck: [StuckOrder]
    let elapsed: Duration
    /// Stopped before the orders could be brought to their end: those that are open are no fault.
    let wasInterrupted: Bool
    /// Why it could not even be looked at.
    var failure: String?

    /// 0, or 1 when anything was not as it should be.
    package var exitCode: Int32 {
        let isFine = counts.faults.isEmpty && failure == nil && (stuck.isEmpty || wasInterrupted)
        return isFine ? 0 : 1
    }

    /// Orders that nobody has seen at an end.
    var openCount: Int { counts.running.count }

    /// Of each order that was placed or taken up: in the operator's list, and at an end?
    static func stuck(_ ids: [OrderID], in orders: [OrderView]) -> [StuckOrder] {
        let seen = Dictionary(orders.map { ($0.id, $0) }) { one, _ in one }
        return ids.compactMap { id in
            guard let order = seen[id] else { return StuckOrder(ticket: "\(id)", status: nil) }
            return order.status.isEnd ? nil : StuckOrder(ticket: order.ticket, status: order.status)
        }
    }
}

extension Simulation {
    /// Orders of a page of the operator's list.
    private static let pageSize = 200
    /// Pages that are read at most: more orders than are remembered.
    private static let mostPages = 2 * Tally.mostOrders / pageSize

    /// Reads every order of this run as the operator sees it; nothing when one stops at once.
    func outcome(wasInterrupted: Bool) async -> Outcome {
        let counts = tally.counts
        guard !wasInterrupted else {
            return Outcome(
                counts: counts, orders: [], stuck: [], elapsed: .now - begun, wasInterrupted: true)
        }
        var wanted = Set(counts.orders)
        var (found, after, pages): ([OrderView], String?, Int) = ([], nil, 0)
        var failure: String?
        while !wanted.isEmpty, pages < Self.mostPages {
            do {
                let page = try await boss.ask { [after] client in
                    try await client.allOrders(after: after, limit: Self.pageSize)
                }
                found += page.items.filter { wanted.remove($0.id) != nil }
                (after, pages) = (page.next, pages + 1)
            } catch {
                failure = "The operator's list of orders can't be read: \(error)"
                break
            }
            if after == nil { break }
        }
        return Outcome(
            counts: tally.counts, orders: found,
            stuck: failure == nil ? Outcome.stuck(counts.orders, in: found) : [],
            elapsed: .now - begun, wasInterrupted: false, failure: failure)
    }
}
