import Contracts
import Foundation
import Metrics

/// Orders as an operator watches them.
enum OrderMetrics {
    private static let placed = Counter(label: "orders_placed_total")
    private static let tapToAssigned = Metrics.Timer(label: "orders_tap_to_assigned_seconds")

    /// Counts a published event; call it after the commit.
    static func count(_ event: any OrderEvent, at now: Date) {
        let order = event.order
        let isPlacing = event is DropOffRequested && order.scheduledFor == nil
        if isPlacing || event is OrderScheduled { placed.increment() }
        if let event = event as? ValetAssigned, event.leg.known == .dropOff,
            order.scheduledFor == nil
        {
            tapToAssigned.record(duration: .seconds(max(0, now.timeIntervalSince(order.createdAt))))
        }
        if let outcome = outcome(of: event) {
            Counter(label: "orders_ended_total", dimensions: [("outcome", outcome)]).increment()
        }
    }

    /// How the order ended with this event; nil for an event that ends none.
    private static func outcome(of event: any OrderEvent) -> String? {
        switch event {
        case is OrderUnfulfilled: "unfulfilled"
        case is OrderFinished: "finished"
        // Nothing was due.
        case is VehicleReturned where event.order.status.known == .finished: "finished"
        case let event as OrderCancelled:
            event.cause.known == .customerAbsent ? "absent" : "cancelled"
        case is OrderOverridden where event.order.status.known?.isEnd == true: "overridden"
        default: nil
        }
    }
}
