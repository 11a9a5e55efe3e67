import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit
import Synchronization

/// The demo's extras: accounts to sign in with, and the exchange of hand-over codes.
final class Demo: Sendable {
    /// The most hand-overs whose codes are kept; the oldest makes way for the next.
    static let mostHandOvers = 1_000

    private struct HandOver: Hashable {
        let order: OrderID
        let leg: OrderLeg
    }

    private let view: DemoView
    /// Codes, and the hand-overs in the order in which they began.
    private let street = Mutex<(codes: [HandOver: String], order: [HandOver])>(([:], []))

    init(_ view: DemoView) { self.view = view }

    func add(to router: Router<Context>) {
        router.on(WebEndpoints.demo) { [view] _ in view }
        router.on(WebEndpoints.readOut) { try self.readOut($0.body, of: $0.id()) }
        router.on(WebEndpoints.hear) { call in
            let leg = call.query.leg
            return try self.spokenCode(leg, of: call.id()).map { SpokenCode(leg: leg, code: $0) }
        }
    }

    /// Throws `Refusal.invalid` for an invalid code.
    func readOut(_ spoken: SpokenCode, of order: OrderID) throws {
        guard spoken.code.wholeMatch(of: /[0-9]{4}/) != nil else {
            throw Refusal.invalid("code", "Use four digits.")
        }
        let handOver = HandOver(order: order, leg: spoken.leg)
        street.withLock { street in
            if street.codes.updateValue(spoken.code, forKey: handOver) == nil {
                street.order.append(handOver)
            }
            guard street.order.count > Self.mostHandOvers else { return }
            street.codes[street.order.removeFirst()] = nil
        }
    }

    /// Nil if no code was sent.
    func spokenCode(_ leg: OrderLeg, of order: OrderID) -> String? {
        street.withLock { $0.codes[HandOver(order: order, leg: leg)] }
    }
}
